//! Runs commands on the files of a session whose agent works at a place. They run at the place: the worktree on this
//! machine has only the files of fetched commits.
//!
//! `place_files_answer` is the other end.

use super::{change_base::base, place_link};
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
};
use bc_remote::PlaceAccess;
use bc_wire::{ApiError, ErrorCode, session::*};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::time::Duration;

/// The time limit for a command that only reads.
const READ_WITHIN: Duration = Duration::from_secs(20);

/// The time limit for a command that changes files.
const CHANGED_WITHIN: Duration = Duration::from_secs(100);

/// A command, as sent to a place.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileRequest {
    pub(super) command: FileCommand,
    /// The session's record on the user's machine, with the base commit of the changes.
    pub(super) meta: Meta,
    /// The time by the user's clock.
    pub(super) now: Timestamp,
}

/// A command on a session's files, with the parameters of the contract's method.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FileCommand {
    Changes(SessionChangesParams),
    FileLines(FileLinesParams),
    CommitPreview,
    Commit(CommitParams),
    Reverts,
    Revert(RevertParams),
    UndoRevert(RevertRef),
    Checkpoints,
    Compare(CheckpointCompareParams),
    Restore(RestoreFilesParams),
}

impl FileCommand {
    pub(super) fn changes_files(&self) -> bool {
        use FileCommand::*;
        match self {
            Commit(_) | Revert(_) | UndoRevert(_) | Restore(_) => true,
            Changes(_) | FileLines(_) | CommitPreview | Reverts | Checkpoints | Compare(_) => false,
        }
    }
}

/// A place's answer to a [`FileRequest`].
pub(super) type FileAnswer = Result<Value, ApiError>;

/// The reason that there is no answer to a command.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The place cannot be reached, or did not answer.
    Unreachable(ApiError),
    /// The command failed at the place.
    Refused(ApiError),
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
    /// `None` if the session's files are on this machine: it has no place, has not started or is closed.
    pub(super) fn of(ctx: &'a Context, meta: &'a Meta) -> Result<Option<FilesAtPlace<'a>>, ApiError> {
        let has_files = matches!(meta.status, Status::Active | Status::Paused);
        let Some(name) = meta.place.as_deref().filter(|_| has_files) else { return Ok(None) };
        let main = ctx.project.repo()?;
        let tip =
            meta.branch.as_ref().map(|branch| main.tip(branch)).transpose().map_err(git_error)?.flatten();
        let tip = tip.map(|tip| main.commit_of(&tip)).transpose().map_err(git_error)?;
        // The place lacks the base branch.
        let base = base(&main, meta, tip.as_ref())?;
        let base_branch = meta.base_branch.clone().filter(|_| base.of_branch);
        let base = base.commit.map(|commit| commit.as_str().to_owned());
        Ok(Some(FilesAtPlace { ctx, meta, name, base, base_branch }))
    }

    pub(super) fn place(&self) -> &str {
        self.name
    }

    /// The branch whose merge base the changes are compared with.
    pub(super) fn base_branch(&self) -> Option<BranchName> {
        self.base_branch.clone()
    }

    /// Runs a command at the place.
    pub(super) fn run<T: DeserializeOwned>(&self, command: FileCommand) -> Result<T, NoAnswer> {
        let place = self.access().map_err(NoAnswer::Unreachable)?;
        let within = if command.changes_files() { CHANGED_WITHIN } else { READ_WITHIN };
        let meta = Meta {
            base_commit: self.base.clone(),
            base_branch: None,
            files_touched: Vec::new(),
            claude_sessions: Vec::new(),
            ..self.meta.clone()
        };
        let request = FileRequest { command, meta, now: now() };
        let request = serde_json::to_string(&request).expect("a request has string keys");
        let answer =
            bc_remote::run_file_command(&place, &self.meta.project_id, self.meta.id, &request, within);
        let answer = answer.map_err(|failure| {
            NoAnswer::Unreachable(places::command_failure(&place, failure.code, &failure.said))
        })?;
        let unknown = || {
            let text =
                format!("{} answered something else; its Beads Console may have another version", self.name);
            NoAnswer::Unreachable(ApiError::new(ErrorCode::OtherVersion, text))
        };
        match serde_json::from_str::<FileAnswer>(&answer) {
            Ok(Ok(value)) => serde_json::from_value(value).map_err(|_| unknown()),
            Ok(Err(error)) => Err(NoAnswer::Refused(error)),
            Err(_) => Err(unknown()),
        }
    }

    fn access(&self) -> Result<PlaceAccess, ApiError> {
        let status = hosts::query_status(self.ctx, self.meta.id);
        if status.is_some_and(|status| status.unreachable_since.is_some()) {
            // The link tries again, and knows sooner whether the place can be reached.
            return Err(places::unreachable(self.name));
        }
        Ok(places::access(self.name)?.for_session(self.meta.id))
    }

    /// Fetches the place's work. Returns the hashes of the session's commits on its branch.
    pub(super) fn fetched_commits(&self) -> Result<Vec<String>, ApiError> {
        self.fetch();
        let main = self.ctx.project.repo()?;
        let tip = self
            .meta
            .branch
            .as_ref()
            .map(|branch| main.tip(branch))
            .transpose()
            .map_err(git_error)?
            .flatten();
        let Some(tip) = tip else { return Ok(Vec::new()) };
        let commits = main.commits_between(self.base.as_deref(), &tip).map_err(git_error)?;
        Ok(commits.into_iter().map(|commit| commit.hash).collect())
    }

    /// Fetches the commits and checkpoints that a command made.
    pub(super) fn fetch(&self) {
        let fetched = places::access(self.name).and_then(|place| {
            let spec = place_link::spec(self.ctx, place, self.meta, None)?;
            bc_remote::fetch_work(&spec).map_err(git_error)
        });
        if let Err(error) = fetched {
            tracing::warn!(error = %chain(&error), "the place's work could not be fetched; the link tries again");
        }
    }
}
