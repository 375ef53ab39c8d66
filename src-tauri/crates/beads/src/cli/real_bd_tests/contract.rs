//! The shared checks (`contract_tests`) with the real bd, and tests of its configuration and events.

use super::{Project, actor, alice};
use crate::{
    FieldChanges, NewBead, TrackerError,
    contract_tests::{Subject, one_claim_wins, writable},
};
use bc_core::bead::BeadStatus;

/// bd's maximum title length, in bytes.
const LONGEST_TITLE: usize = 500;

pub(super) fn keeps_the_contract(project: &Project) {
    let open = || project.tracker();
    writable(&Subject { open: &open, longest_title: LONGEST_TITLE });
}

#[test]
fn the_real_bd_keeps_the_contract() {
    let Some(project) = Project::with_bd("the_real_bd_keeps_the_contract", "contract") else { return };
    keeps_the_contract(&project);
}

#[test]
fn one_of_two_claims_wins_on_the_real_bd() {
    let Some(project) = Project::with_bd("one_of_two_claims_wins_on_the_real_bd", "race") else { return };
    one_claim_wins(&|| project.tracker(), 5);
}

#[test]
fn the_real_bds_configuration_and_events_are_read() {
    let test = "the_real_bds_configuration_and_events_are_read";
    let Some(project) = Project::with_bd(test, "configured") else { return };
    let tracker = project.tracker();
    let before = tracker.capabilities().unwrap();
    assert!(before.types.contains(&"task".to_owned()) && before.statuses.contains(&BeadStatus::Blocked));
    assert!(!before.statuses.contains(&BeadStatus::Closed));
    let new = || NewBead { issue_type: "pig".into(), ..NewBead::titled("t") };
    let error = tracker.create(&new(), &alice()).unwrap_err();
    assert!(matches!(&error, TrackerError::InvalidInput { field: "type", .. }), "{error}");
    project.bd(&["config", "set", "types.custom", "pig"]);
    project.bd(&["config", "set", "status.custom", "qa:wip,in_review:wip"]);
    let can = project.tracker().capabilities().unwrap();
    let qa = BeadStatus::from("qa");
    assert!(can.types.contains(&"pig".to_owned()) && can.statuses.contains(&qa), "{can:?}");
    assert!(!can.statuses.contains(&BeadStatus::InReview), "it has its own command");

    let id = tracker.create(&new(), &alice()).unwrap().bead.id;
    let to_qa = FieldChanges { status: Some(qa.clone()), priority: Some(1), ..FieldChanges::default() };
    assert_eq!(tracker.update(&id, &to_qa, None, &actor("bob")).unwrap().bead.status, qa);
    let labelled = FieldChanges { add_labels: vec!["ui".into()], ..FieldChanges::default() };
    tracker.update(&id, &labelled, None, &actor("bob")).unwrap();
    // A label that only bd itself can make is still removed.
    project.bd(&["update", id.as_str(), "--add-label=\"a,\"\"b\""]);
    let strange = "a,\"b".to_owned();
    assert!(tracker.show(&id).unwrap().bead.labels.contains(&strange));
    let removed = FieldChanges { remove_labels: vec![strange], ..FieldChanges::default() };
    assert_eq!(tracker.update(&id, &removed, None, &alice()).unwrap().bead.labels, ["ui"]);
    let events = tracker.events(&id).unwrap();
    let told: Vec<_> = events
        .iter()
        .map(|event| (event.actor.as_str(), event.kind.as_str(), event.field.as_deref(), event.to.as_deref()))
        .collect();
    assert_eq!(told[0], ("alice/11111111", "created", None, None), "{told:?}");
    for expect in [
        ("bob", "status", None, Some("qa")),
        ("bob", "field", Some("priority"), Some("1")),
        ("bob", "field", Some("labels"), Some("ui")),
    ] {
        assert!(told.contains(&expect), "{expect:?} in {told:?}");
    }
}
