//! Detects that the session's bead has moved to in review. The session then closes as soon as no turn is
//! running and no prompt waits for claude.
//!
//! The bead's state is checked at the end of each turn and when beads have changed. While a client such as a
//! window subscribes to the host, the engine reports such changes. Otherwise, changes of the tracker's files
//! trigger a check.

use crate::bead_watch::BeadWatch;
use bc_core::bead::BeadStatus;
use std::time::{Duration, Instant};

/// The delay between a file change and the check, because a tracker writes several files.
const SETTLED: Duration = Duration::from_secs(1);

/// The minimum time between two checks after file changes, because reading beads may also change their files.
const APART: Duration = Duration::from_secs(15);

pub(super) struct Review {
    /// Whether the bead was in review at the last check.
    reviewed: bool,
    /// Whether the bead has moved to in review since the launch, and is still in review.
    moved: bool,
    check_at: Option<Instant>,
    checked_at: Option<Instant>,
    _watch: Option<BeadWatch>,
}

impl Review {
    pub(super) fn new(reviewed: bool, watch: Option<BeadWatch>) -> Review {
        Review { reviewed, moved: false, check_at: None, checked_at: None, _watch: watch }
    }

    pub(super) fn on_status(&mut self, status: &BeadStatus) {
        let reviewed = *status == BeadStatus::InReview;
        self.moved = reviewed && (self.moved || !self.reviewed);
        self.reviewed = reviewed;
    }

    pub(super) fn on_files_changed(&mut self, now: Instant) {
        let soonest = self.checked_at.map(|at| at + APART);
        self.check_at = self.check_at.or(Some(soonest.map_or(now, |at| at.max(now)) + SETTLED));
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.check_at
    }

    /// Whether the bead must be checked now. `wanted`: whether neither the end of a turn nor another process
    /// triggers a check anyway.
    pub(super) fn takes_check(&mut self, wanted: bool, now: Instant) -> bool {
        let due = self.check_at.take_if(|at| *at <= now).is_some();
        if due && wanted {
            self.checked_at = Some(now);
        }
        due && wanted
    }

    /// Whether the bead has moved to in review since the launch, and is still in review.
    pub(super) fn has_moved(&self) -> bool {
        self.moved
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
        assert!(!review.takes_check(true, start), "a tracker may still be writing");
        assert!(review.takes_check(true, start + SETTLED));
        review.on_files_changed(start + SETTLED);
        assert_eq!(review.deadline(), Some(start + SETTLED + APART + SETTLED));
    }

    #[test]
    fn an_unwanted_check_is_dropped_and_delays_no_later_one() {
        let start = Instant::now();
        let mut review = Review::new(false, None);
        review.on_files_changed(start);
        assert!(!review.takes_check(false, start + SETTLED));
        assert_eq!(review.deadline(), None);
        review.on_files_changed(start + SETTLED);
        assert_eq!(review.deadline(), Some(start + SETTLED + SETTLED));
    }
}
