//! Tests with the real bd, which BC_TEST_BD names. `bd init` takes seconds, so one workspace serves many
//! checks.
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

mod contract;
mod rules;
mod server;
mod takeover;

use crate::{
    Actor, Environment, InitChoice, ListFilter, NewBead, Tracker, TrackerError, TrackerKind, init, open,
};
use bc_core::{
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use bc_process::run::Program;
use std::{fs, path::PathBuf, time::Duration};

/// A project in a temporary folder, with its own HOME and git settings.
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

    fn put(&self, name: &str, content: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Creates a bead as a user would.
    fn quick(&self, title: &str) -> BeadId {
        self.bd(&["create", "--silent", "--title", title]).trim().parse().unwrap()
    }

    /// Runs bd as a user would.
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
    // After the other checks, because megabytes slow down every later call.
    texts_survive(tracker.as_ref());
    a_held_database_is_a_timeout(&project);
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
    // bd's times have whole seconds, so beads of the same priority may tie.
    assert_eq!(titles[0], "epic");
    assert!(board.beads.is_sorted_by_key(|bead| (bead.priority, bead.created_at)), "{titles:?}");
    let mut all = titles.clone();
    all.sort_unstable();
    assert_eq!(all, ["blocker", "epic", "part", "part of what is blocked"]);
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

    // Above bd's own limits of 50 and 100.
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

#[test]
fn the_real_bd_provides_the_facts_of_a_recovery_block() {
    let Some(project) = Project::with_bd("the_real_bd_provides_the_facts_of_a_recovery_block", "project")
    else {
        return;
    };
    crate::facts_check::check(project.tracker().as_ref());
    let mark = crate::change_mark(&project.root, &project.environment).unwrap();
    assert_eq!(mark, project.tracker().change_mark().unwrap());
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

/// bd waits indefinitely for a locked database, so our deadline ends the call.
fn a_held_database_is_a_timeout(project: &Project) {
    let lock = project.root.join(".beads/embeddeddolt/tp/.dolt/noms/LOCK");
    let held = bc_store::lock::FileLock::try_exclusive(&lock).unwrap().expect("no process holds it");
    let environment = Environment { timeout: Duration::from_secs(2), ..project.environment.clone() };
    let tracker = open(&project.root, &environment).unwrap();
    let error = tracker.list(&ListFilter::board()).unwrap_err();
    assert!(matches!(error, TrackerError::TimedOut { program: "bd", .. }), "{error}");
    assert!(error.to_string().contains("end it and try again"), "{error}");
    drop(held);
    project.tracker().list(&ListFilter::board()).unwrap();
}
