//! Sends commands on a session's files to its place. The worktree on this machine has only the files of fetched
//! commits. `file_command_handler` runs the commands at the place.

use super::{
    change_base::{Base, base, start_commit},
    place_link,
    untrusted_answers::UntrustedAnswer,
};
use crate::{
    context::{
        Context,
        errors::{chain, git_error},
        now,
    },
    hosts, places,
};
use bc_core::{
    Timestamp,
    ids::BranchName,
    session::{Meta, Status},
    text::{cut, one_line},
};
use bc_remote::{FileCommandFailure, FileCommandRun, PlaceAccess};
use bc_wire::{ApiError, ErrorCode, session::*};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// The time limit for a command that only reads. The place may need a minute to list all files.
const READ_WITHIN: Duration = Duration::from_secs(70);

/// The time limit for a command that changes files.
const CHANGE_WITHIN: Duration = Duration::from_secs(100);

/// The maximum length of a refusal, in characters.
const REFUSAL_MAX: usize = 300;

/// A command, as sent to a place.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileRequest {
    pub(super) command: FileCommand,
    /// The session's record from the user's machine, reduced for the place. `base_commit` is the base of the changes,
    /// and there is no base branch.
    pub(super) meta: Meta,
    /// The current time on the user's machine; the place's clock may be wrong.
    pub(super) now: Timestamp,
}

/// A command on a session's files, with the parameters of the contract's command.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FileCommand {
    Changes(SessionChangesParams),
    FileLines(FileLinesParams),
    /// The whole file, as [`super::untrusted_answers::FileContent`].
    Content(OpenFileParams),
    CommitPreview,
    Commit(CommitParams),
    Reverts,
    Revert(RevertParams),
    UndoRevert(RevertRef),
    Checkpoints,
    Compare(CheckpointCompareParams),
    Restore(RestoreFilesParams),
    /// Saves a file with the session's record at the place.
    Attach(AttachParams),
}

impl FileCommand {
    pub(super) fn changes_files(&self) -> bool {
        use FileCommand::*;
        match self {
            Commit(_) | Revert(_) | UndoRevert(_) | Restore(_) => true,
            Changes(_) | FileLines(_) | Content(_) | CommitPreview | Reverts | Checkpoints | Compare(_)
            | Attach(_) => false,
        }
    }
}

/// A place's answer to a [`FileRequest`].
pub(super) type FileAnswer = Result<Value, ApiError>;

/// The reason that a command has no result.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The place cannot be reached, or its answer is missing or unreadable.
    Unreachable(ApiError),
    /// The place reports that the command failed.
    Refused(ApiError),
}

impl NoAnswer {
    /// The error message for users.
    pub(super) fn message(&self) -> &str {
        match self {
            NoAnswer::Unreachable(error) | NoAnswer::Refused(error) => &error.message,
        }
    }
}

impl From<NoAnswer> for ApiError {
    fn from(error: NoAnswer) -> ApiError {
        match error {
            NoAnswer::Unreachable(error) | NoAnswer::Refused(error) => error,
        }
    }
}

/// The files of a session whose agent works at a place.
pub(super) struct FilesAtPlace<'a> {
    ctx: &'a Context,
    meta: &'a Meta,
    name: &'a str,
    base: Option<String>,
    base_branch: Option<BranchName>,
}

