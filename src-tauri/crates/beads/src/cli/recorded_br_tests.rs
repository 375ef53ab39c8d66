//! br with recorded answers, played back by a script; br itself is never run.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

use super::{call::CallError, verify::explain};
use crate::{
    Actor, Close, Environment, FieldChanges, ListFilter, NewBead, PinnedBead, PinnedBeads, Tracker,
    TrackerError, TrackerKind, json, open, open_pinned, row::Row,
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use std::{fs, path::PathBuf};

fn recorded(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/br-cli").join(name)
}

struct Project {
    dir: tempfile::TempDir,
    tracker: Box<dyn Tracker>,
    pinned: Box<dyn PinnedBeads>,
}

impl Project {
    fn new() -> Project {
        let dir = tempfile::tempdir().unwrap();
        let beads = dir.path().join(".beads");
        fs::create_dir(&beads).unwrap();
        fs::write(beads.join("beads.db"), "").unwrap();
        fs::copy(recorded("final-issues.jsonl"), beads.join("issues.jsonl")).unwrap();
        let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/programs/recorded-br");
        let variables = vec![("ARGUMENTS".into(), dir.path().join("arguments").into())];
        let environment = Environment { br: Some(program), variables, ..Environment::default() };
        let tracker = open(dir.path(), &environment).unwrap();
        let pinned = open_pinned(dir.path(), &environment).unwrap().expect("br is there");
        Project { dir, tracker, pinned }
    }

    /// br's arguments since the last call.
    fn arguments(&self) -> Vec<String> {
        let file = self.dir.path().join("arguments");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let _ = fs::remove_file(file);
        text.lines().map(str::to_owned).collect()
    }
}

fn id(text: &str) -> BeadId {
    text.parse().unwrap()
}

#[test]
fn br_is_opened_and_named() {
    let info = Project::new().tracker.describe();
    assert_eq!((info.kind, info.version.as_deref()), (TrackerKind::Br, Some("0.1.12")));
}

#[test]
fn a_list_has_the_dependencies_that_brs_own_list_leaves_out() {
    let project = Project::new();
    let board = project.tracker.list(&ListFilter::board()).unwrap();
    let bead = |text: &str| board.beads.iter().find(|bead| bead.id == id(text)).unwrap();
    assert_eq!(bead("demo-1ym.1").parent, Some(id("demo-1ym")));
    assert_eq!(bead("demo-2ij").blocked_by, [id("demo-379")]);
    assert_eq!(bead("demo-379").unblocks, [id("demo-2ij")]);
    assert_eq!(bead("demo-1ym").labels, ["core", "ui"]);
    assert!(bead("demo-379").ready && !bead("demo-2ij").ready);
    assert!(board.warnings.is_empty());
}

#[test]
fn ready_and_blocked_beads_come_from_br() {
    let project = Project::new();
    let ready: Vec<String> = project.tracker.ready().unwrap().iter().map(|b| b.id.to_string()).collect();
    assert!(ready.contains(&"demo-379".to_owned()) && !ready.contains(&"demo-2ij".to_owned()), "{ready:?}");
    let blocked = project.tracker.blocked().unwrap();
    assert!(blocked.iter().all(|bead| bead.blocked_by == [id("demo-379")]));
    assert_eq!(blocked.len(), 2);
}

#[test]
fn a_bead_is_shown_with_its_neighbours_and_comments() {
    let project = Project::new();
    let shown = project.tracker.show(&id("demo-379")).unwrap();
    assert_eq!(shown.bead.unblocks, [id("demo-1ym.2"), id("demo-2ij")]);
    assert_eq!((shown.comments[0].id.as_str(), shown.comments[0].text.as_str()), ("1", "first comment"));
    let child = project.tracker.show(&id("demo-1ym.2")).unwrap();
    assert_eq!((child.bead.parent, child.bead.blocked_by), (Some(id("demo-1ym")), vec![id("demo-379")]));
    for missing in ["demo-zzz", "1ym"] {
        let error = project.tracker.show(&id(missing)).unwrap_err();
        assert!(matches!(error, TrackerError::NotFound { .. }), "{missing}: {error}");
    }
}

#[test]
fn a_new_bead_is_created_with_its_title_last_and_read_back() {
    let project = Project::new();
    project.arguments();
    let new = NewBead {
        description: "-d".into(),
        labels: vec!["perf".into()],
        parent: Some(id("demo-1ym")),
        ..NewBead::titled("Child A")
    };
    let error = project.tracker.create(&new, &"me".parse().unwrap()).unwrap_err();
    // The recorded bead lacks a description, which is detected.
    assert!(
        matches!(&error, TrackerError::NotPersisted { found, .. } if found.contains("description")),
        "{error}"
    );
    let given = project.arguments();
    let create: Vec<&str> = given.iter().map(String::as_str).take_while(|arg| *arg != "show").collect();
    let expect = [
        "create",
        "--json",
        "--actor=me",
        "--type=task",
        "--priority=2",
        "--description=-d",
        "--labels=perf",
        "--parent=demo-1ym",
        "--",
        "Child A",
    ];
    assert_eq!(create, expect);
    let new = NewBead { parent: Some(id("demo-1ym")), ..NewBead::titled("Child A") };
    let made = project.tracker.create(&new, &"me".parse().unwrap()).unwrap();
    assert_eq!(made.bead.id, id("demo-1ym.1"));
}

#[test]
fn changes_are_read_back() {
    let project = Project::new();
    let bob: Actor = "bob".parse().unwrap();
    let comment = project.tracker.add_comment(&id("demo-379"), "first comment", &bob).unwrap();
    assert_eq!(comment.author, "bob");
    let error = project.tracker.add_comment(&id("demo-379"), "another", &bob).unwrap_err();
    assert!(matches!(error, TrackerError::NotPersisted { .. }), "{error}");
    let blocked = project.tracker.set_status(&id("demo-1ym.1"), &BeadStatus::Blocked, &bob).unwrap();
    assert_eq!(blocked.status, BeadStatus::Blocked);
    let error = project.tracker.set_status(&id("demo-1ym.1"), &BeadStatus::Deferred, &bob).unwrap_err();
    assert!(matches!(error, TrackerError::NotPersisted { .. }), "{error}");
    let error = project.tracker.close(&id("demo-379"), &Close::default(), &bob).unwrap_err();
    assert!(matches!(error, TrackerError::Failed { .. }), "{error}");
}

#[test]
fn a_bead_of_another_assignee_is_not_claimed() {
    let project = Project::new();
    let error = project.tracker.claim(&id("demo-1ym.1"), &"agent-2".parse().unwrap()).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "agent-1"), "{error}");
    // The bead was unassigned when it was read, and assigned when it was claimed.
    let error = project.tracker.claim(&id("demo-379"), &"agent-2".parse().unwrap()).unwrap_err();
    assert!(matches!(&error, TrackerError::ClaimedByOther { by, .. } if by == "agent-1"), "{error}");
}

