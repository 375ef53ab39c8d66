//! Checks of closing, reopening and deletion.

use super::{Subject, actor};
use crate::{Close, Deletion, ListFilter, TrackerError};
use bc_core::bead::BeadStatus;

pub(super) fn a_closed_bead_is_reopened(subject: &Subject<'_>) {
    let id = subject.made("closed too early");
    let tracker = (subject.open)();
    let error = tracker.reopen(&id, &actor()).unwrap_err();
    assert!(matches!(error, TrackerError::Refused { .. }), "{error}");
    tracker.close(&id, &Close { reason: "done".into(), force: false }, &actor()).unwrap();
    assert_eq!(subject.shown(&id).close_reason.as_deref(), Some("done"));
    assert_eq!(tracker.reopen(&id, &actor()).unwrap().status, BeadStatus::Open);
    let shown = subject.shown(&id);
    assert_eq!(
        (&shown.bead.status, shown.bead.closed_at, shown.close_reason),
        (&BeadStatus::Open, None, None)
    );
    assert!(shown.bead.ready);
}

pub(super) fn a_bead_is_deleted_and_restored_where_the_tracker_can(subject: &Subject<'_>) {
    let (id, waits) = (subject.made("to delete"), subject.made("waits for it"));
    let tracker = (subject.open)();
    tracker.add_dependency(&waits, &id, "blocks", &actor()).unwrap();
    tracker.add_comment(&id, "a comment", &actor()).unwrap();
    let before = subject.shown(&id);
    let can = tracker.capabilities().unwrap().delete;
    assert_eq!(tracker.delete(&id, &actor()).unwrap(), can == Deletion::Undoable);
    let gone = |error: TrackerError| assert!(matches!(error, TrackerError::NotFound { .. }), "{error}");
    gone((subject.open)().show(&id).unwrap_err());
    gone(tracker.delete(&id, &actor()).unwrap_err());
    assert!(tracker.list(&ListFilter::everything()).unwrap().beads.iter().all(|bead| bead.id != id));
    assert!(subject.shown(&waits).bead.ready, "a deleted bead blocks nothing");
    match can {
        Deletion::Undoable => {
            let back = tracker.undelete(&id, &actor()).unwrap();
            let mut shown = subject.shown(&id);
            assert_eq!(back, shown);
            assert!(shown.bead.updated_at > before.bead.updated_at, "other trackers take it for newer");
            shown.bead.updated_at = before.bead.updated_at;
            assert_eq!(shown, before);
            assert_eq!(subject.shown(&waits).bead.blocked_by, std::slice::from_ref(&id));
            let error = tracker.undelete(&id, &actor()).unwrap_err();
            assert!(matches!(error, TrackerError::Refused { .. }), "{error}");
        }
        _ => {
            let error = tracker.undelete(&id, &actor()).unwrap_err();
            assert!(matches!(error, TrackerError::Unsupported { .. }), "{error}");
        }
    }
}
