//! Closes the session when its bead moves to in review: after the running turn, and when no text is
//! held for claude.
//!
//! The bead's state is checked at the end of each turn and when beads have changed. An open window's engine reports
//! changes; without one, the host watches the tracker's files itself.

use super::SessionActor;
use crate::{bead_watch::BeadWatch, protocol::StopKind};
use bc_core::{bead::BeadStatus, session::CloseReason};
use std::time::{Duration, Instant};

/// The delay between a change and the check: a tracker writes several files.
const SETTLED: Duration = Duration::from_secs(1);

/// The minimum time between two checks after file changes: reading beads may touch their files, too.
const APART: Duration = Duration::from_secs(15);

pub(super) struct Review {
    /// Whether the bead was in review at the last check.
    reviewed: bool,
    /// Whether it moved there since the session was launched.
    moved: bool,
    check_at: Option<Instant>,
    checked_at: Option<Instant>,
    _watch: Option<BeadWatch>,
}

impl Review {
    pub(super) fn new(reviewed: bool, watch: Option<BeadWatch>) -> Review {
        Review { reviewed, moved: false, check_at: None, checked_at: None, _watch: watch }
    }

    /// The bead's current state.
    pub(super) fn on_status(&mut self, status: &BeadStatus) {
        let reviewed = *status == BeadStatus::InReview;
        self.moved = reviewed && (self.moved || !self.reviewed);
        self.reviewed = reviewed;
    }

    /// A file of the tracker changed.
    pub(super) fn on_files_changed(&mut self, now: Instant) {
        let soonest = self.checked_at.map(|at| at + APART);
        self.check_at = self.check_at.or(Some(soonest.map_or(now, |at| at.max(now)) + SETTLED));
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.check_at
    }
}

impl SessionActor {
    pub(super) fn on_review_deadline(&mut self, now: Instant) {
        if self.review.check_at.is_none_or(|at| at > now) {
            return;
        }
        self.review.check_at = None;
        // The end of a turn triggers a check anyway; a window's engine checks once for all sessions.
        let watched = self.clients.values().any(|client| client.subscribed);
        if !watched && !self.prompt.works() && !self.stopping.has_begun() {
            self.review.checked_at = Some(now);
            self.check_beads();
        }
    }

    pub(super) fn close_when_reviewed(&mut self) {
        let over = self.review.moved && self.prompt.is_between_turns() && !self.prompt_queue.has_pending();
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
            states.iter().for_each(|status| review.on_status(status));
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
    fn several_changes_cause_one_check_and_checks_keep_their_distance() {
        let start = Instant::now();
        let mut review = Review::new(false, None);
        review.on_files_changed(start);
        review.on_files_changed(start + Duration::from_millis(500));
        assert_eq!(review.deadline(), Some(start + SETTLED));
        (review.check_at, review.checked_at) = (None, Some(start + SETTLED));
        review.on_files_changed(start + SETTLED);
        assert_eq!(review.deadline(), Some(start + SETTLED + APART + SETTLED));
    }
}
