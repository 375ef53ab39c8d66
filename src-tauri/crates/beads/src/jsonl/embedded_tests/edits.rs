//! Tests of edits that follow the embedded store's own rules.

use super::{Project, alice, bob};
use crate::{FieldChanges, ListFilter, NewBead, TrackerError};
use bc_core::bead::BeadStatus;
use std::fs;

fn titled(title: &str) -> FieldChanges {
    FieldChanges { title: Some(title.into()), ..FieldChanges::default() }
}

#[test]
fn another_programs_cycle_causes_no_hang_and_can_be_removed() {
    let project = Project::new();
    let line = |id: &str, on: &str, kind: &str| {
        format!(
            "{{\"id\":\"{id}\",\"title\":\"{id}\",\"dependencies\":[{{\"issue_id\":\"{id}\",\"depends_on_id\":\"{on}\",\"type\":\"{kind}\"}}]}}\n"
        )
    };
    let lines = [
        line("bc-a", "bc-b", "blocks"),
        line("bc-b", "bc-a", "blocks"),
        line("bc-p", "bc-q", "parent-child"),
        line("bc-q", "bc-p", "parent-child"),
        line("bc-s", "bc-s", "waits-for"),
        "{\"id\":\"bc-x\",\"title\":\"x\"}\n".to_owned(),
    ];
    project.put(lines.concat());
    let tracker = &project.tracker;
    let id = |text: &str| text.parse().unwrap();
    assert_eq!(tracker.list(&ListFilter::board()).unwrap().beads.len(), 6);
    let ready: Vec<String> = tracker.ready().unwrap().iter().map(|bead| bead.id.to_string()).collect();
    assert!(ready.contains(&"bc-x".to_owned()) && !ready.contains(&"bc-a".to_owned()), "{ready:?}");
    for bead in ["bc-a", "bc-p", "bc-s"] {
        tracker.show(&id(bead)).unwrap();
        tracker.update(&id(bead), &titled("edited"), None, &alice()).unwrap();
        tracker.add_dependency(&id("bc-x"), &id(bead), "related", &alice()).unwrap();
        tracker.remove_dependency(&id("bc-x"), &id(bead), &alice()).unwrap();
        tracker.add_dependency(&id("bc-x"), &id(bead), "blocks", &alice()).unwrap();
    }
    let error = tracker.add_dependency(&id("bc-b"), &id("bc-x"), "blocks", &alice()).unwrap_err();
    assert!(matches!(&error, TrackerError::Cycle { path } if path.len() == 3), "{error}");
    tracker.remove_dependency(&id("bc-b"), &id("bc-a"), &alice()).unwrap();
    tracker.remove_dependency(&id("bc-x"), &id("bc-a"), &alice()).unwrap();
    assert!(tracker.show(&id("bc-b")).unwrap().bead.ready);
    tracker
        .update(&id("bc-q"), &FieldChanges { parent: Some(None), ..FieldChanges::default() }, None, &alice())
        .unwrap();
    assert_eq!(tracker.show(&id("bc-q")).unwrap().bead.parent, None);
}

#[test]
fn an_unknown_type_is_refused_unless_it_is_configured_or_unchanged() {
    let project = Project::new();
    let tracker = &project.tracker;
    let new = |issue_type: &str| NewBead { issue_type: issue_type.into(), ..NewBead::titled("t") };
    let error = tracker.create(&new("pig"), &alice()).unwrap_err();
    assert!(error.to_string().contains("types.custom in .beads/config.yaml"), "{error}");
    let config = project.dir.path().join(".beads/config.yaml");
    let before = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{before}types.custom: pig\nstatus.custom: qa:wip\n")).unwrap();
    let made = tracker.create(&new("pig"), &alice()).unwrap().bead;
    assert_eq!(made.issue_type, "pig");
    let can = tracker.capabilities().unwrap();
    let qa = BeadStatus::from("qa");
    assert!(can.types.contains(&"pig".to_owned()) && can.statuses.contains(&qa));
    assert_eq!(tracker.set_status(&made.id, &qa, &alice()).unwrap().status, qa);
    assert_eq!(tracker.create(&new("feat"), &alice()).unwrap().bead.issue_type, "feature", "as bd does");
    // Without the configuration, the bead stays editable.
    fs::write(&config, before).unwrap();
    let change = FieldChanges { issue_type: Some("pig".into()), status: Some(qa), ..titled("still") };
    assert_eq!(tracker.update(&made.id, &change, None, &alice()).unwrap().bead.title, "still");
}

#[test]
fn one_of_two_concurrent_edits_is_refused_as_stale() {
    let project = Project::new();
    for round in 0..20 {
        let id = project.make("edited by two");
        let opened = project.tracker.show(&id).unwrap().bead.updated_at;
        let saved = std::thread::scope(|scope| {
            let save = |title: &'static str, actor| {
                let (project, id) = (&project, &id);
                scope.spawn(move || project.tracker.update(id, &titled(title), opened, &actor))
            };
            [save("one", alice()), save("two", bob())].map(|thread| thread.join().unwrap())
        });
        let stale = saved.iter().filter(|it| matches!(it, Err(TrackerError::Changed { .. }))).count();
        assert_eq!((saved.iter().filter(|it| it.is_ok()).count(), stale), (1, 1), "round {round}");
    }
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let project = Project::new();
    let id = project.make("same");
    let before = project.text();
    project.tracker.update(&id, &titled("same"), None, &bob()).unwrap();
    project.tracker.update(&id, &FieldChanges::default(), None, &bob()).unwrap();
    project.tracker.set_status(&id, &BeadStatus::Open, &bob()).unwrap();
    assert_eq!(project.text(), before);
}
