//! The hidden commands, and their words at a place.

/// The hidden command of a link, with its [`crate::LinkSpec`] on standard input.
pub const LINK_VERB: &str = "place-link";
/// The hidden command at a place; the next word says what it does.
pub const PLACE_VERB: &str = "remote";
/// The hidden command that git starts instead of ssh, to reach a place's repository.
pub const GIT_VERB: &str = "place-git";
/// The hidden command that runs a command in a pod; see [`crate::run_pod_exec`].
pub const POD_EXEC_VERB: &str = "pod-exec";

/// Prints the programs there.
pub(crate) const DESCRIBE: &str = "describe";
/// Serves one link: starts a session, and sends its record and events.
pub(crate) const SESSION: &str = "session";
/// Connects standard input and output to a session's host.
pub(crate) const CONNECT: &str = "connect";
/// Serves git for a project's repository.
pub(crate) const GIT: &str = "git";

/// The name under which our program is the tracker's program for agents.
pub(crate) const TRACKER: &str = "bd";
