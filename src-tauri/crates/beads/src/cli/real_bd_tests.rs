//! The real bd, named by BC_TEST_BD. `bd init` takes seconds: one workspace serves many statements.
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

use crate::{
    Actor, Close, CustomStatus, Environment, InitChoice, ListFilter, NewBead, Tracker, TrackerError,
    TrackerKind, init, open,
};
use bc_core::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use bc_process::run::Program;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// A project with everything in its path that a shell would stumble over.
struct Project {
    _dir: tempfile::TempDir,
    root: PathBuf,
    environment: Environment,
}

impl Project {
    fn new(test: &str, name: &str) -> Option<Project> {
        let Some(bd) = std::env::var_os("BC_TEST_BD") else {
            eprintln!("SKIPPED {test}: BC_TEST_BD is not set");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join(name);
        let home = dir.path().join("home");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&home).unwrap();
        let variables = vec![
            ("HOME".into(), home.into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
            ("GIT_CONFIG_GLOBAL".into(), "/dev/null".into()),
        ];
        let environment = Environment { bd: Some(bd.into()), variables, ..Environment::default() };
        let project = Project { _dir: dir, root, environment };
        project.program("git").args(["init", "-q"]).run().unwrap();
        Some(project)
    }

    fn with_bd(test: &str, name: &str) -> Option<Project> {
        let project = Project::new(test, name)?;
        let made = init(&project.root, Some("tp"), InitChoice::Bd, &project.environment).unwrap();
        assert_eq!(made.prefix, "tp");
        Some(project)
    }

    fn tracker(&self) -> Box<dyn Tracker> {
        open(&self.root, &self.environment).unwrap()
    }

    fn program(&self, program: impl Into<PathBuf>) -> Program {
        let program = Program::new(program).cwd(&self.root).env("BD_DISABLE_METRICS", "1");
        self.environment.variables.iter().fold(program, |program, (key, value)| program.env(key, value))
    }

    /// What a person types.
    fn bd(&self, args: &[&str]) -> String {
        let done = self.program(self.environment.bd.clone().unwrap()).args(args).run().unwrap();
        assert!(done.ok(), "bd {args:?}: {} {}", done.out(), done.err());
        done.out()
    }
}

fn actor(text: &str) -> Actor {
    text.parse().unwrap()
}

fn alice() -> Actor {
    actor("alice/11111111")
}

fn by_id<'a>(beads: &'a [Bead], id: &BeadId) -> &'a Bead {
    beads.iter().find(|bead| bead.id == *id).unwrap_or_else(|| panic!("{id} is not listed"))
}

#[test]
fn the_real_bd_keeps_beads_in_a_hostile_path() {
    let Some(project) = Project::with_bd("the_real_bd_keeps_beads", "-päth 'q\" $(x) `y`; z") else {
        return;
    };
    let tracker = project.tracker();
    let info = tracker.describe();
    assert_eq!((info.kind, info.notice), (TrackerKind::Bd, None));
    assert!(info.version.is_some_and(|version| version.starts_with(char::is_numeric)));
    let metadata = fs::read_to_string(project.root.join(".beads/metadata.json")).unwrap();
    let id = tracker.project_id().unwrap().expect("bd gives its projects an id");
    assert!(metadata.contains(id.as_str()));

    lists_are_whole_and_right(&project, tracker.as_ref());
    changes_are_seen(tracker.as_ref());
    // After the others: megabytes make every later call slower.
    texts_survive(tracker.as_ref());
    a_held_database_is_a_timeout(&project);
}

#[test]
fn the_real_bds_rules_are_kept_and_explained() {
    let Some(project) = Project::with_bd("the_real_bds_rules", "proj") else { return };
    let tracker = project.tracker();
    a_claim_is_one_persons(&project, tracker.as_ref());
    in_review_is_a_state_that_is_asked_for(&project, tracker.as_ref());
    closing_follows_the_rules(&project, tracker.as_ref());
    what_is_wrong_is_said(tracker.as_ref());
}

