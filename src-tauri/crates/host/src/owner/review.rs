//! The session's bead moves to in review, moved by its own agent or by anybody: the session closes when
//! the turn that runs is over and nothing is held for claude.
//!
//! What became of the bead is asked when a turn is over and when somebody says that beads changed.
//! With a window open that is the window's engine; without one the host watches for itself.

use super::Owner;
use crate::{bead_watch::BeadWatch, protocol::StopKind};
use bc_core::{bead::BeadStatus, session::CloseReason};
use std::time::{Duration, Instant};

/// How long after a change beads are looked at: a tracker writes several files at a time.
const SETTLED: Duration = Duration::from_secs(1);

/// Between two looks that nobody asked for: whoever reads beads may touch their files, too.
const APART: Duration = Duration::from_secs(15);

pub(super) struct Review {
    /// Whether the bead is in review, as far as is known.
    reviewed: bool,
    /// Whether it moved there since the session was launched.
    moved: bool,
    look_at: Option<Instant>,
    looked: Option<Instant>,
    _watch: Option<BeadWatch>,
}

impl Review {
    pub(super) fn new(reviewed: bool, watch: Option<BeadWatch>) -> Review {
        Review { reviewed, moved: false, look_at: None, looked: None, _watch: watch }
    }

    /// The bead is in this state now.
    pub(super) fn learn(&mut self, status: &BeadStatus) {
        let reviewed = *status == BeadStatus::InReview;
        self.moved = reviewed && (self.moved || !self.reviewed);
        self.reviewed = reviewed;
    }

    /// A file of the tracker changed.
    pub(super) fn touched(&mut self, now: Instant) {
        let soonest = self.looked.map(|at| at + APART);
        self.look_at = self.look_at.or(Some(soonest.map_or(now, |at| at.max(now)) + SETTLED));
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.look_at
    }
}

impl Owner {
    pub(super) fn on_review_deadline(&mut self, now: Instant) {
        if self.review.look_at.is_none_or(|at| at > now) {
            return;
        }
        self.review.look_at = None;
        // Within a turn its end will tell; a window's engine looks once for all sessions.
        let watched = self.clients.values().any(|client| client.subscribed);
        if !watched && !self.prompt.works() && !self.stopping.has_begun() {
            self.review.looked = Some(now);
            self.look_at_beads();
        }
    }

    pub(super) fn close_when_reviewed(&mut self) {
        let over = self.review.moved && self.prompt.is_between_turns() && !self.texts.waits();
        if over && !self.stopping.has_begun() {
            self.stop(StopKind::Close(CloseReason::InReview));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_move_during_the_session_counts() {
        let moved = |before, states: &[BeadStatus]| {
            let mut review = Review::new(before, None);
            states.iter().for_each(|status| review.learn(status));
            review.moved
        };
        use BeadStatus::{Closed, InProgress, InReview};
        assert!(moved(false, &[InReview]));
        assert!(moved(false, &[InReview, InReview]));
        assert!(!moved(true, &[InReview]), "it was resumed in that state");
        assert!(moved(true, &[InProgress, InReview]));
        assert!(!moved(false, &[InReview, InProgress]), "it was moved back in the same turn");
        assert!(!moved(false, &[Closed]));
    }

    #[test]
    fn many_changes_are_one_look_and_looks_are_apart() {
        let start = Instant::now();
        let mut review = Review::new(false, None);
        review.touched(start);
        review.touched(start + Duration::from_millis(500));
        assert_eq!(review.deadline(), Some(start + SETTLED));
        (review.look_at, review.looked) = (None, Some(start + SETTLED));
        review.touched(start + SETTLED);
        assert_eq!(review.deadline(), Some(start + SETTLED + APART + SETTLED));
    }
}
