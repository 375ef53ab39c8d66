//! The hidden commands of this program, and their subcommands at a place.

/// The hidden command that runs a link. It reads a [`crate::LinkSpec`] from standard input.
pub const LINK_VERB: &str = "place-link";
/// The hidden command that runs at a place. The next word is the subcommand.
pub const PLACE_VERB: &str = "remote";
/// The hidden command that git starts instead of ssh, to reach a place's repository.
pub const GIT_VERB: &str = "place-git";
/// The hidden command that runs a command in a pod; see [`crate::run_pod_exec`].
pub const POD_EXEC_VERB: &str = "pod-exec";

/// Prints the programs at the place.
pub(crate) const DESCRIBE: &str = "describe";
/// Serves one link: starts a session, and sends the session's record and events.
pub(crate) const SESSION: &str = "session";
/// Connects standard input and output to a session's host.
pub(crate) const CONNECT: &str = "connect";
/// Serves git for a project's repository.
pub(crate) const GIT: &str = "git";

/// Removes the worktree of a closed session.
pub(crate) const CLEAN: &str = "clean";
/// Runs a command on the files of a session.
pub(crate) const FILES: &str = "files";

/// The name of the tracker's program, under which agents at a place can start this program instead.
pub(crate) const TRACKER: &str = "bd";