fn lists_are_whole_and_right(project: &Project, tracker: &dyn Tracker) {
    let make = |new: NewBead| tracker.create(&new, &alice()).unwrap().bead;
    let epic = make(NewBead { issue_type: "epic".into(), priority: 1, ..NewBead::titled("epic") });
    let blocker = make(NewBead::titled("blocker"));
    let part = make(NewBead {
        parent: Some(epic.id.clone()),
        blocked_by: vec![blocker.id.clone()],
        labels: vec!["ui".into(), "-dash".into()],
        assignee: Some("carol".into()),
        ..NewBead::titled("part")
    });
    assert_eq!(
        (part.parent.as_ref(), &part.blocked_by, part.ready),
        (Some(&epic.id), &vec![blocker.id.clone()], false)
    );
    let deeper =
        make(NewBead { parent: Some(part.id.clone()), ..NewBead::titled("part of what is blocked") });
    assert!(!deeper.ready && deeper.blocked_by.is_empty());
    project.bd(&["create", "--title=gate", "--type=gate"]);
    project.bd(&["create", "--title=wisp", "--ephemeral"]);
    project.bd(&["create", "--title=memory", "--status=pinned"]);

    let board = tracker.list(&ListFilter::board()).unwrap();
    assert!(board.warnings.is_empty());
    let titles: Vec<&str> = board.beads.iter().map(|bead| bead.title.as_str()).collect();
    assert_eq!(titles, ["epic", "blocker", "part", "part of what is blocked"]);
    let listed = by_id(&board.beads, &part.id);
    assert_eq!((listed.parent.as_ref(), &listed.blocked_by), (Some(&epic.id), &vec![blocker.id.clone()]));
    assert_eq!(
        (listed.labels.clone(), listed.assignee.as_deref()),
        (vec!["-dash".into(), "ui".into()], Some("carol"))
    );
    assert_eq!(by_id(&board.beads, &blocker.id).unblocks, vec![part.id.clone()]);
    let ready: Vec<&str> = board.beads.iter().filter(|b| b.ready).map(|b| b.title.as_str()).collect();
    assert_eq!(ready, ["epic", "blocker"]);
    assert_eq!(tracker.ready().unwrap().iter().map(|b| b.title.as_str()).collect::<Vec<_>>(), ready);
    let blocked = tracker.blocked().unwrap();
    assert_eq!(by_id(&blocked, &part.id).blocked_by, vec![blocker.id.clone()]);
    assert_eq!(tracker.list(&ListFilter::everything()).unwrap().beads.len(), 7);
    let only_open = ListFilter { statuses: vec![BeadStatus::InProgress], ..ListFilter::board() };
    assert!(tracker.list(&only_open).unwrap().beads.is_empty());

    let shown = tracker.show(&part.id).unwrap();
    let links: Vec<_> = shown.links.iter().map(|link| (link.kind.as_str(), link.title.as_str())).collect();
    assert!(links.contains(&("parent-child", "epic")) && links.contains(&("blocks", "blocker")), "{links:?}");
    assert_eq!(tracker.show(&blocker.id).unwrap().bead.unblocks, vec![part.id.clone()]);

    // Over bd's own limits of 50 and 100.
    let lines: Vec<String> = (0..120).map(|n| format!("{{\"title\":\"many {n}\",\"priority\":4}}")).collect();
    let file = project.root.join("many.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    project.bd(&["import", "many.jsonl"]);
    assert_eq!(tracker.list(&ListFilter::board()).unwrap().beads.len(), 124);
    assert_eq!(tracker.ready().unwrap().len(), 122);
}

fn texts_survive(tracker: &dyn Tracker) {
    let hostile = "-x\n\n\"q\" 'q' \\ $(x) `y` %s \u{1b}[31m @/etc/passwd é 日本\ttab";
    for title in ["-rf", "@/etc/passwd", "multi\nline \u{1b}[2J \"q\" 'q' $(x) 日本", "  spaces  "] {
        let new = NewBead {
            description: format!("{hostile}\n{title}"),
            design: hostile.into(),
            acceptance_criteria: "- [ ] a\n- [ ] b".into(),
            notes: hostile.into(),
            ..NewBead::titled(title)
        };
        let made = tracker.create(&new, &alice()).unwrap();
        assert_eq!((&made.bead.title, &made.description), (&new.title, &new.description));
        assert_eq!(
            (&made.design, &made.acceptance_criteria, &made.notes),
            (&new.design, &new.acceptance_criteria, &new.notes)
        );
    }
    let big = "0123456789é\n\"\u{1b}".repeat(1 << 17);
    let made =
        tracker.create(&NewBead { description: big.clone(), ..NewBead::titled("big") }, &alice()).unwrap();
    assert!(made.description == big && big.len() > 1 << 20);
    let id = made.bead.id;
    let comment = tracker.add_comment(&id, hostile, &alice()).unwrap();
    assert_eq!((comment.text.as_str(), comment.author.as_str()), (hostile, "alice/11111111"));
    assert!(tracker.add_comment(&id, &big, &alice()).unwrap().text.trim_end() == big.trim_end());
    tracker.set_notes(&id, hostile, &alice()).unwrap();
    tracker.append_notes(&id, "-n", &alice()).unwrap();
    let shown = tracker.show(&id).unwrap();
    assert_eq!(shown.notes, format!("{hostile}\n-n"));
    assert_eq!(shown.comments.len(), 2);
    tracker.set_notes(&id, "", &alice()).unwrap();
    let error = tracker.set_notes(&id, &big, &alice()).unwrap_err();
    assert!(matches!(error, TrackerError::InvalidInput { .. }), "{error}");
}

fn a_claim_is_one_persons(project: &Project, tracker: &dyn Tracker) {
    let make = |title: &str| tracker.create(&NewBead::titled(title), &alice()).unwrap().bead.id;
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
        let threads: Vec<_> = (0..4)
            .map(|n| {
                let race = &race;
                // Each with its own tracker, as processes would have.
                scope.spawn(move || project.tracker().claim(race, &actor(&format!("user{n}"))))
            })
            .collect();
        let ends: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        for end in ends.iter().filter_map(|end| end.as_ref().err()) {
            assert!(matches!(end, TrackerError::ClaimedByOther { .. }), "{end}");
        }
        ends.iter().filter(|end| end.is_ok()).count()
    });
    assert_eq!(winners, 1);
}

