//! What is done at each step of a merge. A step may be done twice: whoever did it first may have been killed
//! before it was written down.

use super::{
    check::{self, Check, Checked},
    log::Log,
    tree::{self, Unready},
};
use crate::{
    engine::{Engine, now},
    errors::{chain, git_error, tracker_error},
    fleet::{fleet_error, settings},
    recovery,
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
use bc_git::{Combined, Followed, GitError, Moved, ObjectId, Pushed, Repo};
use bc_process::kept::Leash;
use bc_wire::ApiError;
use std::{path::Path, time::Duration};

/// So often a merge begins anew because somebody else moved the target meanwhile.
const TRIES: u32 = 5;

/// So many files in conflict are told; a person or an agent finds the rest where these are.
const FILES: usize = 200;

/// What a merge goes by.
pub(super) struct Merge<'a> {
    pub(super) engine: &'a Engine,
    pub(super) state: &'a State,
    pub(super) repo: Repo,
    pub(super) settings: FleetSettings,
    pub(super) request: MergeRequest,
    /// Whether a tree that has the target checked out is brought along.
    pub(super) follow: bool,
    pub(super) approved: Option<String>,
    /// The branch's commit that is being merged.
    pub(super) source: Option<String>,
    pub(super) tries: u32,
    pub(super) leash: &'a Leash,
}

/// What comes after a step.
pub(super) enum Then {
    /// Another one.
    Step(MergeStep),
    /// Nothing: it is merged.
    Merged { commit: String, note: Option<String> },
    /// Nothing, until somebody decides.
    Stopped(MergeTrouble),
    /// Nothing here: whoever merges shall stop. It is gone on with another time.
    Left,
}

