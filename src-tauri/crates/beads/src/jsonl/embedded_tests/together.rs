//! Tests of claims of several beads with one write.

use super::{Project, alice, bob};
use crate::{Actor, Close, TrackerError};
use bc_core::{bead::BeadStatus, ids::BeadId};

fn actors(count: usize) -> Vec<Actor> {
    (0..count).map(|n| format!("alice/{n:08}").parse().unwrap()).collect()
}

#[test]
fn claims_succeed_or_fail_independently() {
    let project = Project::new();
    let [open, closed, taken, review, last] =
        ["open", "closed", "taken", "in review", "last"].map(|title| project.make(title));
    project.tracker.close(&closed, &Close::default(), &alice()).unwrap();
    project.tracker.claim(&taken, &bob()).unwrap();
    project.tracker.set_status(&review, &BeadStatus::InReview, &alice()).unwrap();
    let gone: BeadId = "bc-gone".parse().unwrap();
    let by = actors(7);
    let ids = [&open, &closed, &taken, &gone, &review, &open, &last];
    let claims: Vec<_> = ids.into_iter().cloned().zip(by.clone()).collect();
    let outcomes = project.tracker.claim_all(&claims).unwrap();
    assert!(matches!(&outcomes[0], Ok(())), "{outcomes:?}");
    assert!(matches!(&outcomes[1], Err(TrackerError::AlreadyClosed { .. })), "{outcomes:?}");
    assert!(matches!(&outcomes[2], Err(TrackerError::ClaimedByOther { .. })), "{outcomes:?}");
    assert!(matches!(&outcomes[3], Err(TrackerError::NotFound { .. })), "{outcomes:?}");
    assert!(matches!(&outcomes[4], Err(TrackerError::Refused { .. })), "{outcomes:?}");
    assert!(
        matches!(&outcomes[5], Err(TrackerError::ClaimedByOther { .. })),
        "the first has it: {outcomes:?}"
    );
    assert!(matches!(&outcomes[6], Ok(())), "{outcomes:?}");
    for (id, by) in [(&open, &by[0]), (&last, &by[6])] {
        let bead = project.tracker.show(id).unwrap().bead;
        assert_eq!((bead.status, bead.assignee.as_deref()), (BeadStatus::InProgress, Some(by.as_str())));
    }
    let held = project.tracker.show(&taken).unwrap().bead.assignee;
    assert_eq!(held.as_deref(), Some(bob().as_str()));
}

#[test]
fn failed_and_repeated_claims_write_nothing() {
    let project = Project::new();
    let id = project.make("one");
    let claims = [(id.clone(), alice())];
    assert!(matches!(project.tracker.claim_all(&claims).unwrap()[..], [Ok(())]));
    let before = project.text();
    assert!(matches!(project.tracker.claim_all(&claims).unwrap()[..], [Ok(())]));
    assert!(matches!(project.tracker.claim_all(&[(id, bob())]).unwrap()[..], [Err(_)]));
    assert!(project.tracker.claim_all(&[]).unwrap().is_empty());
    assert_eq!(project.text(), before);
}

#[test]
fn concurrent_claims_of_the_same_beads_have_one_winner_per_bead() {
    let project = Project::new();
    let ids: Vec<BeadId> = (0..6).map(|n| project.make(&n.to_string())).collect();
    let won: usize = std::thread::scope(|scope| {
        let claimers: Vec<_> = (0..4)
            .map(|n| {
                let (project, ids) = (&project, &ids);
                scope.spawn(move || {
                    let actor: Actor = format!("user{n}").parse().unwrap();
                    let claims: Vec<_> = ids.iter().map(|id| (id.clone(), actor.clone())).collect();
                    project.tracker.claim_all(&claims).unwrap().iter().filter(|won| won.is_ok()).count()
                })
            })
            .collect();
        claimers.into_iter().map(|claimer| claimer.join().unwrap()).sum()
    });
    assert_eq!(won, ids.len());
}
