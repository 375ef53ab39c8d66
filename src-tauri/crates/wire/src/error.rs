//! Errors as every client sees them: a code for programs, a message for users, a hint with the next step.

use serde::{Deserialize, Serialize};

/// The kind of an error, for programs. Clients match codes, never text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Invalid argument.
    Usage,
    /// Invalid branch name.
    BranchInvalid,
    /// More text than may be sent.
    TextTooLarge,

    /// The project folder is not there.
    ProjectNotFound,
    /// The folder has no beads.
    NoBeads,
    /// The bead is not there, or no longer.
    BeadNotFound,
    /// The session is not there.
    SessionNotFound,
    /// The agent prompt is not there.
    AgentNotFound,
    /// The memory is not there.
    MemoryNotFound,
    /// There is no backup of the project.
    BackupNotFound,
    /// The convoy is not there.
    ConvoyNotFound,
    /// The request to merge is not in the queue.
    MergeNotFound,
    /// No server for browsers runs.
    ServerNotFound,
    /// The worktree is not there.
    WorktreeNotFound,

    /// The folder is not in a git repository.
    NotARepository,
    /// The repository has no commit to branch from.
    NoCommits,
    /// Tracked files are changed and the branch would have to change.
    DirtyTree,
    /// The branch exists and is not the bead's.
    BranchExists,
    /// The branch is checked out elsewhere.
    BranchInUse,
    /// Another session works in that folder on another branch.
    FolderInUse,
    /// The bead is claimed by another actor.
    BeadClaimed,
    /// The bead is in a state that does not allow it.
    BeadState,
    /// The bead changed since the version that the user edited.
    BeadChanged,
    /// The dependency would close a cycle.
    DependencyCycle,
    /// The tracker cannot store or do this.
    TrackerUnsupported,
    /// The session is in a state that does not allow it.
    SessionState,
    /// The hook, or its work, is in a state that does not allow it.
    HookState,
    /// The merge queue, or a request in it, is in a state that does not allow it.
    QueueState,
    /// The user must consent first.
    ConfirmationNeeded,
    /// No commit of the work exists; the user may submit it anyway.
    CommitMissing,
    /// The repository's git settings name programs that the user has not allowed.
    ProgramsNotAllowed,
    /// The tracker can only be read.
    TrackerReadOnly,
    /// Changing the file could destroy data.
    FileRefused,

    /// Claude Code is not installed.
    ClaudeMissing,
    /// Claude Code is older than what is needed.
    ClaudeTooOld,
    /// Claude Code has no account.
    ClaudeNotLoggedIn,
    /// A policy or setting switches claude's hooks off.
    HooksDisabled,
    /// Claude ended as soon as it was started.
    ClaudeExited,
    /// git is not installed.
    GitMissing,
    /// The tracker's program is not installed.
    TrackerMissing,
    /// A program with the tracker's name is another one.
    TrackerWrongProgram,

    /// The tracker did not answer in time.
    TrackerTimeout,
    /// The tracker failed.
    TrackerFailed,
    /// git failed.
    GitFailed,
    /// The setup command of a new worktree failed.
    SetupFailed,
    /// The session's host could not be started or reached.
    HostUnreachable,
    /// Another process has the project open and does not answer.
    EngineUnreachable,
    /// The disk is full.
    DiskFull,
    /// The folder or disk cannot be written.
    ReadOnly,
    /// A file could not be read or written.
    Io,
    /// Anything else; the message says what.
    Internal,
}

impl ErrorCode {
    /// The exit code of the command line: 1 failure, 2 usage error, 3 not found, 4 refused by the current state, 5
    /// missing program.
    pub fn exit_code(self) -> u8 {
        use ErrorCode::*;
        match self {
            Usage | BranchInvalid | TextTooLarge => 2,
            ProjectNotFound | NoBeads | BeadNotFound | SessionNotFound | AgentNotFound | MemoryNotFound
            | BackupNotFound | ConvoyNotFound | MergeNotFound | ServerNotFound | WorktreeNotFound => 3,
            NotARepository | NoCommits | DirtyTree | BranchExists | BranchInUse | FolderInUse
            | BeadClaimed | BeadState | BeadChanged | DependencyCycle | TrackerUnsupported | SessionState
            | HookState | QueueState | ConfirmationNeeded | CommitMissing | ProgramsNotAllowed
            | TrackerReadOnly | FileRefused => 4,
            ClaudeMissing | ClaudeTooOld | ClaudeNotLoggedIn | HooksDisabled | GitMissing
            | TrackerMissing | TrackerWrongProgram => 5,
            ClaudeExited | TrackerTimeout | TrackerFailed | GitFailed | SetupFailed | HostUnreachable
            | EngineUnreachable | DiskFull | ReadOnly | Io | Internal => 1,
        }
    }
}

/// An error on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// For programs.
    pub code: ErrorCode,
    /// What happened, to what.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ApiError {
    /// An error without a hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ApiError { code, message: message.into(), hint: None }
    }

    /// The same with what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