impl<'a> Merge<'a> {
    pub(super) fn of(
        engine: &'a Engine,
        state: &'a State,
        request: MergeRequest,
        current: &Current,
        leash: &'a Leash,
    ) -> Result<Merge<'a>, ApiError> {
        let (repo, settings) = (engine.project.repo()?, settings(&engine.project));
        // What was approved may change while it is merged.
        let (queue, _) = state.queue().map_err(fleet_error)?;
        let entry = queue.entry(&request.id);
        let follow =
            entry.is_some_and(|entry| entry.follow) || settings.merge_checked_out == CheckedOut::Follow;
        let approved = entry.and_then(|entry| entry.approved.clone());
        let (source, tries) = (current.branch_at.clone(), current.tries);
        Ok(Merge { engine, state, repo, settings, request, follow, approved, source, tries, leash })
    }

    /// Does one step.
    pub(super) fn take(&self, step: &MergeStep, log: &mut Log<'_>) -> Result<Then, ApiError> {
        match step {
            MergeStep::Prepare {} => self.prepare(log),
            MergeStep::Combine { source, target } => self.combine(source, target, log),
            MergeStep::Check { target, candidate } => self.check(target, candidate, log),
            MergeStep::Move { target, candidate } => self.land(target, candidate, log),
            MergeStep::Push { candidate } => self.push(candidate, log),
            MergeStep::Finish { candidate, note } => self.finish(candidate, note.clone(), log),
        }
    }

    fn prepare(&self, log: &mut Log<'_>) -> Result<Then, ApiError> {
        let MergeRequest { source_branch: source, target_branch: target, .. } = &self.request;
        log.line("merge", &format!("{source} into {target}"));
        let Some(tip) = self.tip(source)? else {
            let text = format!("the branch {source} is gone");
            return Ok(self.stopped(
                TroubleKind::NoSource,
                text,
                Some("make it again, or take the request out"),
            ));
        };
        let Some(onto) = self.tip(target)? else {
            let text = format!("the branch {target} is gone");
            return Ok(self.stopped(
                TroubleKind::NoTarget,
                text,
                Some("make it again, or take the request out"),
            ));
        };
        if self.approved.as_deref().is_some_and(|approved| approved != tip.as_str()) {
            let text = format!("{source} has other commits than those that were approved");
            let hint = "look at it again and approve it; to try again merges it as it is now";
            return Ok(self.stopped(TroubleKind::NotApproved, text, Some(hint)));
        }
        if self.repo.is_ancestor(&tip, &onto).map_err(git_error)? {
            return Ok(self.already(&onto));
        }
        // Told before an hour of checks, and not after it.
        if let Some(tree) = self.repo.worked_on_in(target).map_err(git_error)?
            && !self.follow
        {
            return Ok(self.checked_out(&tree));
        }
        Ok(Then::Step(MergeStep::Combine {
            source: tip.as_str().to_owned(),
            target: onto.as_str().to_owned(),
        }))
    }

    fn combine(&self, source: &str, target: &str, log: &mut Log<'_>) -> Result<Then, ApiError> {
        let (tip, onto) = (self.commit(source)?, self.commit(target)?);
        let tree = match tree::ready(self.state, &self.repo, &self.settings, &onto) {
            Ok(tree) => tree,
            Err(Unready::State(error)) => return Err(error),
            Err(Unready::Git(error)) => return Ok(self.no_worktree(&chain(&error))),
            Err(Unready::Folder(error)) => return Ok(self.no_worktree(&chain(&error))),
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
                log.said(&said);
                let (target, candidate) = (target.to_owned(), commit.as_str().to_owned());
                Ok(Then::Step(MergeStep::Check { target, candidate }))
            }
            Ok(Combined::Conflict { mut files, said }) => {
                log.said(&said);
                let output = log.tail();
                for file in &files {
                    log.raw(format!("conflict {} ({})\n", file.path, file.conflicts).as_bytes());
                }
                let (n, s) = (files.len(), if files.len() == 1 { "" } else { "s" });
                files.truncate(FILES);
                let text = format!("{source_branch} and {target_branch} both changed {n} file{s}");
                let hint = "let its agent solve it, or solve it on the branch yourself, and try again";
                Ok(Then::Stopped(MergeTrouble {
                    files,
                    output,
                    ..trouble(TroubleKind::Conflict, text, Some(hint))
                }))
            }
            Ok(Combined::Unrelated) => {
                let text = format!("{source_branch} and {target_branch} have no history in common here");
                let hint = "where the clone is shallow, `git fetch --unshallow` brings the rest";
                Ok(self.stopped(TroubleKind::Unrelated, text, Some(hint)))
            }
            Err(error) => Ok(self.stopped(TroubleKind::Git, chain(&error), None)),
        }
    }

    fn check(&self, target: &str, candidate: &str, log: &mut Log<'_>) -> Result<Then, ApiError> {
        let next = MergeStep::Move { target: target.to_owned(), candidate: candidate.to_owned() };
        let words = &self.settings.merge_check;
        if words.is_empty() {
            return Ok(Then::Step(next));
        }
        let commit = self.commit(candidate)?;
        let tree = match tree::ready(self.state, &self.repo, &self.settings, &commit) {
            Ok(tree) => tree,
            Err(Unready::State(error)) => return Err(error),
            Err(Unready::Git(error)) => return Ok(self.no_worktree(&chain(&error))),
            Err(Unready::Folder(error)) => return Ok(self.no_worktree(&chain(&error))),
        };
        let minutes = self.settings.merge_check_minutes;
        log.line("check", &words.join(" "));
        let check = Check {
            words,
            folder: tree.top_level(),
            within: Duration::from_secs(60 * u64::from(minutes)),
            lock: self.state.console("check.lock").map_err(fleet_error)?,
        };
        let checked = check::check(self.engine, &check, self.leash, |bytes| log.raw(bytes));
        let output = log.tail();
        let program = words.first().map_or("", String::as_str);
        let stop = |kind, text: String| {
            let hint = "let its agent mend it, or mend it on the branch yourself, and try again";
            Then::Stopped(MergeTrouble { output: output.clone(), ..trouble(kind, text, Some(hint)) })
        };
        Ok(match checked {
            Ok(Checked::Ended { code: Some(0) }) => Then::Step(next),
            Ok(Checked::Ended { code: Some(code) }) => {
                stop(TroubleKind::CheckFailed, format!("the check {program} ended with {code}"))
            }
            Ok(Checked::Ended { code: None }) => {
                stop(TroubleKind::CheckFailed, format!("the check {program} was ended by a signal"))
            }
            Ok(Checked::Late) => {
                stop(TroubleKind::CheckTimedOut, format!("the check {program} did not end in {minutes} min"))
            }
            Ok(Checked::Unwanted) => Then::Left,
            Ok(Checked::NotRun(why)) | Err(why) => {
                let hint = "the check is in the fleet's settings: a program, and its arguments";
                self.stopped(TroubleKind::CheckNotRun, why, Some(hint))
            }
        })
    }

    fn land(&self, target: &str, candidate: &str, log: &mut Log<'_>) -> Result<Then, ApiError> {
        let branch = &self.request.target_branch;
        let (from, to) = (self.commit(target)?, self.commit(candidate)?);
        let source = &self.request.source_branch;
        let merged = self.source.as_deref();
        // What came onto the branch meanwhile would be left behind with a closed bead.
        if self.tip(source)?.is_some_and(|tip| merged.is_some_and(|merged| merged != tip.as_str())) {
            return Ok(self.once_more(source, log));
        }
        let landed = Ok(Then::Step(MergeStep::Push { candidate: candidate.to_owned() }));
        let said = format!("{} as {candidate:.8}", self.request.bead_id);
        if let Some(tree) = self.repo.worked_on_in(branch).map_err(git_error)? {
            if !self.follow {
                return Ok(self.checked_out(&tree));
            }
            return match self.repo.follow(&tree, branch, &to).map_err(git_error)? {
                Followed::Done => {
                    log.line("merged", &said);
                    landed
                }
                Followed::Refused(_) if self.tip(branch)? != Some(from) => Ok(self.once_more(branch, log)),
                Followed::Refused(output) => {
                    let text =
                        format!("{} has {branch} checked out and cannot be brought along", tree.display());
                    let hint = "commit or put away what is uncommitted there, and try again";
                    Ok(Then::Stopped(MergeTrouble {
                        output,
                        ..trouble(TroubleKind::NotFollowed, text, Some(hint))
                    }))
                }
            };
        }
        match self.repo.move_branch(branch, &from, &to, &format!("merge queue: {said}")) {
            Ok(Moved::Done) => {
                log.line("merged", &said);
                landed
            }
            Ok(Moved::Raced) => Ok(self.once_more(branch, log)),
            // Somebody checked it out in this moment.
            Err(GitError::BranchInUse { worktree, .. }) => Ok(self.checked_out(&worktree)),
            Err(error) => Ok(self.stopped(TroubleKind::Git, chain(&error), None)),
        }
    }

    fn push(&self, candidate: &str, log: &mut Log<'_>) -> Result<Then, ApiError> {
        let finish = |note| Ok(Then::Step(MergeStep::Finish { candidate: candidate.to_owned(), note }));
        let Some(remote) = self.settings.merge_push.as_deref().filter(|name| !name.starts_with('-')) else {
            return finish(None);
        };
        let branch = &self.request.target_branch;
        log.line("push", &format!("{branch} to {remote}"));
        let note = match self.repo.push_landed(remote, branch, &self.commit(candidate)?) {
            Ok(Pushed::Done) => None,
            Ok(Pushed::Behind) => Some(format!(
                "not pushed: {remote} has commits on {branch} that are not here; fetch them first"
            )),
            Ok(Pushed::Refused(said)) => Some(format!("not pushed: {remote} refused it: {said}")),
            Err(error) => Some(format!("not pushed: {}", chain(&error))),
        };
        if let Some(note) = &note {
            log.line("refused", note);
        }
        finish(note)
    }

    fn finish(&self, candidate: &str, note: Option<String>, log: &mut Log<'_>) -> Result<Then, ApiError> {
        let MergeRequest { bead_id: bead, target_branch: target, .. } = &self.request;
        match self.engine.tracker()?.show(bead) {
            // The fleet's own work is no tracker's.
            Err(TrackerError::NotFound { .. }) => {}
            Err(error) => return Ok(self.not_closed(tracker_error(error), note)),
            Ok(found) if found.bead.status == BeadStatus::Closed => {}
            Ok(_) => {
                let reason = format!("merged into {target} as {candidate:.8}");
                let close = Close { reason, force: false };
                let closed = self.engine.tracker()?.close(bead, &close, &self.engine.user_actor());
                if let Err(error) = closed {
                    return Ok(self.not_closed(tracker_error(error), note));
                }
                log.line("closed", bead.as_str());
                if self.engine.writable().is_ok() {
                    recovery::bead_changed(self.engine, bead);
                }
            }
        }
        match self.state.update_work_status(bead, WorkStatus::Merged) {
            // It never was a piece of the fleet's work.
            Ok(_) | Err(FleetError::NoWork(_)) => {}
            Err(error) => return Err(fleet_error(error)),
        }
        log.line("done", self.request.id.as_str());
        Ok(Then::Merged { commit: candidate.to_owned(), note })
    }

    fn already(&self, onto: &ObjectId) -> Then {
        let note = format!("{} had all of it already", self.request.target_branch);
        Then::Step(MergeStep::Finish { candidate: onto.as_str().to_owned(), note: Some(note) })
    }

    /// The target, or the branch, was moved by somebody else.
    fn once_more(&self, branch: &BranchName, log: &mut Log<'_>) -> Then {
        log.line("again", &format!("{branch} was moved meanwhile"));
        if self.tries + 1 < TRIES {
            return Then::Step(MergeStep::Prepare {});
        }
        let text = format!("{branch} was moved by others during each of {TRIES} tries");
        self.stopped(TroubleKind::TargetMoves, text, Some("try again once nobody else moves it"))
    }

    fn checked_out(&self, tree: &Path) -> Then {
        let target = &self.request.target_branch;
        let text = format!("{target} is checked out in {}, and is not moved below anybody", tree.display());
        let hint = "bring that folder along (`beads-console fleet queue retry ID --follow`; nothing uncommitted is \
                    touched), or check out another branch there and try again";
        self.stopped(TroubleKind::CheckedOut, text, Some(hint))
    }

    fn no_worktree(&self, why: &str) -> Then {
        let text = format!("the queue's worktree cannot be made: {why}");
        self.stopped(
            TroubleKind::NoWorktree,
            text,
            Some("make room for it, or set another folder for worktrees"),
        )
    }

    fn not_closed(&self, error: ApiError, note: Option<String>) -> Then {
        let bead = &self.request.bead_id;
        let text = format!("it is merged; {bead} could not be closed: {}", error.message);
        let hint = Some("mend that, and try again: it is not merged twice");
        // What is to be known of the push is not told again.
        let output = note.unwrap_or_default();
        Then::Stopped(MergeTrouble { output, ..trouble(TroubleKind::NotClosed, text, hint) })
    }

    fn stopped(&self, kind: TroubleKind, text: String, hint: Option<&str>) -> Then {
        Then::Stopped(trouble(kind, text, hint))
    }

    fn title(&self) -> Result<String, ApiError> {
        let bead = &self.request.bead_id;
        let work = self.state.work_item(bead).map_err(fleet_error)?.map(|work| work.title);
        let tracked = || Some(self.engine.tracker().ok()?.show(bead).ok()?.bead.title);
        Ok(work.or_else(tracked).unwrap_or_else(|| self.request.source_branch.to_string()))
    }

    fn tip(&self, branch: &BranchName) -> Result<Option<ObjectId>, ApiError> {
        self.repo.reference(&format!("refs/heads/{branch}")).map_err(git_error)
    }

    fn commit(&self, hash: &str) -> Result<ObjectId, ApiError> {
        self.repo.commit_of(hash).map_err(git_error)
    }
}

/// What stands in the way, without files and output.
pub(super) fn trouble(kind: TroubleKind, text: String, hint: Option<&str>) -> MergeTrouble {
    let hint = hint.map(str::to_owned);
    MergeTrouble { kind, text, hint, files: Vec::new(), output: String::new(), at: now() }
}
