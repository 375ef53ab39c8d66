//! What became of a session's beads, and what is left on them. Everything that is found out or done is
//! a change of the session's stores; what fails is told and tried again the next time.

use super::{Switches, actor, is_done, released, sources::Sources};
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
use bc_wire::ApiError;
use std::collections::BTreeSet;

pub(super) struct Ledger<'a> {
    sources: &'a dyn Sources,
    session: SessionId,
    actor: Option<Actor>,
    switches: Switches,
    stores: Stores,
    changes: Vec<Change>,
    problems: Vec<String>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(
        sources: &'a dyn Sources,
        session: SessionId,
        name: Option<&str>,
        switches: Switches,
        stores: Stores,
    ) -> Ledger<'a> {
        let (changes, problems) = (Vec::new(), Vec::new());
        Ledger { sources, session, actor: actor(name), switches, stores, changes, problems }
    }

    pub(super) fn stores(&self) -> &Stores {
        &self.stores
    }

    /// Every change in order, and what did not work.
    pub(super) fn done(self) -> (Vec<Change>, Vec<String>) {
        (self.changes, self.problems)
    }

    fn change(&mut self, change: Change) {
        self.stores.apply(change.clone());
        self.changes.push(change);
    }

    fn attempt(&mut self, what: &str, outcome: Result<(), ApiError>) {
        if let Err(error) = outcome {
            self.problems.push(format!("{what}: {error}"));
        }
    }

    /// Gives commits their comments and finds out what became of the beads.
    pub(super) fn look(&mut self) {
        let commented = self.comment_on_commits();
        self.attempt("a commit has no comment on its bead yet", commented);
        let looked = self.look_at_beads();
        self.attempt("what became of the session's bead is not known", looked);
    }

    fn comment_on_commits(&mut self) -> Result<(), ApiError> {
        for commit in self.stores.uncommented.clone() {
            if let (true, Some(actor)) = (self.switches.commits, &self.actor)
                && let Some(detail) = self.sources.show(&commit.bead)?
                && !detail.comments.iter().any(|c| is_comment_on_commit(&c.text, &commit.hash))
            {
                let text = commit_comment(&commit.hash, &commit.subject);
                self.comment(&commit.bead, &text, &actor.clone())?;
            }
            self.change(Change::CommentedOn(commit.hash));
            self.change(Change::Checkpointed);
        }
        Ok(())
    }

    /// Leaves a comment. Where nothing else has changed since the last look, what is known of the bead
    /// has it at once, and the tracker is not asked again for it.
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

    /// Compares the beads with what was known of them.
    fn look_at_beads(&mut self) -> Result<(), ApiError> {
        // Before asking: what changes meanwhile is seen the next time.
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
                shown = self.let_go(&current, shown)?;
            }
        }
        let before = known.as_ref().map(|known| known.held.clone()).unwrap_or_default();
        let new = in_progress.iter().find(|id| !before.contains(id));
        let next = new.or(in_progress.first().filter(|_| self.stores.current_bead.is_none()));
        if let Some(next) = next.filter(|next| self.stores.current_bead.as_ref() != Some(next)) {
            shown = self.sources.show(next)?;
            self.change(Change::Claimed(next.clone()));
        }
        self.know(mark, in_progress.into_iter().collect(), shown.as_ref(), known.as_ref());
        Ok(())
    }

    /// A bead that is not the session's in progress: kept where it is still its person's, else let go,
    /// and where it is done with the files that were edited for it.
    fn let_go(&mut self, bead: &BeadId, shown: Option<BeadDetail>) -> Result<Option<BeadDetail>, ApiError> {
        let Some(detail) = shown else {
            self.change(released(bead));
            return Ok(None);
        };
        if self.is_ours(&detail) {
            return Ok(Some(detail));
        }
        if is_done(&detail.bead.status) {
            self.comment_on_files(bead, &detail)?;
        }
        self.change(released(bead));
        Ok(None)
    }

    fn comment_on_files(&mut self, bead: &BeadId, detail: &BeadDetail) -> Result<(), ApiError> {
        let files = self.stores.files(bead);
        let told = detail.comments.iter().any(|comment| is_files_comment(&comment.text, self.session));
        match &self.actor {
            Some(actor) if self.switches.files && !files.is_empty() && !told => {
                self.sources.comment(bead, &files_comment(self.session, &files), actor).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn know(
        &mut self,
        mark: Option<String>,
        held: BTreeSet<BeadId>,
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
            self.change(Change::Checkpointed);
        }
        // Without a mark nothing tells that this still holds: it is asked again every time.
        let mark = mark.unwrap_or_default();
        self.change(Change::Known(Box::new(Known { mark, held, facts: shown.map(Facts::from), comments })));
    }

    /// Leaves a comment that says where the session stands, where something happened since the last one.
    pub(super) fn checkpoint(&mut self, last: &str) {
        self.look();
        let left = self.leave_checkpoint(last);
        self.attempt("no checkpoint was left on the session's bead", left);
    }

    fn leave_checkpoint(&mut self, last: &str) -> Result<(), ApiError> {
        let (Some(bead), Some(actor)) = (self.stores.current_bead.clone(), self.actor.clone()) else {
            return Ok(());
        };
        if !self.switches.checkpoints || !self.stores.has_news() {
            return Ok(());
        }
        let files = self.stores.files(&bead);
        // Without git nothing is uncommitted.
        let uncommitted = self.sources.uncommitted().unwrap_or_default().len();
        let turns = self.stores.turns_since();
        let text = checkpoint_comment(Checkpoint { turns, files: &files, uncommitted, last });
        self.comment(&bead, &text, &actor)?;
        self.change(Change::Checkpointed);
        Ok(())
    }

    /// The current bead as it is now. While it is the session's it is asked for alone, for claude waits;
    /// other claims are found by the next look.
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
            self.look_at_beads()?;
        }
        Ok(self.stores.known.as_ref().and_then(|known| known.facts.clone()))
    }

    /// Whether a bead is in progress and the session's, or its person's, or nobody's.
    fn is_ours(&self, detail: &BeadDetail) -> bool {
        let ours =
            |by: &str| self.actor.as_ref().is_some_and(|actor| by == actor.as_str() || by == actor.user());
        detail.bead.status == BeadStatus::InProgress && detail.bead.assignee.as_deref().is_none_or(ours)
    }

    /// Makes the block anew: of the current bead, or the prime without one.
    pub(super) fn renew_block(&mut self, now: Timestamp) {
        let looked = self.current_facts();
        let fresh = looked.as_ref().ok().cloned().flatten();
        self.attempt("what became of the session's bead is not known", looked.map(drop));
        let commands = self.sources.commands();
        let text = match &self.stores.current_bead {
            None => static_prime(&commands),
            Some(bead) => {
                let known = self.stores.known.as_ref().and_then(|known| known.facts.clone());
                // Nothing was ever heard of it: what was said last stands.
                let Some(facts) = fresh.or(known).filter(|facts| facts.id == *bead) else { return };
                let files = self.sources.uncommitted().unwrap_or_default();
                block(&facts, &files, &commands, now)
            }
        };
        self.change(Change::Block(text));
    }
}
