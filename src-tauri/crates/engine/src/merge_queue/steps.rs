//! The steps of a merge. Each step is idempotent, because the program that first performed the step may have
//! been killed before it recorded the result.

use super::{
    check::{self, CheckOrder, CheckOutcome},
    log::Log,
    merge_tree::{self, PrepareError},
};
use crate::{
    context::{
        Context,
        errors::{chain, git_error, tracker_error},
        now,
    },
    fleet_state::fleet_error,
    recovery, settings,
};
use bc_beads::{Close, TrackerError};
use bc_core::{
    bead::BeadStatus,
    fleet::{
        CheckedOut, Current, FleetSettings, MergeMethod, MergeRequest, MergeStep, MergeTrouble, TroubleKind,
        WorkStatus,
    },
    ids::BranchName,
    text,
};
use bc_fleet::{FleetError, State};
use bc_git::{Combined, GitError, ObjectId, PushOutcome, RefMove, Repo, TreeUpdate};
use bc_process::supervised_child::StopHandle;
use bc_wire::ApiError;
use std::path::Path;

/// The maximum number of attempts of a merge if the target or the branch changes meanwhile.
const TRIES: u32 = 5;

/// The maximum number of conflicting files that are listed.
const FILES: usize = 200;

/// The merge of one request, and everything that its steps need.
pub(super) struct Merge<'a> {
    pub(super) ctx: &'a Context,
    pub(super) state: &'a State,
    pub(super) repo: Repo,
    pub(super) settings: FleetSettings,
    pub(super) request: MergeRequest,
    /// Whether to update a working folder that has the target checked out.
    pub(super) follow: bool,
    pub(super) approved: Option<String>,
    /// The commit of the branch that is being merged.
    pub(super) source: Option<String>,
    pub(super) tries: u32,
    pub(super) stop_handle: &'a StopHandle,
}

pub(super) enum StepResult {
    Step(MergeStep),
    /// The request is merged. `note` is for the user, for example about a failed push.
    Merged {
        commit: String,
        note: Option<String>,
    },
    /// The request is blocked until the user decides.
    Stopped(MergeTrouble),
    /// The check was cancelled, because merging stops or the request was removed. A later merge repeats the step.
    Cancelled,
}