fn in_review_is_a_state_that_is_asked_for(project: &Project, tracker: &dyn Tracker) {
    project.bd(&["config", "set", "status.custom", "triage:active"]);
    let id = tracker.create(&NewBead::titled("review"), &alice()).unwrap().bead.id;
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

    // As a project that was embedded before has it.
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
    let make = |new: NewBead| tracker.create(&new, &alice()).unwrap().bead.id;
    let id = make(NewBead::titled("close"));
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

    let epic = make(NewBead::titled("epic"));
    make(NewBead { parent: Some(epic.clone()), ..NewBead::titled("part") });
    let error = tracker.close(&epic, &close("", false), &alice()).unwrap_err();
    assert!(matches!(&error, TrackerError::Refused { why, .. } if why.contains("child")), "{error}");
    assert_eq!(tracker.close(&epic, &close("", true), &alice()).unwrap().status, BeadStatus::Closed);
    let blocked = make(NewBead::titled("blocked"));
    project.bd(&["update", blocked.as_str(), "--status=blocked"]);
    assert!(matches!(tracker.claim(&blocked, &alice()), Err(TrackerError::Refused { .. })));
}

fn what_is_wrong_is_said(tracker: &dyn Tracker) {
    let whole = tracker.create(&NewBead::titled("whole"), &alice()).unwrap().bead.id;
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

fn changes_are_seen(tracker: &dyn Tracker) {
    let mark = || tracker.change_mark().unwrap().expect("the embedded database has a manifest");
    let before = mark();
    tracker.list(&ListFilter::board()).unwrap();
    assert_eq!(mark(), before);
    tracker.create(&NewBead::titled("seen"), &alice()).unwrap();
    assert_ne!(mark(), before);
    assert!(tracker.watch_paths().iter().all(|path| path.is_dir()));
}

/// bd waits for a held database without an end: the deadline is ours.
fn a_held_database_is_a_timeout(project: &Project) {
    let lock = project.root.join(".beads/embeddeddolt/tp/.dolt/noms/LOCK");
    let held = bc_store::lock::FileLock::try_exclusive(&lock).unwrap().expect("nobody is at it");
    let environment = Environment { timeout: Duration::from_secs(2), ..project.environment.clone() };
    let tracker = open(&project.root, &environment).unwrap();
    let error = tracker.list(&ListFilter::board()).unwrap_err();
    assert!(matches!(error, TrackerError::TimedOut { program: "bd", .. }), "{error}");
    assert!(error.to_string().contains("end it and try again"), "{error}");
    drop(held);
    project.tracker().list(&ListFilter::board()).unwrap();
}

/// What both trackers say of the same beads, as lines that can be compared.
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

/// Opens an embedded project, hands it to bd, and compares what either says of it.
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
fn readiness_of_a_real_project_is_what_the_real_bd_says() {
    let Some(project) = Project::new("readiness_of_a_real_project", "proj") else { return };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beads/artifact-keeper-issues.jsonl");
    fs::create_dir(project.root.join(".beads")).unwrap();
    fs::copy(sample, project.root.join(".beads/issues.jsonl")).unwrap();
    is_taken_over_by_bd(&project);
}
