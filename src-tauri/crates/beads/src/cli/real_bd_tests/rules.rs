//! The real bd's rules for claims, review and closing, and our errors for them.

use super::{Project, actor, alice, by_id};
use crate::{Close, CustomStatus, ListFilter, NewBead, Tracker, TrackerError};
use bc_core::{bead::BeadStatus, ids::BeadId};

#[test]
fn the_real_bds_rules_are_kept_and_explained() {
    let Some(project) = Project::with_bd("the_real_bds_rules", "proj") else { return };
    let tracker = project.tracker();
    a_claim_is_one_persons(&project, tracker.as_ref());
    a_claim_is_given_back(&project, tracker.as_ref());
    in_review_is_a_state_that_is_asked_for(&project, tracker.as_ref());
    closing_follows_the_rules(&project, tracker.as_ref());
    what_is_wrong_is_said(&project, tracker.as_ref());
}

fn a_claim_is_one_persons(project: &Project, tracker: &dyn Tracker) {
    let make = |title: &str| project.quick(title);
    let id = make("claim");
    let claimed = tracker.claim(&id, &alice()).unwrap();
    assert_eq!(
        (claimed.status, claimed.assignee.as_deref()),
        (BeadStatus::InProgress, Some("alice/11111111"))
    );
    tracker.claim(&id, &alice()).unwrap();
    tracker.renew_claim(&id, &alice()).unwrap();
    let error = tracker.claim(&id, &actor("bob/22222222")).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "alice/11111111"), "{error}");
    let error = tracker.renew_claim(&id, &actor("bob/22222222")).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "alice/11111111"), "{error}");

    let by_hand = make("by hand");
    project.bd(&["update", by_hand.as_str(), "--claim", "--actor=alice"]);
    assert_eq!(tracker.claim(&by_hand, &alice()).unwrap().assignee.as_deref(), Some("alice/11111111"));
    let assigned = make("assigned");
    project.bd(&["update", assigned.as_str(), "--assignee=carol"]);
    assert!(
        matches!(tracker.claim(&assigned, &alice()), Err(TrackerError::ClaimedByOther { by, .. }) if by == "carol")
    );
    assert_eq!(tracker.claim(&assigned, &actor("carol/1")).unwrap().assignee.as_deref(), Some("carol/1"));

    let race = make("race");
    let winners = std::thread::scope(|scope| {
        // Separate processes, because calls of this process wait for each other.
        let others: Vec<_> = (0..3)
            .map(|n| {
                let actor = format!("--actor=user{n}");
                let program = project.program(project.environment.bd.clone().unwrap());
                let program = program.args(["update", race.as_str(), "--claim", &actor]);
                scope.spawn(move || program.run().unwrap().ok())
            })
            .collect();
        let ours = match tracker.claim(&race, &alice()) {
            Ok(_) => true,
            Err(TrackerError::ClaimedByOther { by, .. }) if by.starts_with("user") => false,
            Err(error) => panic!("{error}"),
        };
        others.into_iter().map(|other| other.join().unwrap()).chain([ours]).filter(|&won| won).count()
    });
    assert_eq!(winners, 1);
}

fn a_claim_is_given_back(project: &Project, tracker: &dyn Tracker) {
    let id = project.quick("given back");
    tracker.claim(&id, &alice()).unwrap();
    let free = tracker.unclaim(&id, &alice(), None).unwrap();
    assert_eq!((free.status, free.assignee, free.ready), (BeadStatus::Open, None, true));
    tracker.claim(&id, &alice()).unwrap();
    let refused = tracker.unclaim(&id, &actor("bob/22222222"), None).unwrap_err();
    assert!(matches!(refused, TrackerError::ClaimedByOther { .. }), "{refused}");
    let back = tracker.unclaim(&id, &alice(), Some("alice")).unwrap();
    assert_eq!((back.status, back.assignee.as_deref()), (BeadStatus::Open, Some("alice")));
}

fn in_review_is_a_state_that_is_asked_for(project: &Project, tracker: &dyn Tracker) {
    project.bd(&["config", "set", "status.custom", "triage:active"]);
    let id = project.quick("review");
    tracker.claim(&id, &alice()).unwrap();
    assert!(tracker.needs_custom_status().unwrap());
    let error = tracker.submit(&id, CustomStatus::Ask, &alice()).unwrap_err();
    assert!(matches!(error, TrackerError::NeedsConsent { .. }), "{error}");
    assert_eq!(tracker.show(&id).unwrap().bead.status, BeadStatus::InProgress);
    assert_eq!(tracker.submit(&id, CustomStatus::Add, &alice()).unwrap().status, BeadStatus::InReview);
    assert!(!tracker.needs_custom_status().unwrap());
    assert!(project.bd(&["config", "get", "status.custom"]).contains("triage:active,in_review:wip"));
    assert_eq!(by_id(&tracker.list(&ListFilter::board()).unwrap().beads, &id).status, BeadStatus::InReview);
    assert!(matches!(tracker.claim(&id, &alice()), Err(TrackerError::Refused { .. })));
    assert_eq!(
        tracker.set_status(&id, &BeadStatus::InProgress, &alice()).unwrap().status,
        BeadStatus::InProgress
    );

    // As in a project that used the embedded store before.
    project.bd(&["update", id.as_str(), "--add-label=in_review"]);
    assert_eq!(tracker.show(&id).unwrap().bead.status, BeadStatus::InReview);
    let back = tracker.set_status(&id, &BeadStatus::InProgress, &alice()).unwrap();
    assert_eq!((back.status, back.labels.len()), (BeadStatus::InProgress, 0));
    let triage = BeadStatus::Other("triage".into());
    assert_eq!(tracker.set_status(&id, &triage, &alice()).unwrap().status, triage);
    let unknown = BeadStatus::Other("nonsense".into());
    assert!(matches!(tracker.set_status(&id, &unknown, &alice()), Err(TrackerError::Refused { .. })));
}