impl<'a> Merge<'a> {
    pub(super) fn of(
        ctx: &'a Context,
        state: &'a State,
        request: MergeRequest,
        current: &Current,
        stop_handle: &'a StopHandle,
    ) -> Result<Merge<'a>, ApiError> {
        let (repo, settings) = (ctx.project.repo()?, settings::fleet(&ctx.project));
        // Read the entry for each step, because the user may approve another commit during the merge.
        let (queue, _) = state.queue().map_err(fleet_error)?;
        let entry = queue.entry(&request.id);
        let follow =
            entry.is_some_and(|entry| entry.follow) || settings.merge_checked_out == CheckedOut::Follow;
        let approved = entry.and_then(|entry| entry.approved.clone());
        let (source, tries) = (current.branch_at.clone(), current.tries);
        Ok(Merge { ctx, state, repo, settings, request, follow, approved, source, tries, stop_handle })
    }

    pub(super) fn take(&self, step: &MergeStep, log: &mut Log<'_>) -> Result<StepResult, ApiError> {
        match step {
            MergeStep::Prepare {} => self.prepare(log),
            MergeStep::Combine { source, target } => self.combine(source, target, log),
            MergeStep::Check { target, candidate } => self.check(target, candidate, log),
            MergeStep::Move { target, candidate } => self.land(target, candidate, log),
            MergeStep::Push { candidate } => self.push(candidate, log),
            MergeStep::Finish { candidate, note } => self.finish(candidate, note.clone(), log),
        }
    }

    fn prepare(&self, log: &mut Log<'_>) -> Result<StepResult, ApiError> {
        let MergeRequest { source_branch: source, target_branch: target, .. } = &self.request;
        log.line("merge", &format!("{source} into {target}"));
        let no_branch = |kind, branch| {
            let text = format!("the branch {branch} no longer exists");
            self.stopped(kind, text, Some("create it again, or remove the request"))
        };
        let Some(tip) = self.tip(source)? else { return Ok(no_branch(TroubleKind::NoSource, source)) };
        let Some(onto) = self.tip(target)? else { return Ok(no_branch(TroubleKind::NoTarget, target)) };
        if self.approved.as_deref().is_some_and(|approved| approved != tip.as_str()) {
            let text = format!("{source} has changed since its approval");
            let hint = "review and approve it again; a retry merges its current state";
            return Ok(self.stopped(TroubleKind::NotApproved, text, Some(hint)));
        }
        if self.repo.is_ancestor(&tip, &onto).map_err(git_error)? {
            return Ok(self.already(&onto));
        }
        // Report a checked-out target now, not only after a long check.
        if let Some(tree) = self.repo.worktree_using(target).map_err(git_error)?
            && !self.follow
        {
            return Ok(self.checked_out(&tree));
        }
        Ok(StepResult::Step(MergeStep::Combine {
            source: tip.as_str().to_owned(),
            target: onto.as_str().to_owned(),
        }))
    }

    fn combine(&self, source: &str, target: &str, log: &mut Log<'_>) -> Result<StepResult, ApiError> {
        let (tip, onto) = (self.commit(source)?, self.commit(target)?);
        let tree = match self.worktree(&onto)? {
            Ok(tree) => tree,
            Err(stopped) => return Ok(stopped),
        };
        let method = self.settings.merge_method;
        let word = match method {
            MergeMethod::Rebase => "rebase",
            MergeMethod::Merge => "join",
        };
        let MergeRequest { source_branch, target_branch, bead_id, .. } = &self.request;
        log.line(word, &format!("{source_branch} ({:.8}) onto {target_branch} ({target:.8})", source));
        let message = format!("Merge {bead_id}: {}", text::one_line(&self.title()?));
        match tree.combine(method, &tip, &onto, &message) {
            Ok(Combined::Clean { commit, .. }) if commit == onto => Ok(self.already(&onto)),
            Ok(Combined::Clean { commit, said }) => {
                log.message(&said);
                let (target, candidate) = (target.to_owned(), commit.as_str().to_owned());
                Ok(StepResult::Step(MergeStep::Check { target, candidate }))
            }
            Ok(Combined::Conflict { mut files, said }) => {
                log.message(&said);
                let output = log.tail();
                for file in &files {
                    log.raw(format!("conflict {} ({})\n", file.path, file.conflicts).as_bytes());
                }
                let (n, s) = (files.len(), if files.len() == 1 { "" } else { "s" });
                files.truncate(FILES);
                let text = format!("{source_branch} and {target_branch} both changed {n} file{s}");
                let hint = "send it back to its agent, or resolve it on the branch, then retry";
                Ok(StepResult::Stopped(MergeTrouble {
                    files,
                    output,
                    ..trouble(TroubleKind::Conflict, text, Some(hint))
                }))
            }
            Ok(Combined::Unrelated) => {
                let text =
                    format!("{source_branch} and {target_branch} have no common history in this clone");
                let hint = "if the clone is shallow, run `git fetch --unshallow`";
                Ok(self.stopped(TroubleKind::Unrelated, text, Some(hint)))
            }
            Err(error) => Ok(self.stopped(TroubleKind::Git, chain(&error), None)),
        }
    }

    fn check(&self, target: &str, candidate: &str, log: &mut Log<'_>) -> Result<StepResult, ApiError> {
        let next = MergeStep::Move { target: target.to_owned(), candidate: candidate.to_owned() };
        let words = &self.settings.merge_check;
        if words.is_empty() {
            return Ok(StepResult::Step(next));
        }
        let commit = self.commit(candidate)?;
        let tree = match self.worktree(&commit)? {
            Ok(tree) => tree,
            Err(stopped) => return Ok(stopped),
        };
        let minutes = self.settings.merge_check_minutes;
        log.line("check", &words.join(" "));
        let order = CheckOrder {
            words: words.clone(),
            folder: tree.top_level().to_owned(),
            timeout_ms: 60_000 * u64::from(minutes),
            lock: self.state.console("check.lock").map_err(fleet_error)?,
        };
        let checked = check::check(self.ctx, &order, self.stop_handle, |bytes| log.raw(bytes));
        let output = log.tail();
        let program = words.first().map_or("", String::as_str);
        let stop = |kind, text: String| {
            let hint = "send it back to its agent, or fix it on the branch, then retry";
            StepResult::Stopped(MergeTrouble { output: output.clone(), ..trouble(kind, text, Some(hint)) })
        };
        Ok(match checked {
            Ok(CheckOutcome::Ended { code: Some(0) }) => StepResult::Step(next),
            Ok(CheckOutcome::Ended { code: Some(code) }) => {
                stop(TroubleKind::CheckFailed, format!("the check {program} ended with {code}"))
            }
            Ok(CheckOutcome::Ended { code: None }) => {
                stop(TroubleKind::CheckFailed, format!("a signal ended the check {program}"))
            }
            Ok(CheckOutcome::Late) => {
                stop(TroubleKind::CheckTimedOut, format!("the check {program} did not end in {minutes} min"))
            }
            Ok(CheckOutcome::Unwanted) => StepResult::Cancelled,
            Ok(CheckOutcome::NotRun(why)) | Err(why) => {
                let hint = "the fleet's settings contain the check: a program and its arguments";
                self.stopped(TroubleKind::CheckNotRun, why, Some(hint))
            }
        })
    }

    fn land(&self, target: &str, candidate: &str, log: &mut Log<'_>) -> Result<StepResult, ApiError> {
        let branch = &self.request.target_branch;
        let (from, to) = (self.commit(target)?, self.commit(candidate)?);
        let source = &self.request.source_branch;
        let merged = self.source.as_deref();
        // Try again: otherwise, commits that were added meanwhile would be omitted although the bead is closed.
        if self.tip(source)?.is_some_and(|tip| merged.is_some_and(|merged| merged != tip.as_str())) {
            return Ok(self.retry_or_stop(source, log));
        }
        let landed = Ok(StepResult::Step(MergeStep::Push { candidate: candidate.to_owned() }));
        let said = format!("{} as {candidate:.8}", self.request.bead_id);
        if let Some(tree) = self.repo.worktree_using(branch).map_err(git_error)? {
            if !self.follow {
                return Ok(self.checked_out(&tree));
            }
            return match self.repo.update_worktree(&tree, branch, &to).map_err(git_error)? {
                TreeUpdate::Done => {
                    log.line("merged", &said);
                    landed
                }
                TreeUpdate::Refused(_) if self.tip(branch)? != Some(from) => {
                    Ok(self.retry_or_stop(branch, log))
                }
                TreeUpdate::Refused(output) => {
                    let text = format!(
                        "{branch} is checked out in {}, and files there would be overwritten",
                        tree.display()
                    );
                    let hint = "commit, stash or move the listed files, then retry";
                    Ok(StepResult::Stopped(MergeTrouble {
                        output,
                        ..trouble(TroubleKind::NotFollowed, text, Some(hint))
                    }))
                }
            };
        }
        match self.repo.move_branch(branch, &from, &to, &format!("merge queue: {said}")) {
            Ok(RefMove::Done) => {
                log.line("merged", &said);
                landed
            }
            Ok(RefMove::Raced) => Ok(self.retry_or_stop(branch, log)),
            // The target was checked out after the check above.
            Err(GitError::BranchInUse { worktree, .. }) => Ok(self.checked_out(&worktree)),
            Err(error) => Ok(self.stopped(TroubleKind::Git, chain(&error), None)),
        }
    }

    fn push(&self, candidate: &str, log: &mut Log<'_>) -> Result<StepResult, ApiError> {
        let finish = |note| Ok(StepResult::Step(MergeStep::Finish { candidate: candidate.to_owned(), note }));
        let Some(remote) = self.settings.merge_push.as_deref().filter(|name| !name.starts_with('-')) else {
            return finish(None);
        };
        let branch = &self.request.target_branch;
        log.line("push", &format!("{branch} to {remote}"));
        let note = match self.repo.push_merged(remote, branch, &self.commit(candidate)?) {
            Ok(PushOutcome::Done) => None,
            Ok(PushOutcome::Behind) => {
                Some(format!("not pushed: {remote} has newer commits on {branch}; fetch them first"))
            }
            Ok(PushOutcome::Refused(said)) => Some(format!("not pushed: {remote} refused it: {said}")),
            Err(error) => Some(format!("not pushed: {}", chain(&error))),
        };
        if let Some(note) = &note {
            log.line("refused", note);
        }
        finish(note)
    }

    fn finish(
        &self,
        candidate: &str,
        note: Option<String>,
        log: &mut Log<'_>,
    ) -> Result<StepResult, ApiError> {
        let MergeRequest { bead_id: bead, target_branch: target, .. } = &self.request;
        match self.ctx.tracker()?.show(bead) {
            // The fleet's own work items are not in the tracker.
            Err(TrackerError::NotFound { .. }) => {}
            Err(error) => return Ok(self.not_closed(tracker_error(error), note)),
            Ok(found) if found.bead.status == BeadStatus::Closed => {}
            Ok(_) => {
                let reason = format!("merged into {target} as {candidate:.8}");
                let close = Close { reason, force: false };
                let closed = self.ctx.tracker()?.close(bead, &close, &self.ctx.user_actor());
                if let Err(error) = closed {
                    return Ok(self.not_closed(tracker_error(error), note));
                }
                log.line("closed", bead.as_str());
                if self.ctx.writable().is_ok() {
                    recovery::bead_changed(self.ctx, bead);
                }
            }
        }
        match self.state.update_work_status(bead, WorkStatus::Merged) {
            // The bead was never a work item of the fleet.
            Ok(_) | Err(FleetError::NoWork(_)) => {}
            Err(error) => return Err(fleet_error(error)),
        }
        log.line("done", self.request.id.as_str());
        Ok(StepResult::Merged { commit: candidate.to_owned(), note })
    }

    fn already(&self, onto: &ObjectId) -> StepResult {
        let note = format!("{} already contained all changes", self.request.target_branch);
        StepResult::Step(MergeStep::Finish { candidate: onto.as_str().to_owned(), note: Some(note) })
    }

    /// Starts the merge again because another program changed `branch`; after [`TRIES`] attempts, stops it.
    fn retry_or_stop(&self, branch: &BranchName, log: &mut Log<'_>) -> StepResult {
        log.line("again", &format!("{branch} was changed meanwhile"));
        if self.tries + 1 < TRIES {
            return StepResult::Step(MergeStep::Prepare {});
        }
        let text = format!("{branch} was changed by other programs during all {TRIES} attempts");
        self.stopped(TroubleKind::TargetMoves, text, Some("retry when it no longer changes"))
    }

    fn checked_out(&self, tree: &Path) -> StepResult {
        let target = &self.request.target_branch;
        let text = format!("{target} is checked out in {}", tree.display());
        let hint = "allow updating that folder too (`beads-console fleet queue retry ID --follow`; you are asked only \
                    once, and no changed or untracked file is overwritten), or check out another branch there";
        self.stopped(TroubleKind::CheckedOut, text, Some(hint))
    }

    /// The queue's worktree with the commit checked out. The inner error is the result that stops the request.
    fn worktree(&self, commit: &ObjectId) -> Result<Result<Repo, StepResult>, ApiError> {
        let tree = merge_tree::prepare(self.state, &self.ctx.project, &self.repo, &self.settings, commit);
        Ok(Err(match tree {
            Ok(tree) => return Ok(Ok(tree)),
            Err(PrepareError::State(error)) => return Err(error),
            Err(PrepareError::Git(error @ GitError::ProgramsNotAllowed { .. })) => {
                let refused = git_error(error);
                self.stopped(TroubleKind::NoWorktree, refused.message, refused.hint.as_deref())
            }
            Err(PrepareError::Git(error)) => self.no_worktree(&chain(&error)),
            Err(PrepareError::Folder(error)) => self.no_worktree(&chain(&error)),
        }))
    }

    fn no_worktree(&self, why: &str) -> StepResult {
        let text = format!("the queue's worktree cannot be created: {why}");
        self.stopped(
            TroubleKind::NoWorktree,
            text,
            Some("free some space, or set another folder for worktrees"),
        )
    }

    fn not_closed(&self, error: ApiError, note: Option<String>) -> StepResult {
        let bead = &self.request.bead_id;
        let text = format!("merged, but {bead} could not be closed: {}", error.message);
        let hint = Some("fix that, then retry: it is not merged twice");
        // The note about the push is shown as the output.
        let output = note.unwrap_or_default();
        StepResult::Stopped(MergeTrouble { output, ..trouble(TroubleKind::NotClosed, text, hint) })
    }

    fn stopped(&self, kind: TroubleKind, text: String, hint: Option<&str>) -> StepResult {
        StepResult::Stopped(trouble(kind, text, hint))
    }

    fn title(&self) -> Result<String, ApiError> {
        let bead = &self.request.bead_id;
        let work = self.state.work_item(bead).map_err(fleet_error)?.map(|work| work.title);
        let tracked = || Some(self.ctx.tracker().ok()?.show(bead).ok()?.bead.title);
        Ok(work.or_else(tracked).unwrap_or_else(|| self.request.source_branch.to_string()))
    }

    fn tip(&self, branch: &BranchName) -> Result<Option<ObjectId>, ApiError> {
        self.repo.reference(&format!("refs/heads/{branch}")).map_err(git_error)
    }

    fn commit(&self, hash: &str) -> Result<ObjectId, ApiError> {
        self.repo.commit_of(hash).map_err(git_error)
    }
}

/// The cause of a stopped merge, without files and output.
pub(super) fn trouble(kind: TroubleKind, text: String, hint: Option<&str>) -> MergeTrouble {
    let hint = hint.map(str::to_owned);
    MergeTrouble { kind, text, hint, files: Vec::new(), output: String::new(), at: now() }
}
