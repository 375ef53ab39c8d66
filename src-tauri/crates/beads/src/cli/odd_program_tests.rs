//! Tests with faulty programs: wrong, outdated, silent, busy, verbose, or reporting false success.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

use crate::{Environment, FieldChanges, ListFilter, Tracker, TrackerError, open};
use std::{fs, path::PathBuf, time::Duration};

struct Project {
    dir: tempfile::TempDir,
    environment: Environment,
}

impl Project {
    fn new(odd: &str) -> Project {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join(".beads/embeddeddolt")).unwrap();
        let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/programs/odd-bd");
        let variables = vec![("ODD".into(), odd.into()), ("TRIES".into(), dir.path().join("tries").into())];
        let environment = Environment { bd: Some(program), variables, ..Environment::default() };
        Project { dir, environment }
    }

    fn open(&self) -> Result<Box<dyn Tracker>, TrackerError> {
        open(self.dir.path(), &self.environment)
    }

    fn list(&self) -> Result<crate::Listing, TrackerError> {
        self.open().unwrap().list(&ListFilter::board())
    }
}

#[test]
fn another_program_named_bd_is_reported_with_its_output() {
    for (odd, word) in [("another", "beads-rs 0.4.2"), ("failing", "unknown option")] {
        let error = Project::new(odd).open().err().unwrap();
        assert!(matches!(&error, TrackerError::WrongProgram { said, .. } if said.contains(word)), "{error}");
        let text = error.to_string();
        assert!(text.contains("odd-bd") && text.contains("BC_BD"), "{text}");
    }
}

#[test]
fn an_old_bd_is_reported() {
    let error = Project::new("old").open().err().unwrap();
    assert!(matches!(&error, TrackerError::TooOld { version, .. } if version == "0.47.1"), "{error}");
    assert!(error.to_string().contains("go install"), "{error}");
    let error = Project::new("before-the-oldest").open().err().unwrap();
    assert!(matches!(&error, TrackerError::TooOld { version, .. } if version == "1.2.0-rc.1"), "{error}");
    let text = error.to_string();
    assert!(text.contains("or newer is needed: install bd 1."), "{text}");
}

#[test]
fn a_program_that_never_answers_is_stopped_at_the_deadline() {
    let mut project = Project::new("mute");
    project.environment.timeout = Duration::from_millis(100);
    let error = project.open().err().unwrap();
    assert!(matches!(error, TrackerError::TimedOut { operation: "version", .. }), "{error}");
}

#[test]
fn a_missing_named_program_is_an_error() {
    let mut project = Project::new("another");
    project.environment.bd = Some("/nonexistent/bd".into());
    let error = project.open().err().unwrap();
    assert!(matches!(error, TrackerError::Run { .. }), "{error}");
}

#[test]
fn a_busy_database_is_retried() {
    let project = Project::new("busy");
    assert!(project.list().unwrap().beads.is_empty());
    let tries = fs::read_to_string(project.dir.path().join("tries")).unwrap();
    assert!(tries.lines().count() >= 3);
}

#[test]
fn a_read_is_retried_after_a_crash_and_a_write_is_not() {
    let project = Project::new("panics");
    assert!(project.list().unwrap().beads.is_empty());
    let error = project
        .open()
        .unwrap()
        .add_comment(&"a-1".parse().unwrap(), "text", &"alice".parse().unwrap())
        .unwrap_err();
    assert!(error.to_string().contains("panic: runtime error"), "{error}");
    let tries = fs::read_to_string(project.dir.path().join("tries")).unwrap();
    let count = |word: &str| tries.lines().filter(|line| *line == word).count();
    assert_eq!((count("list"), count("comment")), (2, 1), "{tries}");
}

#[test]
fn output_around_the_answer_is_ignored() {
    let listing = Project::new("chatty").list().unwrap();
    assert_eq!((listing.beads.len(), listing.warnings.len()), (1, 1));
}

#[test]
fn an_older_bd_is_called_without_newer_flags() {
    assert_eq!(Project::new("old-flags").list().unwrap().beads.len(), 1);
}

#[test]
fn an_unparsable_answer_is_an_error_and_not_an_empty_list() {
    let error = Project::new("prose").list().unwrap_err();
    assert!(matches!(&error, TrackerError::Unreadable { said, .. } if said == "No issues."), "{error}");
    let error = Project::new("gone").list().unwrap_err();
    assert!(matches!(&error, TrackerError::Failed { said, .. } if said.contains("signal")), "{error}");
}

/// A project with a database. Some of the faulty programs change the database's root hash, others do not.
fn with_a_database(odd: &str) -> Project {
    let mut project = Project::new(odd);
    let noms = project.dir.path().join(".beads/embeddeddolt/a/.dolt/noms");
    fs::create_dir_all(&noms).unwrap();
    fs::write(noms.join("manifest"), "root").unwrap();
    project.environment.variables.push(("MANIFEST".into(), noms.join("manifest").into()));
    project.environment.cache = Some(project.dir.path().join("cache"));
    project
}

