//! Maps the errors of other crates to the contract's codes, some with hints.

use bc_beads::TrackerError;
use bc_core::bead::BeadDetail;
use bc_git::GitError;
use bc_host::{ClientError, protocol::RefusedCode};
use bc_store::{FileError, StoreError};
use bc_wire::{ApiError, ErrorCode};
use std::error::Error;

/// An error and its sources, separated by `: `. A source that the text already contains is omitted.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let said = cause.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        source = cause.source();
    }
    text
}

const DISK_FULL: &str = "free some space; saved data is safe";

pub(crate) fn file_error(error: FileError) -> ApiError {
    let text = chain(&error);
    if error.is_disk_full() {
        return ApiError::new(ErrorCode::DiskFull, text).hint(DISK_FULL);
    }
    if error.is_read_only() {
        return ApiError::new(ErrorCode::ReadOnly, text)
            .hint("make the folder writable; until then the project is read-only");
    }
    ApiError::new(ErrorCode::Io, text)
}

pub(crate) fn store_error(error: StoreError) -> ApiError {
    match error {
        StoreError::File(error) => file_error(error),
        StoreError::NoSession { .. } => ApiError::new(ErrorCode::SessionNotFound, error.to_string())
            .hint("`beads-console session list` lists the sessions"),
        StoreError::InUse { .. } | StoreError::SessionExists { .. } => {
            ApiError::new(ErrorCode::SessionState, error.to_string())
        }
        _ => ApiError::new(ErrorCode::Io, chain(&error)),
    }
}

pub(crate) fn git_error(error: GitError) -> ApiError {
    let code = match &error {
        GitError::GitMissing => ErrorCode::GitMissing,
        GitError::NoFolder { .. } => ErrorCode::ProjectNotFound,
        GitError::NotARepository { .. } | GitError::Bare { .. } => ErrorCode::NotARepository,
        GitError::NoCommits { .. } => ErrorCode::NoCommits,
        GitError::InvalidBranch { .. } | GitError::BranchNotPortable { .. } => ErrorCode::BranchInvalid,
        GitError::InvalidAddress { .. } => ErrorCode::Usage,
        GitError::BranchExists { .. } | GitError::BranchConflict { .. } | GitError::BranchAlike { .. } => {
            ErrorCode::BranchExists
        }
        GitError::Dirty { .. } | GitError::WouldOverwrite { .. } => ErrorCode::DirtyTree,
        GitError::BranchInUse { .. } | GitError::BranchInLostWorktree { .. } => ErrorCode::BranchInUse,
        GitError::ProgramsNotAllowed { .. } => ErrorCode::ProgramsNotAllowed,
        GitError::OtherOwner { .. }
        | GitError::Run { .. }
        | GitError::NoSuchBranch { .. }
        | GitError::NoSuchCommit { .. }
        | GitError::PathTaken { .. }
        | GitError::NotAWorktree { .. }
        | GitError::WorktreeNotClean { .. }
        | GitError::WorktreeLocked { .. }
        | GitError::NoPlaceBeside { .. }
        | GitError::Busy { .. }
        | GitError::Remote { .. }
        | GitError::Failed { .. }
        | GitError::Unreadable { .. } => ErrorCode::GitFailed,
    };
    let answer = ApiError::new(code, chain(&error));
    match error {
        GitError::ProgramsNotAllowed { path, .. } => answer.hint(format!(
            "review and allow them with `beads-console hooks trust {}`, or remove these settings",
            path.display()
        )),
        _ => answer,
    }
}

pub(crate) fn tracker_error(error: TrackerError) -> ApiError {
    use TrackerError as E;
    let (code, hint) = match &error {
        E::NoBeads { .. } => (ErrorCode::NoBeads, None),
        E::AlreadyThere { .. } => (ErrorCode::BeadState, Some("use `beads-console bead list`")),
        E::BadRedirect { .. } | E::RedirectOutside { .. } => (ErrorCode::NoBeads, None),
        E::ProgramMissing { .. } => (ErrorCode::TrackerMissing, None),
        E::WrongProgram { .. } | E::TooOld { .. } => (ErrorCode::TrackerWrongProgram, None),
        E::TimedOut { .. } | E::Busy { .. } => (ErrorCode::TrackerTimeout, None),
        E::NotFound { .. } => (ErrorCode::BeadNotFound, Some("`beads-console bead list` lists the beads")),
        E::ClaimedByOther { .. } => (ErrorCode::BeadClaimed, None),
        E::AlreadyClosed { .. } | E::Refused { .. } => (ErrorCode::BeadState, None),
        E::InvalidInput { .. } => (ErrorCode::Usage, None),
        E::NeedsConsent { .. } => (ErrorCode::ConfirmationNeeded, Some("confirm with --yes")),
        E::Changed { .. } => (ErrorCode::BeadChanged, None),
        E::Cycle { .. } => (ErrorCode::DependencyCycle, None),
        E::Unsupported { .. } => (ErrorCode::TrackerUnsupported, None),
        E::ReadOnly { .. } => (ErrorCode::TrackerReadOnly, None),
        E::File { source, .. } if source.is_disk_full() => (ErrorCode::DiskFull, Some("free some space")),
        E::File { source, .. } if source.is_read_only() => {
            (ErrorCode::ReadOnly, Some("make the folder writable"))
        }
        E::File { .. } => (ErrorCode::Io, None),
        _ => (ErrorCode::TrackerFailed, None),
    };
    let answer = ApiError::new(code, chain(&error));
    match hint {
        Some(hint) => answer.hint(hint),
        None => answer,
    }
}

/// The result of a query for one bead; `None` if the bead does not exist.
pub(crate) fn bead_if_found(shown: Result<BeadDetail, TrackerError>) -> Result<Option<BeadDetail>, ApiError> {
    match shown {
        Ok(bead) => Ok(Some(bead)),
        Err(TrackerError::NotFound { .. }) => Ok(None),
        Err(error) => Err(tracker_error(error)),
    }
}

pub(crate) fn host_error(error: ClientError) -> ApiError {
    let code = match &error {
        ClientError::Refused(refused) => match refused.code {
            RefusedCode::NotFound | RefusedCode::State => ErrorCode::SessionState,
            RefusedCode::BadText => ErrorCode::TextTooLarge,
            RefusedCode::BadAnswer => ErrorCode::Usage,
            RefusedCode::DiskFull => {
                return ApiError::new(ErrorCode::DiskFull, chain(&error)).hint(DISK_FULL);
            }
            RefusedCode::Failed => ErrorCode::Io,
            RefusedCode::Unreachable => ErrorCode::MachineUnreachable,
        },
        _ => ErrorCode::HostUnreachable,
    };
    ApiError::new(code, chain(&error))
}
