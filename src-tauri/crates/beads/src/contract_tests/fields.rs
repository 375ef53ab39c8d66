//! Checks of a bead's fields: creation, change, conflict, bad input.

use super::{Subject, actor};
use crate::{FieldChanges, NewBead, Tracker, TrackerError};
use bc_core::{
    Timestamp,
    bead::{BeadDetail, BeadStatus},
};

fn at(text: &str) -> Timestamp {
    Timestamp::parse_from_rfc3339(text).unwrap()
}

const HOSTILE: &str = "-x\n\n\"q\" 'q' \\ $(x) `y` %s @/etc/passwd é 日本\ttab";

pub(super) fn a_new_bead_has_every_field(subject: &Subject<'_>) {
    let parent = subject.made("an epic");
    let blocker = subject.made("a blocker");
    let new = NewBead {
        issue_type: "bug".into(),
        priority: 0,
        description: HOSTILE.into(),
        design: HOSTILE.into(),
        acceptance_criteria: "- [ ] one".into(),
        notes: HOSTILE.into(),
        labels: vec!["-dash".into(), "two words".into()],
        assignee: Some("-joe".into()),
        parent: Some(parent.clone()),
        blocked_by: vec![blocker.clone()],
        due: Some(at("2031-02-03T04:05:06+02:00")),
        defer: Some(at("2031-01-01T00:00:00Z")),
        estimated_minutes: Some(90),
        external_ref: Some("--gh-9".into()),
        ..NewBead::titled("--title")
    };
    let made = (subject.open)().create(&new, &actor()).unwrap();
    let shown = subject.shown(&made.bead.id);
    for detail in [&made, &shown] {
        let bead = &detail.bead;
        assert_eq!((bead.title.as_str(), bead.issue_type.as_str(), bead.priority), ("--title", "bug", 0));
        assert_eq!((bead.assignee.as_deref(), &bead.labels), (Some("-joe"), &new.labels));
        assert_eq!((&bead.parent, &bead.blocked_by), (&new.parent, &new.blocked_by));
        assert_eq!((bead.due_at, bead.defer_until), (new.due, new.defer));
        assert_eq!((bead.estimated_minutes, &detail.external_ref), (Some(90), &new.external_ref));
        assert_eq!((&detail.description, &detail.design), (&new.description, &new.design));
        assert_eq!((&detail.acceptance_criteria, &detail.notes), (&new.acceptance_criteria, &new.notes));
        assert!(!bead.ready);
    }
}

/// The expected bead after the change.
fn after(mut bead: BeadDetail, changes: &FieldChanges) -> BeadDetail {
    let c = changes.clone();
    let set = |field: &mut String, new: Option<String>| {
        if let Some(new) = new {
            *field = new;
        }
    };
    set(&mut bead.bead.title, c.title);
    set(&mut bead.description, c.description);
    set(&mut bead.design, c.design);
    set(&mut bead.acceptance_criteria, c.acceptance_criteria);
    set(&mut bead.notes, c.notes);
    set(&mut bead.bead.issue_type, c.issue_type);
    bead.bead.status = c.status.unwrap_or(bead.bead.status);
    bead.bead.priority = c.priority.unwrap_or(bead.bead.priority);
    bead.bead.assignee = c.assignee.unwrap_or(bead.bead.assignee);
    bead.bead.parent = c.parent.unwrap_or(bead.bead.parent);
    bead.bead.due_at = c.due.unwrap_or(bead.bead.due_at);
    bead.bead.defer_until = c.defer.unwrap_or(bead.bead.defer_until);
    bead.bead.estimated_minutes = c.estimated_minutes.unwrap_or(bead.bead.estimated_minutes);
    bead.external_ref = c.external_ref.unwrap_or(bead.external_ref);
    bead.bead.labels.retain(|label| !c.remove_labels.contains(label));
    bead.bead.labels.extend(c.add_labels);
    bead.bead.labels.sort();
    bead
}

