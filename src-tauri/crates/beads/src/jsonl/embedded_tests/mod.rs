//! Tests of the embedded store through the crate's interface, and of its file, which other trackers read.
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

mod at_once;
mod edits;
mod round_trip;
mod together;

use crate::{
    Actor, Close, CustomStatus, Environment, InitChoice, ListFilter, NewBead, Tracker, TrackerError, init,
    open,
};
use bc_core::{
    bead::{BeadStatus, LinkDirection},
    ids::BeadId,
};
use serde_json::{Map, Value};
use std::{fs, path::PathBuf};

struct Project {
    dir: tempfile::TempDir,
    tracker: Box<dyn Tracker>,
}

impl Project {
    fn new() -> Project {
        let dir = tempfile::tempdir().unwrap();
        init(dir.path(), Some("bc"), InitChoice::Embedded, &Environment::default()).unwrap();
        let tracker = open(dir.path(), &Environment::default()).unwrap();
        Project { dir, tracker }
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join(".beads/issues.jsonl")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn put(&self, text: impl AsRef<[u8]>) {
        fs::write(self.file(), text).unwrap();
    }

    fn fields(&self, id: &BeadId) -> Map<String, Value> {
        super::maps(&self.file()).unwrap().into_iter().find(|map| map["id"] == id.as_str()).unwrap()
    }

    fn make(&self, title: &str) -> BeadId {
        self.tracker.create(&NewBead::titled(title), &alice()).unwrap().bead.id
    }
}

fn alice() -> Actor {
    "alice/11111111".parse().unwrap()
}

fn bob() -> Actor {
    "bob/22222222".parse().unwrap()
}

#[test]
fn a_new_bead_has_exactly_the_given_fields() {
    let project = Project::new();
    let blocker = project.make("blocker");
    let epic = project.make("epic");
    let new = NewBead {
        issue_type: "bug".into(),
        priority: 0,
        description: "line\n\"quoted\" \u{1b}[31m @x 日本\n".into(),
        labels: vec!["ui".into(), "core".into()],
        parent: Some(epic.clone()),
        blocked_by: vec![blocker.clone()],
        ..NewBead::titled("-rf \"x\" \u{1b}[2J")
    };
    let made = project.tracker.create(&new, &alice()).unwrap();
    assert_eq!(made.bead.id.as_str(), format!("{epic}.1"));
    assert_eq!(
        (made.bead.title.as_str(), made.description.as_str()),
        (new.title.as_str(), new.description.as_str())
    );
    assert_eq!(
        (made.bead.labels, made.bead.parent.clone()),
        (vec!["core".to_owned(), "ui".to_owned()], Some(epic))
    );
    assert_eq!((made.bead.blocked_by, made.bead.ready), (vec![blocker.clone()], false));
    let kinds: Vec<_> = made.links.iter().map(|link| (link.kind.as_str(), link.title.as_str())).collect();
    assert_eq!(kinds, [("parent-child", "epic"), ("blocks", "blocker")]);
    let shown = project.tracker.show(&blocker).unwrap();
    assert_eq!(shown.bead.unblocks, vec![made.bead.id]);
    assert_eq!(shown.links[0].direction, LinkDirection::DependedOnBy);
    assert!(shown.bead.ready && blocker.as_str().starts_with("bc-"));
}

#[test]
fn invalid_input_is_refused_and_nothing_is_written() {
    let project = Project::new();
    let before = project.text();
    let missing: BeadId = "bc-nope".parse().unwrap();
    for new in [
        NewBead::titled(" "),
        NewBead::titled("x".repeat(501)),
        NewBead::titled("a\0b"),
        NewBead { priority: 5, ..NewBead::titled("t") },
        NewBead { labels: vec!["a,b".into()], ..NewBead::titled("t") },
    ] {
        let error = project.tracker.create(&new, &alice()).unwrap_err();
        assert!(matches!(error, TrackerError::InvalidInput { .. }), "{error}");
    }
    for new in [
        NewBead { parent: Some(missing.clone()), ..NewBead::titled("t") },
        NewBead { blocked_by: vec![missing.clone()], ..NewBead::titled("t") },
    ] {
        let error = project.tracker.create(&new, &alice()).unwrap_err();
        assert!(matches!(error, TrackerError::NotFound { .. }), "{error}");
    }
    assert_eq!(project.text(), before);
}

#[test]
fn a_released_claim_leaves_the_bead_as_before() {
    let project = Project::new();
    let id = project.make("t");
    project.tracker.claim(&id, &alice()).unwrap();
    let refused = project.tracker.unclaim(&id, &bob(), None).unwrap_err();
    assert!(matches!(refused, TrackerError::ClaimedByOther { .. }), "{refused}");
    let free = project.tracker.unclaim(&id, &alice(), None).unwrap();
    assert_eq!((free.status, free.assignee, free.ready), (BeadStatus::Open, None, true));
    let before = project.text();
    project.tracker.unclaim(&id, &alice(), None).unwrap();
    assert_eq!(project.text(), before, "there is no claim to release");
    project.tracker.claim(&id, &alice()).unwrap();
    let back = project.tracker.unclaim(&id, &alice(), Some("alice")).unwrap();
    assert_eq!((back.status, back.assignee.as_deref()), (BeadStatus::Open, Some("alice")));
}

#[test]
fn a_claim_excludes_other_users_and_can_be_repeated() {
    let project = Project::new();
    let id = project.make("t");
    let claimed = project.tracker.claim(&id, &alice()).unwrap();
    assert_eq!(
        (claimed.status, claimed.assignee.as_deref()),
        (BeadStatus::InProgress, Some("alice/11111111"))
    );
    let before = project.text();
    project.tracker.claim(&id, &alice()).unwrap();
    assert_eq!(project.text(), before);
    let error = project.tracker.claim(&id, &bob()).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "alice/11111111"), "{error}");
    let error = project.tracker.close(&id, &Close::default(), &bob()).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { .. }), "{error}");
    project
        .tracker
        .close(&id, &Close { reason: "done".into(), force: false }, &Actor::for_user("alice"))
        .unwrap();
    let error = project.tracker.claim(&id, &alice()).unwrap_err();
    assert!(matches!(error, TrackerError::AlreadyClosed { .. }), "{error}");
    let error = project.tracker.claim(&"bc-nope".parse().unwrap(), &alice()).unwrap_err();
    assert!(matches!(error, TrackerError::NotFound { .. }), "{error}");
}

