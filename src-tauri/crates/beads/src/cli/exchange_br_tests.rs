//! Imports into br, with recorded answers; br itself is never run.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

use crate::{Environment, LeftOut, TrackerError, import, unfit};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, fs, path::PathBuf};

struct Project {
    dir: tempfile::TempDir,
    environment: Environment,
}

impl Project {
    fn new(import: &str) -> Project {
        let dir = tempfile::tempdir().unwrap();
        let beads = dir.path().join(".beads");
        fs::create_dir(&beads).unwrap();
        fs::write(beads.join("beads.db"), "").unwrap();
        let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        fs::copy(data.join("br-cli/final-issues.jsonl"), beads.join("issues.jsonl")).unwrap();
        let variables =
            vec![("ARGUMENTS".into(), dir.path().join("arguments").into()), ("IMPORT".into(), import.into())];
        let program = data.join("programs/recorded-br");
        let environment = Environment { br: Some(program), variables, ..Environment::default() };
        Project { dir, environment }
    }

    fn file(&self) -> String {
        fs::read_to_string(self.dir.path().join(".beads/issues.jsonl")).unwrap()
    }

    fn row(&self, id: &str) -> Map<String, Value> {
        let rows = self.file();
        let mut rows = rows.lines().map(|line| serde_json::from_str::<Map<String, Value>>(line).unwrap());
        rows.find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id}"))
    }

    fn import(&self, rows: &[Map<String, Value>]) -> Result<Vec<LeftOut>, TrackerError> {
        import(self.dir.path(), &self.environment, rows, &BTreeMap::new())
    }

    fn asked(&self, word: &str) -> usize {
        let given = fs::read_to_string(self.dir.path().join("arguments")).unwrap_or_default();
        given.lines().filter(|line| *line == word).count()
    }
}

fn row(id: &str, at: &str) -> Map<String, Value> {
    let row = json!({"id": id, "title": "T", "status": "open", "priority": 2, "issue_type": "task",
        "created_at": "2026-01-01T00:00:00Z", "updated_at": at});
    row.as_object().unwrap().clone()
}

#[test]
fn new_beads_are_written_to_the_file_and_imported_once() {
    let project = Project::new("");
    let before = project.file();
    let mut new = row("demo-new", "2026-11-21T00:00:00Z");
    // A comment id in bd's form: br would refuse the whole file.
    new.insert(
        "comments".into(),
        json!([{"id": "0199-uuid", "author": "ann", "text": "said", "created_at": "2026-01-01T00:00:00Z"}]),
    );
    assert_eq!(project.import(std::slice::from_ref(&new)).unwrap(), []);
    assert_eq!(project.row("demo-new")["comments"][0]["id"], 2, "1 is a comment of another bead");
    for line in before.lines() {
        assert!(project.file().lines().any(|other| other == line), "{line}");
    }
    assert_eq!((project.asked("--flush-only"), project.asked("--import-only")), (1, 1));
    // A repeated import changes nothing.
    let after = project.file();
    assert_eq!(project.import(&[new]).unwrap(), []);
    assert_eq!((project.file(), project.asked("--import-only")), (after, 1));
}

#[test]
fn later_local_beads_stay_and_beads_of_the_same_time_are_imported_as_later() {
    let project = Project::new("");
    let here = project.row("demo-379");
    let mut older = row("demo-379", "2026-01-01T00:00:00Z");
    older.insert("title".into(), json!("older"));
    project.import(&[older]).unwrap();
    assert_eq!(project.row("demo-379"), here);
    // br ignores a state with the same time as its own.
    let mut labelled = here.clone();
    labelled.insert("labels".into(), json!(["from-elsewhere"]));
    project.import(&[labelled]).unwrap();
    let now = project.row("demo-379");
    assert_eq!(now["labels"], json!(["from-elsewhere"]));
    assert_eq!(now["comments"][0]["id"], here["comments"][0]["id"]);
    let moment = |row: &Map<String, Value>| crate::row::time(row, "updated_at").unwrap();
    assert_eq!((moment(&now) - moment(&here)).num_microseconds(), Some(1));
}

#[test]
fn a_bead_that_br_cannot_store_is_left_out_and_reported_beforehand() {
    let project = Project::new("");
    let before = project.file();
    let mut untitled = row("demo-x", "2026-11-21T00:00:00Z");
    untitled.insert("title".into(), json!("t".repeat(501)));
    let rows = [row("other-1", "2026-11-21T00:00:00Z"), row("other-2", "2026-11-21T00:00:00Z"), untitled];
    let left = unfit(project.dir.path(), &project.environment, &rows).unwrap();
    let ids: Vec<&[String]> = left.iter().map(|left| left.ids.as_slice()).collect();
    assert_eq!(ids, [&["other-1".to_owned(), "other-2".to_owned()][..], &["demo-x".to_owned()][..]]);
    assert!(left[0].why.contains("demo-…"), "{left:?}");
    assert_eq!(project.import(&rows).unwrap(), left);
    assert_eq!((project.file(), project.asked("--import-only")), (before, 0));
}

#[test]
fn a_refused_import_leaves_brs_file_unchanged() {
    let project = Project::new("refused");
    let before = project.file();
    let error = project.import(&[row("demo-new", "2026-11-21T00:00:00Z")]).unwrap_err();
    assert!(matches!(&error, TrackerError::Failed { said, .. } if said.contains("line 2")), "{error}");
    assert_eq!(project.file(), before);
}

#[test]
fn an_import_without_effect_is_an_error() {
    let project = Project::new("forgotten");
    let left = project.import(&[row("demo-new", "2026-11-21T00:00:00Z")]).unwrap();
    assert_eq!(left[0].ids, ["demo-new"]);
    assert!(left[0].why.contains("does not have this state of them"), "{left:?}");
}

#[test]
fn conflict_markers_and_a_missing_br_are_named_and_nothing_is_written() {
    let mut project = Project::new("");
    let new = [row("demo-new", "2026-11-21T00:00:00Z")];
    let file = project.dir.path().join(".beads/issues.jsonl");
    fs::write(&file, "<<<<<<< HEAD\n").unwrap();
    let error = project.import(&new).unwrap_err();
    assert!(matches!(error, TrackerError::Conflict { line: 1, .. }), "{error}");
    project.environment.br = None;
    project.environment.path = Some("/nonexistent".into());
    let error = project.import(&new).unwrap_err();
    assert!(matches!(error, TrackerError::ProgramMissing { program: "br", .. }), "{error}");
    assert_eq!(project.file(), "<<<<<<< HEAD\n");
}
