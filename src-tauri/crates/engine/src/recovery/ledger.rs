//! Keeps a session's recovery stores in sync with the tracker, and adds comments to the session's beads. Each
//! result is a [`Change`] to the stores. A failure becomes a warning, and the next check tries again.

use super::sources::Sources;
use bc_beads::Actor;
use bc_core::{
    Timestamp,
    bead::{BeadDetail, BeadStatus},
    ids::{BeadId, SessionId},
    recovery::{
        Change, Checkpoint, Facts, Known, Stores, block, checkpoint_comment, commit_comment, files_comment,
        is_comment_on_commit, is_files_comment, static_prime,
    },
};
use bc_wire::{ApiError, settings::SettingsInForce};
use std::collections::BTreeSet;

/// The stores of one session, and the changes made to them so far.
pub(super) struct Ledger<'a> {
    sources: &'a dyn Sources,
    session: SessionId,
    actor: Option<Actor>,
    settings: SettingsInForce,
    stores: Stores,
    changes: Vec<Change>,
    problems: Vec<String>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(
        sources: &'a dyn Sources,
        session: SessionId,
        name: Option<&str>,
        settings: SettingsInForce,
        stores: Stores,
    ) -> Ledger<'a> {
        let (changes, problems) = (Vec::new(), Vec::new());
        // Without a valid actor, no comments are added.
        let actor = name.and_then(|name| name.parse().ok());
        Ledger { sources, session, actor, settings, stores, changes, problems }
    }

    pub(super) fn stores(&self) -> &Stores {
        &self.stores
    }

    /// The changes to the stores, in order, and the warnings.
    pub(super) fn into_changes(self) -> (Vec<Change>, Vec<String>) {
        (self.changes, self.problems)
    }

    fn change(&mut self, change: Change) {
        self.stores.apply(change.clone());
        self.changes.push(change);
    }

    fn note_failure(&mut self, what: &str, outcome: Result<(), ApiError>) {
        if let Err(error) = outcome {
            self.problems.push(format!("{what}: {error}"));
        }
    }

    /// Adds a comment for each commit that still needs a comment, then compares the session's beads with the
    /// tracker.
    pub(super) fn check(&mut self) {
        let commented = self.comment_on_commits();
        self.note_failure("a commit's comment could not be added to its bead", commented);
        let checked = self.check_beads();
        self.note_failure("the status of the session's bead is unknown", checked);
    }

    fn comment_on_commits(&mut self) -> Result<(), ApiError> {
        for commit in self.stores.uncommented.clone() {
            if let (true, Some(actor)) = (self.settings.comment_commits, &self.actor)
                && let Some(detail) = self.sources.show(&commit.bead)?
                && !detail.comments.iter().any(|c| is_comment_on_commit(&c.text, &commit.hash))
            {
                let text = commit_comment(&commit.hash, &commit.subject);
                self.comment(&commit.bead, &text, &actor.clone())?;
            }
            self.change(Change::CommentedOn(commit.hash));
            self.change(Change::ProgressRecorded);
        }
        Ok(())
    }

    /// Adds a comment. If nothing else changed in the tracker since the last check, the stored facts are updated
    /// without another query.
    fn comment(&mut self, bead: &BeadId, text: &str, actor: &Actor) -> Result<(), ApiError> {
        let before = self.sources.mark();
        let made = self.sources.comment(bead, text, actor)?;
        let (mark, mut known) = (self.sources.mark(), self.stores.known.clone());
        if let (Some(mark), Some(known)) = (mark, &mut known)
            && before.as_ref() == Some(&known.mark)
            && let Some(facts) = known.facts.as_mut().filter(|facts| facts.id == *bead)
        {
            facts.commented(made);
            known.mark = mark;
            known.comments += 1;
            self.change(Change::Known(Box::new(known.clone())));
        }
        Ok(())
    }

    /// If the tracker's mark changed, reads the session's beads and records claims and releases.
    fn check_beads(&mut self) -> Result<(), ApiError> {
        // Read the mark before the beads, so that the next check finds a concurrent change.
        let mark = self.sources.mark();
        let known = self.stores.known.clone();
        if mark.is_some() && known.as_ref().map(|known| &known.mark) == mark.as_ref() {
            return Ok(());
        }
        let in_progress = match &self.actor {
            Some(actor) => self.sources.in_progress(Some(actor.as_str()))?,
            None => Vec::new(),
        };
        let mut shown = None;
        if let Some(current) = self.stores.current_bead.clone() {
            shown = self.sources.show(&current)?;
            if !in_progress.contains(&current) {
                shown = self.release(&current, shown)?;
            }
        }
        let before = known.as_ref().map(|known| known.in_progress.clone()).unwrap_or_default();
        let new = in_progress.iter().find(|id| !before.contains(id));
        let next = new.or(in_progress.first().filter(|_| self.stores.current_bead.is_none()));
        if let Some(next) = next.filter(|next| self.stores.current_bead.as_ref() != Some(next)) {
            shown = self.sources.show(next)?;
            self.change(Change::Claimed(next.clone()));
        }
        self.record_known(mark, in_progress.into_iter().collect(), shown.as_ref(), known.as_ref());
        Ok(())
    }

    /// Handles a current bead that is not among the session's beads in progress. The bead stays current if it is in
    /// progress and unassigned or assigned to the session's user. Otherwise it is released, which clears its list of
    /// edited files; a done bead gets a comment with that list first.
    fn release(&mut self, bead: &BeadId, shown: Option<BeadDetail>) -> Result<Option<BeadDetail>, ApiError> {
        if let Some(detail) = shown {
            if self.is_ours(&detail) {
                return Ok(Some(detail));
            }
            if is_done(&detail.bead.status) {
                self.comment_on_files(bead, &detail)?;
            }
        }
        self.change(Change::Released(bead.clone()));
        Ok(None)
    }

    fn comment_on_files(&mut self, bead: &BeadId, detail: &BeadDetail) -> Result<(), ApiError> {
        let files = self.stores.files(bead);
        let is_commented =
            detail.comments.iter().any(|comment| is_files_comment(&comment.text, self.session));
        match &self.actor {
            Some(actor) if self.settings.comment_files && !files.is_empty() && !is_commented => {
                self.sources.comment(bead, &files_comment(self.session, &files), actor).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn record_known(
        &mut self,
        mark: Option<String>,
        in_progress: BTreeSet<BeadId>,
        shown: Option<&BeadDetail>,
        before: Option<&Known>,
    ) {
        let by_us = |detail: &BeadDetail| {
            let ours = |author: &str| self.actor.as_ref().is_some_and(|actor| author == actor.as_str());
            detail.comments.iter().filter(|comment| ours(&comment.author)).count()
        };
        let comments = shown.map(by_us).unwrap_or_default();
        let same = |known: &&Known| known.facts.as_ref().map(|f| &f.id) == shown.map(|d| &d.bead.id);
        if before.filter(same).is_some_and(|known| comments > known.comments) {
            self.change(Change::ProgressRecorded);
        }
        // Store an empty mark for a tracker without marks: changes cannot be detected, so every check queries
        // the tracker.
        let mark = mark.unwrap_or_default();
        self.change(Change::Known(Box::new(Known {
            mark,
            in_progress,
            facts: shown.map(Facts::from),
            comments,
        })));
    }

    /// Checks the beads, then adds a progress comment to the current bead if there is progress since the last
    /// comment. `last` is claude's last message.
    pub(super) fn add_progress_comment(&mut self, last: &str) {
        self.check();
        let added = self.comment_on_progress(last);
        self.note_failure("no progress comment could be added to the session's bead", added);
    }

    fn comment_on_progress(&mut self, last: &str) -> Result<(), ApiError> {
        let (Some(bead), Some(actor)) = (self.stores.current_bead.clone(), self.actor.clone()) else {
            return Ok(());
        };
        if !self.settings.checkpoint_comments || !self.stores.has_news() {
            return Ok(());
        }
        let files = self.stores.files(&bead);
        // If git fails, report no uncommitted files.
        let uncommitted = self.sources.uncommitted().unwrap_or_default().len();
        let turns = self.stores.turns_since();
        let text = checkpoint_comment(Checkpoint { turns, files: &files, uncommitted, last });
        self.comment(&bead, &text, &actor)?;
        self.change(Change::ProgressRecorded);
        Ok(())
    }

    /// The current bead's facts. While the session has the bead, only this bead is queried, because claude
    /// waits for the answer. The next check finds other claims.
    fn current_facts(&mut self) -> Result<Option<Facts>, ApiError> {
        let mark = self.sources.mark();
        let known = self.stores.known.as_ref();
        if mark.is_none() || known.map(|known| &known.mark) != mark.as_ref() {
            if let Some(current) = &self.stores.current_bead
                && let Some(detail) = self.sources.show(current)?
                && self.is_ours(&detail)
            {
                return Ok(Some(Facts::from(&detail)));
            }
            self.check_beads()?;
        }
        Ok(self.stores.known.as_ref().and_then(|known| known.facts.clone()))
    }

    /// Whether a bead is in progress, and is unassigned or assigned to the session or its user.
    fn is_ours(&self, detail: &BeadDetail) -> bool {
        let ours =
            |by: &str| self.actor.as_ref().is_some_and(|actor| by == actor.as_str() || by == actor.user());
        detail.bead.status == BeadStatus::InProgress && detail.bead.assignee.as_deref().is_none_or(ours)
    }

    /// Builds the recovery block for the current bead, or the prime text without a current bead.
    pub(super) fn renew_block(&mut self, now: Timestamp) {
        let checked = self.current_facts();
        let fresh = checked.as_ref().ok().cloned().flatten();
        self.note_failure("the status of the session's bead is unknown", checked.map(drop));
        let commands = self.sources.commands();
        let text = match &self.stores.current_bead {
            None => static_prime(&commands),
            Some(bead) => {
                let known = self.stores.known.as_ref().and_then(|known| known.facts.clone());
                // Without facts about this bead, keep the last block.
                let Some(facts) = fresh.or(known).filter(|facts| facts.id == *bead) else { return };
                let files = self.sources.uncommitted().unwrap_or_default();
                block(&facts, &files, &commands, now)
            }
        };
        self.change(Change::Block(text));
    }
}

/// Whether a session's work on a bead with this status is done.
fn is_done(status: &BeadStatus) -> bool {
    matches!(status, BeadStatus::Closed | BeadStatus::InReview | BeadStatus::Tombstone)
}