#[test]
fn a_session_can_claim_a_bead_that_its_user_claimed_by_hand() {
    let project = Project::new();
    let id = project.make("t");
    project.tracker.claim(&id, &Actor::for_user("alice")).unwrap();
    assert_eq!(project.tracker.claim(&id, &alice()).unwrap().assignee.as_deref(), Some("alice/11111111"));
    let other: Actor = "alice/33333333".parse().unwrap();
    assert!(matches!(project.tracker.claim(&id, &other), Err(TrackerError::ClaimedByOther { .. })));
}

#[test]
fn a_bead_goes_through_its_states() {
    let project = Project::new();
    let tracker = &project.tracker;
    let id = project.make("t");
    tracker.claim(&id, &alice()).unwrap();
    assert!(!tracker.needs_custom_status().unwrap());
    assert_eq!(tracker.submit(&id, CustomStatus::Ask, &alice()).unwrap().status, BeadStatus::InReview);
    assert_eq!(project.fields(&id)["status"], "in_progress");
    assert!(matches!(tracker.claim(&id, &alice()), Err(TrackerError::Refused { .. })));
    assert_eq!(
        tracker.set_status(&id, &BeadStatus::InProgress, &alice()).unwrap().status,
        BeadStatus::InProgress
    );
    assert_eq!(
        tracker.set_status(&id, &BeadStatus::Deferred, &alice()).unwrap().status,
        BeadStatus::Deferred
    );
    assert!(matches!(tracker.claim(&id, &alice()), Err(TrackerError::Refused { .. })));
    assert_eq!(tracker.set_status(&id, &BeadStatus::Closed, &alice()).unwrap().status, BeadStatus::Closed);
    assert!(project.fields(&id).contains_key("closed_at"));
    assert!(matches!(
        tracker.submit(&id, CustomStatus::Ask, &alice()),
        Err(TrackerError::AlreadyClosed { .. })
    ));
    let reopened = tracker.set_status(&id, &BeadStatus::Open, &alice()).unwrap();
    assert!(reopened.ready && reopened.closed_at.is_none());
    let unknown = BeadStatus::Other("triage".into());
    assert!(matches!(tracker.set_status(&id, &unknown, &alice()), Err(TrackerError::Refused { .. })));
    assert!(matches!(
        tracker.set_status(&id, &BeadStatus::Tombstone, &alice()),
        Err(TrackerError::Refused { .. })
    ));
}

#[test]
fn a_bead_with_open_children_is_closed_only_by_force() {
    let project = Project::new();
    let epic = project.make("epic");
    let part = NewBead { parent: Some(epic.clone()), ..NewBead::titled("part") };
    project.tracker.create(&part, &alice()).unwrap();
    let error = project.tracker.close(&epic, &Close::default(), &alice()).unwrap_err();
    assert!(error.to_string().contains("1 of its parts"), "{error}");
    let close = Close { reason: String::new(), force: true };
    assert_eq!(project.tracker.close(&epic, &close, &alice()).unwrap().status, BeadStatus::Closed);
}

