//! A check of the facts for a recovery block, which must be the same from every tracker.

use crate::{Actor, NewBead, Tracker};
use bc_core::{bead::BeadStatus, recovery::Facts};

/// Checks the facts of a bead in progress with a parent, a dependent and two comments.
pub(crate) fn check(tracker: &dyn Tracker) {
    let ann: Actor = "ann/1a2b3c4d".parse().unwrap();
    let bob: Actor = "bob/2a2b3c4d".parse().unwrap();
    let make = |new: NewBead| tracker.create(&new, &ann).unwrap().bead.id;
    let epic = make(NewBead { issue_type: "epic".into(), ..NewBead::titled("Parser system") });
    let bead =
        make(NewBead { parent: Some(epic.clone()), priority: 1, ..NewBead::titled("Implement parser") });
    let waits = make(NewBead { blocked_by: vec![bead.clone()], ..NewBead::titled("Widgets") });
    let done = make(NewBead { blocked_by: vec![bead.clone()], ..NewBead::titled("Dropped") });
    tracker.close(&done, &crate::Close { force: true, ..Default::default() }, &ann).unwrap();
    let of_bob = make(NewBead::titled("Another's"));
    let ids = |beads: Vec<bc_core::bead::Bead>| beads.into_iter().map(|bead| bead.id).collect::<Vec<_>>();
    assert_eq!(ids(tracker.in_progress(None).unwrap()), []);

    tracker.claim(&bead, &ann).unwrap();
    tracker.claim(&of_bob, &bob).unwrap();
    tracker.add_comment(&bead, "Started work", &ann).unwrap();
    tracker.add_comment(&bead, "Tests pass\nfor the tokenizer", &bob).unwrap();
    assert_eq!(ids(tracker.in_progress(Some("ann/1a2b3c4d")).unwrap()), std::slice::from_ref(&bead));
    assert_eq!(ids(tracker.in_progress(Some("unknown")).unwrap()), []);
    assert_eq!(tracker.in_progress(None).unwrap().len(), 2);

    let facts = Facts::from(&tracker.show(&bead).unwrap());
    assert_eq!((facts.id.as_str(), facts.title.as_str()), (bead.as_str(), "Implement parser"));
    assert_eq!(
        (facts.status, facts.issue_type.as_str(), facts.priority),
        (BeadStatus::InProgress, "task", 1)
    );
    let parent = facts.parent.unwrap();
    assert_eq!(
        (&parent.id, parent.title.as_str(), parent.issue_type.as_deref()),
        (&epic, "Parser system", Some("epic"))
    );
    let unblocks: Vec<_> = facts.unblocks.iter().map(|link| (&link.id, link.title.as_str())).collect();
    assert_eq!(unblocks, [(&waits, "Widgets")]);
    let said: Vec<_> = facts.comments.iter().map(|c| (c.author.as_str(), c.text.as_str())).collect();
    assert_eq!(said, [("ann/1a2b3c4d", "Started work"), ("bob/2a2b3c4d", "Tests pass\nfor the tokenizer")]);
    assert!(facts.comments.iter().all(|comment| comment.created_at.is_some()));

    tracker.submit(&bead, crate::CustomStatus::Add, &ann).unwrap();
    assert_eq!(ids(tracker.in_progress(Some("ann/1a2b3c4d")).unwrap()), []);
    // A session's comments may arrive after the bead was closed.
    tracker.add_comment(&bead, "after", &ann).unwrap();
    tracker.close(&bead, &Default::default(), &ann).unwrap();
    tracker.add_comment(&bead, "closed", &ann).unwrap();
    assert_eq!(tracker.show(&bead).unwrap().comments.len(), 4);
}
