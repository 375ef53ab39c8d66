//! The real bd takes over an embedded file: nothing is lost, and both show the same beads.
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

use super::{Project, actor, alice};
use crate::{Close, CustomStatus, InitChoice, ListFilter, NewBead, TrackerError, TrackerKind, init};
use bc_core::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::{fs, path::Path};

/// The beads as lines of text, to compare two trackers' views.
fn summary(beads: &[Bead]) -> Vec<String> {
    let mut lines: Vec<String> = beads
        .iter()
        .map(|b| {
            format!(
                "{} {:?} {} {} {} {:?} {:?} parent {:?} blocked {:?} unblocks {:?} ready {}",
                b.id,
                b.title,
                b.status.as_str(),
                b.priority,
                b.issue_type,
                b.assignee,
                b.labels,
                b.parent,
                sorted(&b.blocked_by),
                sorted(&b.unblocks),
                b.ready
            )
        })
        .collect();
    lines.sort();
    lines
}

fn sorted(ids: &[BeadId]) -> Vec<&str> {
    let mut ids: Vec<&str> = ids.iter().map(BeadId::as_str).collect();
    ids.sort_unstable();
    ids
}

/// Opens an embedded project, converts it to bd, and compares both views.
fn is_taken_over_by_bd(project: &Project) {
    let embedded = project.tracker();
    assert_eq!(embedded.kind(), TrackerKind::Embedded);
    let before = embedded.list(&ListFilter::board()).unwrap();
    let details: Vec<_> = before.beads.iter().map(|bead| embedded.show(&bead.id).unwrap()).collect();
    project.bd(&["init", "--from-jsonl", "--quiet", "--non-interactive", "--skip-hooks", "--skip-agents"]);
    let bd = project.tracker();
    assert_eq!(bd.kind(), TrackerKind::Bd);
    let after = bd.list(&ListFilter::board()).unwrap();
    assert_eq!(summary(&after.beads), summary(&before.beads));
    for detail in details.iter().take(20) {
        let same = bd.show(&detail.bead.id).unwrap();
        assert_eq!(
            (&same.description, &same.notes, &same.design),
            (&detail.description, &detail.notes, &detail.design)
        );
        assert_eq!(same.close_reason, detail.close_reason);
        let texts = |d: &bc_core::bead::BeadDetail| -> Vec<(String, String)> {
            d.comments.iter().map(|c| (c.author.clone(), c.text.clone())).collect()
        };
        assert_eq!(texts(&same), texts(detail));
    }
    let error = embedded.claim(&before.beads[0].id, &alice()).unwrap_err();
    assert!(matches!(error, TrackerError::Superseded { .. }), "{error}");
}

#[test]
fn an_embedded_project_is_taken_over_by_the_real_bd() {
    let Some(project) = Project::new("an_embedded_project_is_taken_over", "proj") else { return };
    init(&project.root, Some("emb"), InitChoice::Embedded, &project.environment).unwrap();
    let tracker = project.tracker();
    let make = |new: NewBead| tracker.create(&new, &alice()).unwrap().bead.id;
    let epic =
        make(NewBead { issue_type: "epic".into(), priority: 0, ..NewBead::titled("épic \"q\"\n\u{1b}[1m") });
    let blocker = make(NewBead {
        description: "d\n\u{1b}".into(),
        labels: vec!["b".into(), "a".into()],
        ..NewBead::titled("blocker")
    });
    let part = make(NewBead {
        parent: Some(epic.clone()),
        blocked_by: vec![blocker.clone()],
        ..NewBead::titled("part")
    });
    make(NewBead { parent: Some(part.clone()), ..NewBead::titled("deep") });
    let done = make(NewBead { design: "x".into(), notes: "y".into(), ..NewBead::titled("done") });
    make(NewBead { blocked_by: vec![done.clone()], ..NewBead::titled("was blocked") });
    tracker.add_comment(&part, "one\ntwo", &alice()).unwrap();
    tracker.add_comment(&epic, "three", &actor("bob")).unwrap();
    tracker.close(&done, &Close { reason: "because".into(), force: false }, &alice()).unwrap();
    tracker.claim(&blocker, &alice()).unwrap();
    tracker.submit(&blocker, CustomStatus::Ask, &alice()).unwrap();
    is_taken_over_by_bd(&project);
    let bd = project.tracker();
    assert_eq!(bd.show(&blocker).unwrap().bead.status, BeadStatus::InReview);
    let next = bd.create(&NewBead::titled("next"), &alice()).unwrap();
    assert!(next.bead.id.as_str().starts_with("emb-"), "{}", next.bead.id);
}

#[test]
fn readiness_of_a_real_project_matches_the_real_bd() {
    let Some(project) = Project::new("readiness_of_a_real_project", "proj") else { return };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beads/artifact-keeper-issues.jsonl");
    fs::create_dir(project.root.join(".beads")).unwrap();
    fs::copy(sample, project.root.join(".beads/issues.jsonl")).unwrap();
    is_taken_over_by_bd(&project);
}