#[test]
fn every_recorded_refusal_is_understood() {
    let explained = |name: &str| {
        let stderr = fs::read(recorded(&format!("{name}.err"))).unwrap();
        let bead = id("demo-1");
        explain(CallError::Refused(json::refusal(b"", &stderr)), "br", "update", Some(&bead))
    };
    assert!(matches!(explained("41-show-missing"), TrackerError::NotFound { .. }));
    assert!(
        matches!(explained("43-claim-again"), TrackerError::ClaimedByOther { by, .. } if by == "agent-1")
    );
    assert!(
        matches!(explained("44-status-custom"), TrackerError::Refused { why, .. } if why.contains("in_review"))
    );
    assert!(matches!(explained("19-dep-cycle"), TrackerError::Cycle { .. }));
    assert!(
        matches!(explained("14-create-acceptance"), TrackerError::Unsupported { why } if why.contains("--acceptance"))
    );
    for (name, part) in [("01-not-init", "br init"), ("13-create-badprio", "0-4")] {
        let error = explained(name);
        assert!(
            matches!(&error, TrackerError::Failed { said, .. } if said.contains(part)),
            "{name}: {error}"
        );
    }
}

#[test]
fn every_recorded_list_is_read() {
    for (name, count) in [
        ("04-create-epic", 1),
        ("08-create-deps", 1),
        ("31-ready", 5),
        ("32-ready-sort", 2),
        ("33-blocked", 2),
        ("34-list", 9),
        ("37-show", 1),
        ("38-show-child", 1),
        ("39-show-epic", 1),
        ("42-claim", 1),
        ("46-close", 1),
        ("48-close-closed", 0),
        ("50-defer", 0),
        ("73-locktimeout", 4),
    ] {
        let output = fs::read(recorded(&format!("{name}.out"))).unwrap();
        let maps = json::document(&output).and_then(json::objects).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(maps.len(), count, "{name}");
        for map in &maps {
            Row::read(map).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
}

fn kept(labels: &[&str]) -> PinnedBead {
    PinnedBead {
        id: id("demo-0123456789"),
        title: "-x".into(),
        description: "a\nb".into(),
        issue_type: "chore".into(),
        priority: 1,
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        assignee: Some("ann".into()),
        metadata: serde_json::from_str("{\"memory_key\":\"k\"}").unwrap(),
    }
}

#[test]
fn pinned_beads_are_never_ready_and_have_their_metadata_in_the_notes() {
    let project = Project::new();
    project.arguments();
    let made =
        project.pinned.keep(&kept(&["agent:ann", "memory:learning"]), None, &"ann".parse().unwrap()).unwrap();
    assert_eq!(made, id("demo-1ym.1"), "br gives its own ids");
    let expect = [
        "create",
        "--json",
        "--actor=ann",
        "--type=chore",
        "--priority=1",
        "--description=a",
        "b",
        "--labels=agent:ann,memory:learning",
        "--defer=2999-01-01",
        "--assignee=ann",
        "--",
        "-x",
        "update",
        "demo-1ym.1",
        "--json",
        "--actor=ann",
        "--status=pinned",
        "--notes=```beads-console-memory",
        "{\"memory_key\":\"k\"}",
        "```",
    ];
    assert_eq!(project.arguments(), expect);
}

#[test]
fn pinned_beads_are_changed_closed_and_linked() {
    let project = Project::new();
    let ann: Actor = "ann".parse().unwrap();
    project.arguments();
    let known = id("demo-1ym");
    // The bead has the labels core and ui.
    project.pinned.keep(&kept(&["ui", "memory:learning"]), Some(&known), &ann).unwrap();
    let given = project.arguments();
    assert!(given.starts_with(&["update".into(), "demo-1ym".into()]), "{given:?}");
    for flag in ["--status=pinned", "--add-label=memory:learning", "--remove-label=core", "--title=-x"] {
        assert!(given.iter().any(|arg| arg == flag), "{flag} {given:?}");
    }
    assert!(!given.iter().any(|arg| arg == "--add-label=ui"), "{given:?}");
    project.pinned.link(&known, &id("demo-379"), "discovered-from", &ann).unwrap_err();
    let link = ["dep", "add", "demo-1ym", "demo-379", "--json", "--type=discovered-from", "--actor=ann"];
    assert_eq!(project.arguments(), link);
    project.pinned.link(&id("demo-1ym.2"), &id("demo-379"), "related", &ann).unwrap();
    project.arguments();
    project.pinned.unlink(&id("demo-1ym.2"), &id("demo-379"), &ann).unwrap();
    assert_eq!(project.arguments(), ["dep", "remove", "demo-1ym.2", "demo-379", "--json", "--actor=ann"]);
    project.pinned.set_closed(&known, Some("forgotten"), &ann).unwrap_err();
    let close = ["close", "demo-1ym", "--json", "--actor=ann", "--reason=forgotten", "--force"];
    assert_eq!(project.arguments(), close);
    assert_eq!(project.pinned.texts().unwrap(), None, "br has no separate memories");
}

#[test]
fn rows_are_found_by_a_label_in_brs_file() {
    let project = Project::new();
    let rows = project.pinned.rows("cor").unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["id"], "demo-1ym");
}

fn changes(text: &str) -> FieldChanges {
    FieldChanges { notes: Some(text.into()), ..FieldChanges::default() }
}

#[test]
fn unsupported_operations_of_br_are_listed_with_reasons() {
    let project = Project::new();
    let tracker = &project.tracker;
    let can = tracker.capabilities().unwrap();
    let lacks: Vec<&str> = can.unsupported.iter().map(|(field, _)| *field).collect();
    assert_eq!(lacks, ["due", "defer", "estimated_minutes", "external_ref"]);
    assert_eq!(can.delete, crate::Deletion::Permanent);
    let change = FieldChanges { due: Some(None), ..FieldChanges::default() };
    let error = tracker.update(&id("demo-379"), &change, None, &"ann".parse().unwrap()).unwrap_err();
    assert!(matches!(&error, TrackerError::Unsupported { why } if why.contains("due date")), "{error}");
    assert!(matches!(
        tracker.undelete(&id("demo-379"), &"ann".parse().unwrap()),
        Err(TrackerError::Unsupported { .. })
    ));
}

#[test]
fn every_field_is_changed_with_brs_flags_and_none_is_taken_for_an_option() {
    let project = Project::new();
    let ann: Actor = "ann".parse().unwrap();
    project.arguments();
    let change = FieldChanges {
        title: Some("-x".into()),
        description: Some("--d".into()),
        acceptance_criteria: Some("- [ ] ok".into()),
        priority: Some(0),
        issue_type: Some("docs".into()),
        assignee: Some(None),
        add_labels: vec!["new".into()],
        remove_labels: vec!["ui".into()],
        ..changes("-n")
    };
    // The recorded answers show another bead, so the change counts as failed.
    let error = project.tracker.update(&id("demo-1ym"), &change, None, &ann).unwrap_err();
    assert!(matches!(error, TrackerError::Failed { .. } | TrackerError::NotPersisted { .. }), "{error}");
    let given = project.arguments();
    let at = |words: &[&str]| given.windows(words.len()).position(|part| part == words);
    assert!(at(&["label", "remove", "demo-1ym", "ui", "--json", "--actor=ann"]).is_some(), "{given:?}");

    let row = |more: &str| {
        let text = format!("{{\"id\":\"demo-2\",\"status\":\"in_progress\"{more}}}");
        Row::read(serde_json::from_str::<serde_json::Value>(&text).unwrap().as_object().unwrap()).unwrap()
    };
    let requests = super::br_edits::edit(&row(""), &change, "ann").unwrap();
    let update = requests.last().unwrap();
    assert_eq!(
        update.args[4..],
        [
            "--title=-x",
            "--description=--d",
            "--acceptance-criteria=- [ ] ok",
            "--notes=-n",
            "--type=docs",
            "--priority=0",
            "--assignee=",
        ]
    );
    let parent = FieldChanges { parent: Some(Some(id("demo-3"))), ..FieldChanges::default() };
    let requests = super::br_edits::edit(&row(",\"parent\":\"demo-1\""), &parent, "ann").unwrap();
    let words: Vec<String> = requests.iter().map(|request| request.args.join(" ")).collect();
    assert_eq!(
        words,
        [
            "dep remove demo-2 demo-1 --json --actor=ann",
            "dep add demo-2 demo-3 --json --type=parent-child --actor=ann",
        ]
    );
    let open = FieldChanges { status: Some(BeadStatus::Open), ..FieldChanges::default() };
    let requests = super::br_edits::edit(&row(",\"labels\":[\"in_review\"]"), &open, "ann").unwrap();
    assert_eq!(requests[0].args[..4], ["label", "remove", "demo-2", "in_review"], "a review ends");
    assert_eq!(requests[1].args.last().map(String::as_str), Some("--status=open"));
}

#[test]
fn a_stale_edit_is_refused_before_br_writes() {
    let project = Project::new();
    let ann: Actor = "ann".parse().unwrap();
    let earlier = chrono::DateTime::parse_from_rfc3339("2026-11-20T17:00:00Z").unwrap();
    project.arguments();
    let error = project.tracker.update(&id("demo-379"), &changes("n"), Some(earlier), &ann).unwrap_err();
    assert!(matches!(error, TrackerError::Changed { .. }), "{error}");
    assert_eq!(project.arguments(), ["show", "demo-379", "--json"]);
}

#[test]
fn a_dependency_is_added_as_recorded_and_a_cycle_is_refused_before_br_runs() {
    let project = Project::new();
    let ann: Actor = "ann".parse().unwrap();
    project.arguments();
    let error = project.tracker.add_dependency(&id("demo-379"), &id("demo-2ij"), "blocks", &ann).unwrap_err();
    assert!(
        matches!(&error, TrackerError::Cycle { path } if *path == [id("demo-379"), id("demo-2ij")]),
        "{error}"
    );
    assert!(!project.arguments().contains(&"dep".to_owned()));
    // The recorded answer to `show` still has the dependency after its removal.
    let error = project.tracker.remove_dependency(&id("demo-1ym.2"), &id("demo-379"), &ann).unwrap_err();
    assert!(matches!(error, TrackerError::NotPersisted { .. }), "the recorded bead still has it: {error}");
    let given = project.arguments();
    assert!(given.windows(4).any(|part| part == ["dep", "remove", "demo-1ym.2", "demo-379"]), "{given:?}");
}

#[test]
fn a_bead_is_deleted_permanently_and_a_closed_one_reopened_as_recorded() {
    let project = Project::new();
    let ann: Actor = "ann".parse().unwrap();
    assert!(!project.tracker.delete(&id("demo-1ym.2"), &ann).unwrap());
    let error = project.tracker.delete(&id("demo-1ym.2"), &ann).unwrap_err();
    assert!(matches!(error, TrackerError::NotFound { .. }), "{error}");
    let error = project.tracker.reopen(&id("demo-379"), &ann).unwrap_err();
    assert!(matches!(&error, TrackerError::Refused { why, .. } if why == "it is not closed"), "{error}");
    fs::write(project.dir.path().join(".beads/closed"), "").unwrap();
    assert_eq!(project.tracker.reopen(&id("demo-379"), &ann).unwrap().status, BeadStatus::Open);
}