/// The bead without its times, its readiness and its links, which are not compared.
fn fields(detail: &BeadDetail) -> BeadDetail {
    let mut detail = detail.clone();
    let bead = &mut detail.bead;
    (bead.updated_at, bead.created_at, bead.ready) = (None, None, false);
    bead.not_ready.clear();
    bead.blocked_by.clear();
    bead.unblocks.clear();
    bead.labels.sort();
    detail.links.clear();
    // A deferral makes a bead `deferred` in bd.
    if bead.status == BeadStatus::Deferred {
        bead.status = BeadStatus::Open;
    }
    detail
}

pub(super) fn every_field_is_changed_and_cleared(subject: &Subject<'_>) {
    let (parent, id) = (subject.made("a parent"), subject.made("to be edited"));
    let can = (subject.open)().capabilities().unwrap();
    let none = FieldChanges::default;
    let changes = [
        ("title", FieldChanges { title: Some("-new \"title\" 日本".into()), ..none() }),
        ("description", FieldChanges { description: Some(HOSTILE.into()), ..none() }),
        ("design", FieldChanges { design: Some(HOSTILE.into()), notes: Some("n".into()), ..none() }),
        ("acceptance_criteria", FieldChanges { acceptance_criteria: Some("- [x] a".into()), ..none() }),
        ("status", FieldChanges { status: Some(BeadStatus::Blocked), ..none() }),
        ("priority", FieldChanges { priority: Some(0), issue_type: Some("bug".into()), ..none() }),
        ("assignee", FieldChanges { assignee: Some(Some("joe".into())), ..none() }),
        ("labels", FieldChanges { add_labels: vec!["ui".into(), "-x y".into()], ..none() }),
        ("parent", FieldChanges { parent: Some(Some(parent.clone())), ..none() }),
        ("due", FieldChanges { due: Some(Some(at("2031-02-03T04:05:06Z"))), ..none() }),
        ("estimated_minutes", FieldChanges { estimated_minutes: Some(Some(30)), ..none() }),
        ("external_ref", FieldChanges { external_ref: Some(Some("gh-9".into())), ..none() }),
        ("status", FieldChanges { status: Some(BeadStatus::Open), ..none() }),
        ("defer", FieldChanges { defer: Some(Some(at("2031-01-01T00:00:00Z"))), ..none() }),
        (
            "everything at once",
            FieldChanges {
                description: Some(String::new()),
                notes: Some(String::new()),
                assignee: Some(None),
                remove_labels: vec!["ui".into()],
                add_labels: vec!["db".into()],
                parent: Some(None),
                due: Some(None),
                defer: Some(None),
                estimated_minutes: Some(None),
                external_ref: Some(None),
                ..none()
            },
        ),
    ];
    let mut expect = fields(&subject.shown(&id));
    let tracker = (subject.open)();
    for (field, change) in changes {
        let lacks = can.unsupported.iter().any(|(lacks, _)| *lacks == field);
        match tracker.update(&id, &change, None, &actor()) {
            Ok(shown) => {
                assert!(!lacks, "{field} is announced as unsupported");
                expect = after(expect, &change);
                assert_eq!(fields(&shown), expect, "{field}");
            }
            Err(TrackerError::Unsupported { why }) => assert!(lacks && !why.is_empty(), "{field}: {why}"),
            Err(other) => panic!("{field}: {other}"),
        }
    }
    assert_eq!(fields(&subject.shown(&id)), expect, "as another process sees it");
    assert!(subject.shown(&id).bead.ready, "the end of its deferral makes it ready");
    let same = subject.shown(&id);
    let nothing = FieldChanges { priority: Some(same.bead.priority), ..none() };
    tracker.update(&id, &nothing, None, &actor()).unwrap();
    assert_eq!(fields(&subject.shown(&id)), fields(&same));
}

