//! Errors as clients receive them: a code for programs, a message for users, and a hint with the next step.

use serde::{Deserialize, Serialize};

/// The kind of an error, for programs. Clients match codes, never text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// An invalid argument or parameter.
    Usage,
    BranchInvalid,
    TextTooLarge,

    ProjectNotFound,
    /// The folder has no beads.
    NoBeads,
    BeadNotFound,
    SessionNotFound,
    AgentNotFound,
    MemoryNotFound,
    /// The project, or the given commit, has no backup.
    BackupNotFound,
    ConvoyNotFound,
    /// The merge request is not in the queue.
    MergeNotFound,
    /// No server for browsers is running.
    ServerNotFound,
    WorktreeNotFound,
    /// The session has no such checkpoint.
    CheckpointNotFound,
    /// No place has this name.
    PlaceNotFound,

    /// The folder is not in a git repository.
    NotARepository,
    /// The repository has no commit to branch from.
    NoCommits,
    /// The branch cannot be switched because tracked files have uncommitted changes.
    DirtyTree,
    /// Files changed while a command used them.
    FilesChanged,
    /// The branch exists and belongs to other work.
    BranchExists,
    /// The branch is checked out elsewhere.
    BranchInUse,
    /// Another session works in that folder on another branch.
    FolderInUse,
    /// The bead is claimed by another actor.
    BeadClaimed,
    /// The bead's state does not allow the command.
    BeadState,
    /// The bead changed since the version that the user edited.
    BeadChanged,
    /// The dependency would close a cycle.
    DependencyCycle,
    /// The tracker cannot store this data or cannot perform this operation.
    TrackerUnsupported,
    /// The session's state does not allow the command.
    SessionState,
    /// The state of an agent's hook or its work does not allow the command.
    HookState,
    /// The state of the merge queue or the request does not allow the command.
    QueueState,
    /// The user must consent first.
    ConfirmationNeeded,
    /// The work has no commit. The user can submit the work anyway.
    CommitMissing,
    /// The repository's git settings name programs that the user has not allowed.
    ProgramsNotAllowed,
    /// The tracker is read-only.
    TrackerReadOnly,
    /// The file cannot be used safely, for example because a change could destroy data.
    FileRefused,
    /// The ssh key of another machine differs from the known key.
    HostKeyChanged,
    /// Another machine has an incompatible version of this program.
    OtherVersion,

    ClaudeMissing,
    /// Claude Code is older than the required version.
    ClaudeTooOld,
    /// Claude Code is not logged in.
    ClaudeNotLoggedIn,
    /// A policy or setting disables claude's hooks.
    HooksDisabled,
    /// Claude exited immediately after its start.
    ClaudeExited,
    GitMissing,
    /// The user has chosen no editor, or it is not installed.
    EditorMissing,
    GhMissing,
    /// The tracker's program is not installed.
    TrackerMissing,
    /// A different program has the tracker's name.
    TrackerWrongProgram,
    /// A program that connects to another machine, or this program on that machine, is not installed.
    ProgramMissing,

    /// The tracker did not answer in time.
    TrackerTimeout,
    TrackerFailed,
    GitFailed,
    SetupFailed,
    /// The session's host could not be started or reached.
    HostUnreachable,
    /// Another machine could not be reached, or refused access.
    MachineUnreachable,
    /// Another process has the project open and does not answer.
    EngineUnreachable,
    DiskFull,
    ReadOnly,
    /// A file could not be read or written.
    Io,
    /// Any other error, described by the message.
    Internal,
}

impl ErrorCode {
    /// The exit code of the command line: 1 failure, 2 usage error, 3 not found, 4 refused by the current
    /// state, 5 missing or unusable program.
    pub fn exit_code(self) -> u8 {
        use ErrorCode::*;
        match self {
            Usage | BranchInvalid | TextTooLarge => 2,
            ProjectNotFound | NoBeads | BeadNotFound | SessionNotFound | AgentNotFound | MemoryNotFound
            | BackupNotFound | ConvoyNotFound | MergeNotFound | ServerNotFound | WorktreeNotFound
            | CheckpointNotFound | PlaceNotFound => 3,
            NotARepository | NoCommits | DirtyTree | FilesChanged | BranchExists | BranchInUse
            | FolderInUse | BeadClaimed | BeadState | BeadChanged | DependencyCycle | TrackerUnsupported
            | SessionState | HookState | QueueState | ConfirmationNeeded | CommitMissing
            | ProgramsNotAllowed | TrackerReadOnly | FileRefused | HostKeyChanged | OtherVersion => 4,
            ClaudeMissing | ClaudeTooOld | ClaudeNotLoggedIn | HooksDisabled | GitMissing | EditorMissing
            | GhMissing | TrackerMissing | TrackerWrongProgram | ProgramMissing => 5,
            ClaudeExited | TrackerTimeout | TrackerFailed | GitFailed | SetupFailed | HostUnreachable
            | MachineUnreachable | EngineUnreachable | DiskFull | ReadOnly | Io | Internal => 1,
        }
    }
}

/// An error as clients receive it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    pub code: ErrorCode,
    /// What failed and why, for users.
    pub message: String,
    /// The next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ApiError {
    /// Creates an error without a hint; [`ApiError::hint()`] adds one.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ApiError { code, message: message.into(), hint: None }
    }

    /// Adds the next step for the user.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