#[test]
fn comments_are_numbered_over_the_whole_file_and_texts_survive() {
    let project = Project::new();
    let (a, b) = (project.make("a"), project.make("b"));
    let hostile = "line\n\n\"q\" \\ \u{1b}[31m @file -x é\r\n\ttab";
    let big = "0123456789abcdef".repeat(65_536);
    assert_eq!(project.tracker.add_comment(&a, hostile, &alice()).unwrap().id, "1");
    let second = project.tracker.add_comment(&b, &big, &bob()).unwrap();
    assert_eq!((second.id.as_str(), second.author.as_str(), second.text == big), ("2", "bob/22222222", true));
    assert_eq!(project.tracker.show(&a).unwrap().comments[0].text, hostile);
    project.tracker.set_notes(&a, hostile, &alice()).unwrap();
    project.tracker.append_notes(&a, "-more", &alice()).unwrap();
    assert_eq!(project.tracker.show(&a).unwrap().notes, format!("{hostile}\n-more"));
    assert!(matches!(
        project.tracker.add_comment(&a, " \n", &alice()),
        Err(TrackerError::InvalidInput { .. })
    ));
}

#[test]
fn other_lines_and_unknown_fields_survive_every_change() {
    let project = Project::new();
    let keep = "{\"id\":\"bc-2\",\"future\":{\"b\":1,\"a\":[1.50]},\"title\":\"T\",\"status\":\"open\",\"comments\":[{\"id\":\"0196-uuid\",\"text\":\"x\"}]}";
    let mut text =
        format!("\u{feff}not json\r\n{keep}\n{{\"_type\":\"memory\",\"key\":\"k\"}}\n").into_bytes();
    text.extend_from_slice(b"\xff\xfe torn");
    project.put(text);
    let id: BeadId = "bc-2".parse().unwrap();
    project.tracker.claim(&id, &alice()).unwrap();
    project.make("another");
    let after = fs::read(project.file()).unwrap();
    let lines: Vec<&[u8]> = after.split(|&b| b == b'\n').collect();
    for kept in [&b"not json"[..], b"{\"_type\":\"memory\",\"key\":\"k\"}", b"\xff\xfe torn"] {
        assert!(lines.contains(&kept), "{:?}", String::from_utf8_lossy(kept));
    }
    let fields = project.fields(&id);
    assert_eq!(fields["future"].to_string(), "{\"b\":1,\"a\":[1.5]}");
    assert_eq!(fields.keys().next().map(String::as_str), Some("id"));
    assert_eq!(project.tracker.list(&ListFilter::board()).unwrap().warnings.len(), 2);
}

#[test]
fn a_file_with_conflict_markers_is_read_and_never_written() {
    let project = Project::new();
    let text = "<<<<<<< HEAD\n{\"id\":\"bc-1\",\"title\":\"a\",\"status\":\"open\"}\n=======\n>>>>>>> b\n{\"id\":\"bc-2\",\"status\":\"open\"}\n";
    project.put(text);
    let listing = project.tracker.list(&ListFilter::board()).unwrap();
    assert_eq!((listing.beads.len(), listing.warnings.len()), (2, 1));
    let error = project.tracker.claim(&"bc-1".parse().unwrap(), &alice()).unwrap_err();
    assert!(matches!(error, TrackerError::Conflict { line: 1, .. }), "{error}");
    assert_eq!(project.text(), text);
}

#[test]
fn nothing_is_written_after_a_program_took_the_beads_over() {
    for name in ["beads.db", "embeddeddolt/x"] {
        let project = Project::new();
        let id = project.make("t");
        let path = project.dir.path().join(".beads").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        let error = project.tracker.claim(&id, &alice()).unwrap_err();
        assert!(matches!(error, TrackerError::Superseded { .. }), "{error}");
    }
}

#[test]
fn a_deleted_bead_is_hidden_and_its_id_is_not_reused() {
    let project = Project::new();
    project.put("{\"id\":\"bc-1\",\"status\":\"open\"}\n{\"id\":\"bc-1.1\",\"status\":\"tombstone\",\"title\":\"gone\"}\n");
    let gone: BeadId = "bc-1.1".parse().unwrap();
    assert!(matches!(project.tracker.show(&gone), Err(TrackerError::NotFound { .. })));
    assert!(matches!(project.tracker.claim(&gone, &alice()), Err(TrackerError::NotFound { .. })));
    assert_eq!(project.tracker.list(&ListFilter::everything()).unwrap().beads.len(), 1);
    let part = NewBead { parent: Some("bc-1".parse().unwrap()), ..NewBead::titled("part") };
    assert_eq!(project.tracker.create(&part, &alice()).unwrap().bead.id.as_str(), "bc-1.2");
}

#[test]
fn the_change_mark_differs_after_every_change_and_only_then() {
    let project = Project::new();
    let id = project.make("t");
    let mark = |project: &Project| project.tracker.change_mark().unwrap();
    let first = mark(&project);
    project.tracker.list(&ListFilter::board()).unwrap();
    assert_eq!(mark(&project), first);
    project.tracker.claim(&id, &alice()).unwrap();
    assert_ne!(mark(&project), first);
}

#[test]
fn the_store_provides_the_facts_of_a_recovery_block() {
    let project = Project::new();
    crate::facts_check::check(project.tracker.as_ref());
    let mark = crate::change_mark(project.dir.path(), &crate::Environment::default()).unwrap();
    assert_eq!(mark, project.tracker.change_mark().unwrap());
}