pub(super) fn a_stale_form_is_refused_and_changes_nothing(subject: &Subject<'_>) {
    let id = subject.made("edited by two");
    let opened = subject.shown(&id).bead.updated_at;
    let title = |title: &str| FieldChanges { title: Some(title.to_owned()), ..FieldChanges::default() };
    let first = (subject.open)().update(&id, &title("one"), opened, &actor()).unwrap();
    // bd's times have whole seconds, so an edit within the same second leaves `updated_at` unchanged.
    let moved = || {
        let late = (subject.open)().update(&id, &title("later"), None, &actor()).unwrap();
        (late.bead.updated_at != opened).then_some(())
    };
    let mut tries = 0;
    while first.bead.updated_at == opened && moved().is_none() {
        tries += 1;
        assert!(tries < 100, "`updated_at` never changes");
    }
    let before = subject.shown(&id);
    let error = (subject.open)().update(&id, &title("stale"), opened, &actor()).unwrap_err();
    assert!(matches!(&error, TrackerError::Changed { id: named } if *named == id), "{error}");
    assert_eq!(subject.shown(&id), before);
    let again = (subject.open)().update(&id, &title("fresh"), before.bead.updated_at, &actor()).unwrap();
    assert_eq!(again.bead.title, "fresh");
    // Another process deletes the bead while the form is open.
    (subject.open)().delete(&id, &actor()).unwrap();
    let error = (subject.open)().update(&id, &title("gone"), again.bead.updated_at, &actor()).unwrap_err();
    assert!(matches!(error, TrackerError::NotFound { .. }), "{error}");
}

pub(super) fn unsupported_values_are_refused_with_the_reason(subject: &Subject<'_>) {
    let tracker = (subject.open)();
    let id = subject.made("a normal one");
    let before = subject.shown(&id);
    let none = FieldChanges::default;
    for (change, reason) in [
        (FieldChanges { title: Some("漢".repeat(501)), ..none() }, "longer than 500"),
        (FieldChanges { title: Some("  ".into()), ..none() }, "empty"),
        (FieldChanges { add_labels: vec!["a,b".into()], ..none() }, "commas"),
        (FieldChanges { add_labels: vec!["say \"x\"".into()], ..none() }, "quotes"),
        (FieldChanges { add_labels: vec!["a\nb".into()], ..none() }, "control"),
        (FieldChanges { issue_type: Some("unicorn".into()), ..none() }, "unicorn"),
        (FieldChanges { status: Some(BeadStatus::from("flying")), ..none() }, "flying"),
        (FieldChanges { parent: Some(Some("no-such".parse().unwrap())), ..none() }, "no-such"),
        (FieldChanges { parent: Some(Some(id.clone())), ..none() }, "cycle"),
    ] {
        let error = tracker.update(&id, &change, None, &actor()).unwrap_err();
        assert!(error.to_string().contains(reason), "{reason}: {error}");
        assert!(!matches!(error, TrackerError::NotPersisted { .. }), "{error}");
    }
    assert_eq!(fields(&subject.shown(&id)), fields(&before));
    wide_title(subject, tracker.as_ref());
    let unknown = NewBead { issue_type: "unicorn".into(), ..NewBead::titled("t") };
    let error = tracker.create(&unknown, &actor()).unwrap_err();
    assert!(error.to_string().contains("unicorn"), "{error}");
}

/// A title of 500 three-byte characters, or as many as the tracker accepts, is stored unchanged.
fn wide_title(subject: &Subject<'_>, tracker: &dyn Tracker) {
    let fits = "漢".repeat((subject.longest_title / 3).min(500));
    let made = tracker.create(&NewBead::titled(fits.clone()), &actor()).unwrap();
    assert_eq!(subject.shown(&made.bead.id).bead.title, fits);
    if subject.longest_title < 1500 {
        let error = tracker.create(&NewBead::titled("漢".repeat(500)), &actor()).unwrap_err();
        assert!(matches!(&error, TrackerError::InvalidInput { field: "title", .. }), "{error}");
        assert!(error.to_string().contains("bytes"), "{error}");
    }
}