impl<'a> FilesAtPlace<'a> {
    /// `None` if the files are on this machine: the session has no place, has not started or is closed.
    pub(super) fn of(ctx: &'a Context, meta: &'a Meta) -> Result<Option<FilesAtPlace<'a>>, ApiError> {
        let has_files = matches!(meta.status, Status::Active | Status::Paused);
        let Some(name) = meta.place.as_deref().filter(|_| has_files) else { return Ok(None) };
        let main = ctx.project.repo()?;
        // The place has neither the base branch nor commits that were not pushed to it.
        let tip = meta.branch.as_ref().map(|branch| main.fetched_tip(name, branch)).transpose();
        let base = match tip.map_err(git_error)?.flatten() {
            Some(tip) => base(&main, meta, Some(&tip))?,
            None => Base { commit: start_commit(&main, meta), on_base_branch: meta.base_branch.is_some() },
        };
        let base_branch = meta.base_branch.clone().filter(|_| base.on_base_branch);
        let base = base.commit.map(|commit| commit.as_str().to_owned());
        Ok(Some(FilesAtPlace { ctx, meta, name, base, base_branch }))
    }

    /// The session's changes at the place.
    pub(super) fn changes(&self, params: &SessionChangesParams) -> Result<SessionChanges, NoAnswer> {
        let changes: SessionChanges = self.run(FileCommand::Changes(*params))?;
        Ok(SessionChanges { base: self.base.clone(), base_branch: self.base_branch.clone(), ..changes })
    }

    /// Runs a command at the place. If it changes files, fetches the resulting commits and checkpoints, unless
    /// the session's link does so soon.
    pub(super) fn run<T: UntrustedAnswer>(&self, command: FileCommand) -> Result<T, NoAnswer> {
        let place = self.access().map_err(NoAnswer::Unreachable)?;
        let changes_files = command.changes_files();
        let can_ask = matches!(command, FileCommand::Restore(_));
        let fetches_after = matches!(command, FileCommand::Commit(_) | FileCommand::Restore(_))
            || (changes_files && self.meta.status == Status::Paused);
        let meta = Meta {
            base_commit: self.base.clone(),
            base_branch: None,
            files_touched: Vec::new(),
            claude_sessions: Vec::new(),
            ..self.meta.clone()
        };
        let request = FileRequest { command, meta, now: now() };
        let request = serde_json::to_string(&request).expect("a request has string keys");
        let had_unfetched_work = bc_remote::has_unfetched_work(&self.ctx.store.session(self.meta.id));
        if fetches_after {
            self.mark_unfetched(true);
        }
        let answer = bc_remote::run_file_command(&FileCommandRun {
            place: &place,
            project: &self.meta.project_id,
            session: self.meta.id,
            command: &request,
            changes_files,
            within: if changes_files { CHANGE_WITHIN } else { READ_WITHIN },
        });
        let answer =
            answer.map_err(|failure| NoAnswer::Unreachable(self.error(&place, failure, changes_files)))?;
        let answer = serde_json::from_str::<FileAnswer>(&answer).map_err(|_| self.unknown_answer())?;
        let answer = answer.map_err(|error| {
            // Nothing was changed.
            if fetches_after && !had_unfetched_work {
                self.mark_unfetched(false);
            }
            NoAnswer::Refused(self.refusal(error, can_ask))
        })?;
        if fetches_after && let Err(error) = self.fetch() {
            tracing::warn!(error = %chain(&error), "the place's work could not be fetched");
        }
        let answer = serde_json::from_value::<T>(answer).map_err(|_| self.unknown_answer())?;
        Ok(answer.checked())
    }

    fn unknown_answer(&self) -> NoAnswer {
        let text = format!(
            "the answer of {} could not be read; the place may run another version of Beads Console",
            self.name
        );
        NoAnswer::Unreachable(ApiError::new(ErrorCode::OtherVersion, text))
    }

    fn error(&self, place: &PlaceAccess, failure: FileCommandFailure, changes_files: bool) -> ApiError {
        let name = self.name;
        match failure {
            FileCommandFailure::Failed { code, said } => places::command_failure(place, code, &said),
            FileCommandFailure::TimedOut => {
                let maybe = if changes_files { "; the command may have been carried out" } else { "" };
                let text = format!("{name} did not answer in time{maybe}");
                ApiError::new(ErrorCode::MachineUnreachable, text).hint("look at the changes, then try again")
            }
            FileCommandFailure::Unusable(why) => {
                ApiError::new(ErrorCode::MachineUnreachable, format!("{name}: {why}"))
            }
        }
    }

    /// A refusal by the place, which is not trusted: only codes without effect on this machine are passed on,
    /// and a request for confirmation only if `can_ask` is set.
    fn refusal(&self, error: ApiError, can_ask: bool) -> ApiError {
        use ErrorCode::*;
        let short = |text: &str| cut(&one_line(text), REFUSAL_MAX);
        let (code, hint) = match error.code {
            ConfirmationNeeded if can_ask => (ConfirmationNeeded, error.hint),
            code @ (Usage | TextTooLarge | NoCommits | FilesChanged | SessionState | FileRefused
            | CheckpointNotFound | Io) => (code, error.hint),
            _ => (GitFailed, None),
        };
        let refusal = ApiError::new(code, format!("{}: {}", self.name, short(&error.message)));
        hint.iter().fold(refusal, |refusal, hint| refusal.hint(short(hint)))
    }

    fn access(&self) -> Result<PlaceAccess, ApiError> {
        let status = hosts::query_status(self.ctx, self.meta.id);
        if status.is_some_and(|status| status.unreachable_since.is_some()) {
            // The link already reconnects. Another attempt would only wait for a timeout.
            return Err(places::unreachable(self.name));
        }
        Ok(places::access(self.name)?.for_session(self.meta.id))
    }

    /// Records whether the place may have the only copy of some work, so that the end of the session keeps the worktree
    /// there. Does nothing while a link holds the session's lock, because the link fetches the work.
    fn mark_unfetched(&self, unfetched: bool) {
        let dir = self.ctx.store.session(self.meta.id);
        if let Ok(Some(lock)) = dir.try_lock() {
            bc_remote::mark_unfetched(&lock, unfetched);
        }
    }

    /// Fetches the session's commits and checkpoints from the place.
    pub(super) fn fetch(&self) -> Result<(), ApiError> {
        let spec = place_link::spec(self.ctx, places::access(self.name)?, self.meta, None)?;
        bc_remote::fetch_work(&spec).map_err(git_error)?;
        self.mark_unfetched(false);
        Ok(())
    }

    /// Whether this commit was fetched on the session's branch, after its base.
    pub(super) fn has_fetched(&self, hash: &str) -> bool {
        let found = || {
            let main = self.ctx.project.repo().ok()?;
            let tip = main.fetched_tip(self.name, self.meta.branch.as_ref()?).ok()??;
            let commits = main.commits_between(Some(self.base.as_deref()?), tip.as_str()).ok()?;
            Some(tip.as_str() == hash || commits.iter().any(|commit| commit.hash == hash))
        };
        found().unwrap_or(false)
    }
}
