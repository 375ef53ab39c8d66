//! Checks that several trackers share. A tracker's capabilities decide which results are expected.
//!
//! The tests call [`writable`] or [`read_only`] with a tracker: the embedded store and the classic database
//! in `subjects`, and the real bd in `cli/real_bd_tests`. br has its own tests, with recorded answers, in
//! `cli/recorded_br_tests`.
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

mod dependencies;
mod fields;
mod life;
mod races;
mod subjects;

pub(crate) use races::one_claim_wins;

use crate::{Actor, ListFilter, NewBead, Tracker, TrackerError};
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    ids::BeadId,
};

/// A tracker to check. `open` opens it again, as another process would.
pub(crate) struct Subject<'a> {
    pub(crate) open: &'a dyn Fn() -> Box<dyn Tracker>,
    /// The maximum title length, in bytes.
    pub(crate) longest_title: usize,
}

impl Subject<'_> {
    fn shown(&self, id: &BeadId) -> BeadDetail {
        (self.open)().show(id).unwrap()
    }

    fn made(&self, title: &str) -> BeadId {
        (self.open)().create(&NewBead::titled(title), &actor()).unwrap().bead.id
    }
}

fn actor() -> Actor {
    "mara/11111111".parse().unwrap()
}

/// Runs every check for a tracker that can be changed.
pub(crate) fn writable(subject: &Subject<'_>) {
    fields::a_new_bead_has_every_field(subject);
    fields::every_field_is_changed_and_cleared(subject);
    fields::a_stale_form_is_refused_and_changes_nothing(subject);
    fields::unsupported_values_are_refused_with_the_reason(subject);
    dependencies::every_kind_is_added_and_removed(subject);
    dependencies::a_cycle_is_refused_before_it_is_made(subject);
    life::a_closed_bead_is_reopened(subject);
    life::a_bead_is_deleted_and_restored_where_the_tracker_can(subject);
    reading(&*(subject.open)());
}

/// Runs every check for a tracker that can only be read.
pub(crate) fn read_only(tracker: &dyn Tracker) {
    reading(tracker);
    assert!(tracker.describe().notice.is_some_and(|notice| notice.contains("read-only")));
    let can = tracker.capabilities().unwrap();
    assert!(can.types.is_empty() && can.statuses.is_empty() && can.dependency_kinds.is_empty());
    let id = tracker.list(&ListFilter::board()).unwrap().beads[0].id.clone();
    let before = tracker.show(&id).unwrap();
    let actor = &actor();
    let refusals = [
        tracker.create(&NewBead::titled("x"), actor).map(drop),
        tracker.update(&id, &crate::FieldChanges::default(), None, actor).map(drop),
        tracker.claim(&id, actor).map(drop),
        tracker.set_status(&id, &BeadStatus::Open, actor).map(drop),
        tracker.close(&id, &crate::Close::default(), actor).map(drop),
        tracker.reopen(&id, actor).map(drop),
        tracker.delete(&id, actor).map(drop),
        tracker.undelete(&id, actor).map(drop),
        tracker.add_dependency(&id, &id, "blocks", actor),
        tracker.remove_dependency(&id, &id, actor),
        tracker.add_comment(&id, "x", actor).map(drop),
        tracker.set_notes(&id, "x", actor),
    ];
    for refusal in refusals {
        assert!(matches!(&refusal, Err(TrackerError::ReadOnly { why }) if !why.is_empty()), "{refusal:?}");
    }
    assert_eq!(tracker.show(&id).unwrap(), before);
}

/// Checks that lists, single beads, readiness and its reasons agree.
pub(crate) fn reading(tracker: &dyn Tracker) {
    let board = tracker.list(&ListFilter::board()).unwrap();
    assert!(!board.beads.is_empty() && board.warnings.is_empty(), "{:?}", board.warnings);
    assert!(board.beads.is_sorted_by_key(|bead| (bead.priority, bead.created_at)));
    let ready: Vec<BeadId> = tracker.ready().unwrap().into_iter().map(|bead| bead.id).collect();
    let blocked: Vec<BeadId> = tracker.blocked().unwrap().into_iter().map(|bead| bead.id).collect();
    for bead in &board.beads {
        assert_eq!(bead.ready, ready.contains(&bead.id), "{}", bead.id);
        assert!(!bead.ready || (bead.status == BeadStatus::Open && bead.not_ready.is_empty()));
        assert!(!bead.ready || !blocked.contains(&bead.id), "{} is ready and blocked", bead.id);
    }
    for bead in board.beads.iter().take(4) {
        let shown = tracker.show(&bead.id).unwrap().bead;
        assert_eq!((&shown.title, &shown.status, shown.priority), (&bead.title, &bead.status, bead.priority));
        assert_eq!((&shown.parent, shown.ready), (&bead.parent, bead.ready), "{}", bead.id);
    }
    let missing: BeadId = "no-such-bead".parse().unwrap();
    assert!(matches!(tracker.show(&missing), Err(TrackerError::NotFound { .. })));
    assert!(tracker.change_mark().unwrap().is_some());
}
