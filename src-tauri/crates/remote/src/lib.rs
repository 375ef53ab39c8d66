//! Sessions at other places. The session host runs on the agent's machine, so that the session continues without
//! the user's machine. On the user's machine, a *link* replaces the host: a process that holds the session's
//! lock, listens on the host's socket and copies the session's record to the user's machine.
//!
//! ```text
//! engine, window, terminal ── socket ── link ══ pipe ══ remote session ── socket ── host ── claude in a PTY
//!                                         │                  └ reads the record at the place
//!                                         └▶ .beads/sessions/{id}, the branch in the local worktree
//! ```
//!
//! The pipe is an ssh connection, or a command in a container or in a Kubernetes pod.
//!
//! - [`PlaceAccess`] starts commands at a place. [`describe`] detects the programs at a place, and copies
//!   this program to the place if it is missing or unusable.
//! - [`LinkSpec`] starts a link with [`launch_link`]; [`run_link`] is the link's main function.
//! - [`run_place_command`] is the main function of the commands at the place. [`ask_home`] and
//!   [`run_agent_tool`] send requests from the place's host and agents to the user's machine.
//! - [`run_file_command`] runs a command on a session's files at its place. The engine defines these commands, because
//!   it also runs them for local sessions. [`fetch_work`] fetches the session's commits and checkpoints.
//!
//! The list of places and the choice of a place are deliberately elsewhere (in the engine). Git transfers the
//! code: the link pushes the session's branch to the place before a start. It fetches the branch and uncommitted
//! work after new commits, regularly, and at the session's end.
//!
//! Invariants: a session's files have one writer on each machine: the link on the user's machine, and the
//! host at the place. To a log, the link only appends data that the place has appended, after both sides have
//! compared the hash of the existing part. Paths from a place are not trusted: a place names only kinds of record
//! files, never paths.

mod access;
mod child_output;
mod container;
mod copy_program;
mod describe;
mod file_command;
mod forward;
mod home_request;
mod link;
mod log_lines;
mod not_ready;
mod pipe;
mod place;
mod pod;
mod programs;
mod protocol;
mod record_kind;
mod remove_worktree;
mod spec;
mod unfetched;
mod verbs;

pub use access::{PlaceAccess, Reach, TemporaryContainer, USERS_PATH, script_line};
pub use container::Container;
pub use copy_program::{copy_program, is_copied};
pub use describe::{DescribeError, Description, InstalledClaude, describe};
pub use file_command::{FileCommandFailure, FileCommandRun, run_file_command};
pub use home_request::{CommandOutput, CommandRequest, Tool};
pub use link::{fetch_work, launch_link, run_git_command, run_link};
pub use place::{SessionFolders, agent_tool, ask_home, is_place_project, run_agent_tool, run_place_command};
pub use pod::{Pod, run_pod_exec};
pub use remove_worktree::remove_worktree;
pub use spec::{CheckpointId, DoltServer, LinkSpec, NewRun, WorktreeSetup};
pub use unfetched::{has_unfetched_work, mark_unfetched};
pub use verbs::{GIT_VERB, LINK_VERB, PLACE_VERB, POD_EXEC_VERB};