/// Returns the commands that the program ran, and clears the record.
fn asked(project: &Project) -> Vec<String> {
    let file = project.dir.path().join("tries");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(file);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_write_runs_one_process_and_the_version_is_cached_by_file() {
    let project = with_a_database("honest");
    let (id, alice) = ("a-1".parse().unwrap(), "alice".parse().unwrap());
    let made = project.open().unwrap().create(&crate::NewBead::titled("One"), &alice).unwrap();
    assert!(made.bead.ready);
    assert_eq!(asked(&project), ["version", "create"]);
    // Each newly opened tracker imitates a separate process of this program, such as a command.
    let tracker = project.open().unwrap();
    tracker.claim(&id, &alice).unwrap();
    assert_eq!(tracker.show(&id).unwrap().bead.assignee.as_deref(), Some("alice"));
    assert_eq!(asked(&project), ["update"], "the created bead is in the cache: the mark is the expected one");
    let tracker = project.open().unwrap();
    tracker.add_comment(&id, "text", &alice).unwrap();
    let shown = tracker.show(&id).unwrap();
    assert_eq!((shown.comments.len(), &shown.bead.status), (1, &bc_core::bead::BeadStatus::InProgress));
    assert_eq!(asked(&project), ["comment"]);
    let tracker = project.open().unwrap();
    assert_eq!(tracker.close(&id, &crate::Close::default(), &alice).unwrap().status.as_str(), "closed");
    assert_eq!(asked(&project), ["close"]);
    // Another program makes a change: the cached row is no longer valid.
    fs::write(project.dir.path().join(".beads/embeddeddolt/a/.dolt/noms/manifest"), "other").unwrap();
    project.open().unwrap().claim(&id, &alice).unwrap_err();
    assert_eq!(asked(&project)[0], "show");
}

#[test]
fn an_answer_is_rejected_if_the_mark_is_unchanged_or_the_bead_differs() {
    for odd in ["idle", "elsewhere"] {
        let project = with_a_database(odd);
        let error =
            project.open().unwrap().claim(&"a-1".parse().unwrap(), &"alice".parse().unwrap()).unwrap_err();
        assert!(matches!(&error, TrackerError::NotPersisted { .. }), "{odd}: {error}");
        assert_eq!(asked(&project), ["version", "show", "update", "show"], "{odd}");
    }
}

#[test]
fn a_claim_reported_without_effect_is_an_error() {
    let project = Project::new("liar");
    let tracker = project.open().unwrap();
    let error = tracker.claim(&"a-1".parse().unwrap(), &"alice".parse().unwrap()).unwrap_err();
    assert!(matches!(&error, TrackerError::NotPersisted { .. }), "{error}");
    let error = tracker.set_notes(&"a-1".parse().unwrap(), "n", &"alice".parse().unwrap()).unwrap_err();
    assert!(matches!(&error, TrackerError::NotPersisted { .. }), "{error}");
}

fn new_title() -> FieldChanges {
    FieldChanges { title: Some("New".into()), ..FieldChanges::default() }
}

#[test]
fn an_edit_of_a_shown_bead_runs_one_process_despite_output_before_the_answer() {
    let project = with_a_database("editor");
    let (id, alice) = ("a-1".parse().unwrap(), "alice".parse().unwrap());
    let tracker = project.open().unwrap();
    let opened = tracker.show(&id).unwrap().bead.updated_at;
    asked(&project);
    let shown = tracker.update(&id, &new_title(), opened, &alice).unwrap();
    assert_eq!(shown.bead.title, "New");
    assert_eq!(tracker.show(&id).unwrap().bead.title, "New");
    assert_eq!(asked(&project), ["update"]);
    // The bead has changed since `opened`.
    let error = tracker.update(&id, &new_title(), opened, &alice).unwrap_err();
    assert!(matches!(error, TrackerError::Changed { .. }), "{error}");
    assert_eq!(asked(&project), Vec::<String>::new(), "the refusal needs no run of the program");
}

#[test]
fn an_edit_deletion_or_link_reported_without_effect_is_an_error() {
    let mut project = with_a_database("editor");
    project.environment.variables.push(("IDLE".into(), "1".into()));
    let (id, on, alice) = ("a-1".parse().unwrap(), "a-2".parse().unwrap(), "alice".parse().unwrap());
    let tracker = project.open().unwrap();
    let not_made = |error: TrackerError| {
        assert!(matches!(&error, TrackerError::NotPersisted { .. }), "{error}");
    };
    not_made(tracker.update(&id, &new_title(), None, &alice).unwrap_err());
    not_made(tracker.delete(&id, &alice).unwrap_err());
    not_made(tracker.add_dependency(&id, &on, "blocks", &alice).unwrap_err());
}

#[test]
fn a_slow_edit_completes_or_fails_at_the_deadline_with_the_reason() {
    let mut project = with_a_database("editor");
    project.environment.variables.push(("SLOW".into(), "1".into()));
    let (id, alice) = ("a-1".parse().unwrap(), "alice".parse().unwrap());
    let tracker = project.open().unwrap();
    assert_eq!(tracker.update(&id, &new_title(), None, &alice).unwrap().bead.title, "New");
    project.environment.variables.push(("SLOW".into(), "600".into()));
    project.environment.timeout = Duration::from_secs(2);
    let error = project.open().unwrap().update(&id, &new_title(), None, &alice).unwrap_err();
    assert!(matches!(&error, TrackerError::TimedOut { operation: "update", .. }), "{error}");
}

#[test]
fn a_program_that_is_removed_or_replaced_while_we_run_is_reported_and_found_again() {
    let mut project = with_a_database("editor");
    let program = project.dir.path().join("bd");
    let odd = project.environment.bd.clone().unwrap();
    fs::copy(&odd, &program).unwrap();
    project.environment.bd = Some(program.clone());
    let (id, alice) = ("a-1".parse().unwrap(), "alice".parse().unwrap());
    let tracker = project.open().unwrap();
    tracker.show(&id).unwrap();
    fs::remove_file(&program).unwrap();
    let error = tracker.update(&id, &new_title(), None, &alice).unwrap_err();
    assert!(matches!(&error, TrackerError::Run { operation: "update", .. }), "{error}");
    // An upgrade: another file under the same name.
    fs::copy(&odd, &program).unwrap();
    assert_eq!(tracker.update(&id, &new_title(), None, &alice).unwrap().bead.title, "New");
}