fn closing_follows_the_rules(project: &Project, tracker: &dyn Tracker) {
    let make = |title: &str| project.quick(title);
    let id = make("close");
    tracker.claim(&id, &alice()).unwrap();
    let close = |reason: &str, force| Close { reason: reason.into(), force };
    let error = tracker.close(&id, &close("x", false), &actor("bob")).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "alice/11111111"), "{error}");
    let closed = tracker.close(&id, &close("-done\n\"q\"", false), &actor("alice")).unwrap();
    assert_eq!((closed.status, closed.closed_at.is_some()), (BeadStatus::Closed, true));
    assert_eq!(tracker.show(&id).unwrap().close_reason.as_deref(), Some("-done\n\"q\""));
    assert!(matches!(
        tracker.close(&id, &close("", false), &alice()),
        Err(TrackerError::AlreadyClosed { .. })
    ));
    assert!(matches!(tracker.claim(&id, &alice()), Err(TrackerError::AlreadyClosed { .. })));
    assert!(matches!(
        tracker.submit(&id, CustomStatus::Add, &alice()),
        Err(TrackerError::AlreadyClosed { .. })
    ));
    assert_eq!(tracker.set_status(&id, &BeadStatus::Open, &alice()).unwrap().status, BeadStatus::Open);

    let epic = make("epic");
    project.bd(&["create", "--title=part", "--parent", epic.as_str()]);
    let error = tracker.close(&epic, &close("", false), &alice()).unwrap_err();
    assert!(matches!(&error, TrackerError::Refused { why, .. } if why.contains("child")), "{error}");
    assert_eq!(tracker.close(&epic, &close("", true), &alice()).unwrap().status, BeadStatus::Closed);
    let blocked = make("blocked");
    project.bd(&["update", blocked.as_str(), "--status=blocked"]);
    assert!(matches!(tracker.claim(&blocked, &alice()), Err(TrackerError::Refused { .. })));
}

fn what_is_wrong_is_said(project: &Project, tracker: &dyn Tracker) {
    let whole = project.quick("whole");
    let part: BeadId = whole.as_str().trim_start_matches("tp-").parse().unwrap();
    let missing = |end: Result<(), TrackerError>| {
        assert!(matches!(end, Err(TrackerError::NotFound { .. })), "{end:?}");
    };
    missing(tracker.claim(&part, &alice()).map(|_| ()));
    let id: BeadId = "tp-nope".parse().unwrap();
    missing(tracker.show(&id).map(|_| ()));
    missing(tracker.claim(&id, &alice()).map(|_| ()));
    missing(tracker.set_status(&id, &BeadStatus::Open, &alice()).map(|_| ()));
    missing(tracker.submit(&id, CustomStatus::Add, &alice()).map(|_| ()));
    missing(tracker.close(&id, &Close::default(), &alice()).map(|_| ()));
    missing(tracker.add_comment(&id, "x", &alice()).map(|_| ()));
    missing(tracker.append_notes(&id, "x", &alice()));
    let missing_parent = NewBead { parent: Some("tp-nope".parse().unwrap()), ..NewBead::titled("t") };
    let error = tracker.create(&missing_parent, &alice()).unwrap_err();
    assert!(error.to_string().contains("tp-nope"), "{error}");
    let error = tracker
        .create(&NewBead { issue_type: "bogus".into(), ..NewBead::titled("t") }, &alice())
        .unwrap_err();
    assert!(error.to_string().contains("bogus"), "{error}");
}

#[test]
fn a_clone_without_its_database_is_an_error_with_a_remedy() {
    let Some(project) = Project::new("a_clone_without_its_database", "proj") else { return };
    project.put(
        ".beads/metadata.json",
        "{\"backend\":\"dolt\",\"database\":\"dolt\",\"dolt_mode\":\"embedded\"}",
    );
    let error = project.tracker().list(&ListFilter::board()).unwrap_err();
    assert!(matches!(error, TrackerError::DatabaseMissing { .. }), "{error}");
    assert!(error.to_string().contains("bd bootstrap"), "{error}");
}
