//! The specification of a link, which the link reads from standard input.

use crate::access::PlaceAccess;
use bc_core::{
    ids::{BranchName, ProjectId, SessionId},
    recovery::Stores,
    session::Meta,
};
use bc_hooks::HookCopies;
use bc_host::LaunchSpec;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All the data that a link needs to serve a session at a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LinkSpec {
    /// The writer's [`LinkSpec::VERSION`].
    pub version: u32,
    pub session: SessionId,
    pub project: ProjectId,
    /// The project's `.beads` folder, where the session's files are.
    pub beads_dir: PathBuf,
    /// The project's root, which is the link's own working folder.
    pub project_root: PathBuf,
    /// The socket on which the link listens, and on which clients expect the host.
    pub socket: PathBuf,
    pub place: PlaceAccess,
    pub branch: BranchName,
    /// The local worktree with the session's branch, which is updated with the place's commits.
    pub worktree: PathBuf,
    /// The run to start; `None` to connect to an existing run at the place.
    pub start: Option<Box<NewRun>>,
}

/// A session to start or resume.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewRun {
    /// The host's specification. The place replaces its paths.
    pub spec: LaunchSpec,
    /// The session's record. The place replaces its paths.
    pub meta: Meta,
    pub stores: Stores,
    /// The user's setup command, which runs in the session's new worktree.
    pub setup: Option<WorktreeSetup>,
    /// The repository's lifecycle hooks that the user allowed.
    pub hooks: HookCopies,
    /// The author of commits, as `Ana <ana@example.org>`, for a place whose git settings name none.
    pub author: Option<String>,
    /// The Dolt server with the project's beads, if agents at the place use it directly.
    #[serde(default)]
    pub dolt_server: Option<DoltServer>,
    /// The checkpoint from which the session was forked. A new worktree gets its files.
    #[serde(default)]
    pub checkpoint: Option<CheckpointId>,
}

/// Identifies a checkpoint of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointId {
    pub session: SessionId,
    pub number: u32,
}

/// A Dolt server, as seen from a place, and a project's database on it. Values that are not set have bd's
/// defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoltServer {
    pub host: String,
    pub port: u16,
    pub database: Option<String>,
    pub user: Option<String>,
    /// The id by which bd recognizes the database.
    pub project_id: Option<String>,
    /// Whether bd requires TLS.
    pub tls: bool,
}

/// The user's setup command for new worktrees.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorktreeSetup {
    /// The program, followed by its arguments.
    pub words: Vec<String>,
    /// The time limit, in minutes.
    pub minutes: u32,
    /// Why the command must not run, if the user has not allowed the current content of its files. This only
    /// matters while the setup is pending.
    pub refused: Option<String>,
}

impl LinkSpec {
    /// The version that this build reads and writes.
    pub const VERSION: u32 = 4;
}
