//! Transfers of beads between trackers, including the real bd.

#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

use super::*;
use crate::{Actor, Close, InitChoice, NewBead, init, open};
use serde_json::json;
use std::{fs, path::PathBuf};

fn row(id: &str, at: &str, title: &str) -> Map<String, Value> {
    let row = json!({"id": id, "title": title, "status": "open", "priority": 2, "issue_type": "task",
        "created_at": "2026-01-01T00:00:00Z", "updated_at": at});
    row.as_object().unwrap().clone()
}

fn titles(root: &Path, environment: &Environment) -> Vec<String> {
    let mut titles: Vec<String> = everything(root, environment)
        .unwrap()
        .rows
        .iter()
        .map(|row| row["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

#[test]
fn the_embedded_store_imports_rows_unchanged_and_skips_older_ones() {
    let dir = tempfile::tempdir().unwrap();
    let environment = Environment::default();
    assert!(everything(dir.path(), &environment).unwrap().fresh);
    init(dir.path(), Some("tp"), InitChoice::Embedded, &environment).unwrap();
    let tracker = open(dir.path(), &environment).unwrap();
    let mine = tracker.create(&NewBead::titled("mine"), &Actor::for_user("ann")).unwrap().bead.id;
    let mut odd = row("tp-9", "2026-01-02T00:00:00Z", "odd");
    odd.insert("later_field".into(), json!({"x": 1}));
    let rows = [row(mine.as_str(), "2026-01-02T00:00:00Z", "older"), odd.clone()];
    for _ in 0..2 {
        import(dir.path(), &environment, &rows, &BTreeMap::new()).unwrap();
        assert_eq!(titles(dir.path(), &environment), ["mine", "odd"]);
    }
    assert!(everything(dir.path(), &environment).unwrap().rows.contains(&odd));
    assert_eq!(tracker.show(&mine).unwrap().bead.title, "mine");
    assert_eq!(tracker_remotes(dir.path(), &environment).unwrap(), None);
}

/// Imitates a git clone of a bd project: it has bd's configuration, but no database.
fn bd_clone(of: &Path, name: &str) -> PathBuf {
    let root = of.parent().unwrap().join(name);
    fs::create_dir_all(root.join(".beads")).unwrap();
    for file in ["config.yaml", "metadata.json"] {
        fs::copy(of.join(".beads").join(file), root.join(".beads").join(file)).unwrap();
    }
    bc_process::run::Program::new("git").args(["init", "-q"]).cwd(&root).run().unwrap();
    root
}

#[test]
fn a_full_export_of_the_real_bd_is_imported_into_a_fresh_clone() {
    let Some(bd) = std::env::var_os("BC_TEST_BD") else {
        eprintln!(
            "SKIPPED a_full_export_of_the_real_bd_is_imported_into_a_fresh_clone: BC_TEST_BD is not set"
        );
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let first = dir.path().join("first");
    fs::create_dir_all(&first).unwrap();
    let variables = vec![("HOME".into(), dir.path().into()), ("GIT_CONFIG_NOSYSTEM".into(), "1".into())];
    let environment = Environment { bd: Some(bd.into()), variables, ..Environment::default() };
    bc_process::run::Program::new("git").args(["init", "-q"]).cwd(&first).run().unwrap();
    init(&first, Some("tp"), InitChoice::Bd, &environment).unwrap();
    let (tracker, ann) = (open(&first, &environment).unwrap(), Actor::for_user("ann"));
    let one = tracker.create(&NewBead::titled("one"), &ann).unwrap().bead.id;
    let two = NewBead { blocked_by: vec![one.clone()], ..NewBead::titled("two") };
    let two = tracker.create(&two, &ann).unwrap().bead.id;
    tracker.add_comment(&one, "said", &ann).unwrap();
    tracker.submit(&one, crate::CustomStatus::Add, &ann).unwrap();
    let given = everything(&first, &environment).unwrap();
    assert_eq!((given.rows.len(), given.fresh), (2, false));

    let second = bd_clone(&first, "second");
    assert!(everything(&second, &environment).unwrap().fresh);
    let texts = BTreeMap::from([("redis".to_owned(), "Sessions live in Redis".to_owned())]);
    for _ in 0..2 {
        import(&second, &environment, &given.rows, &texts).unwrap();
        let other = open(&second, &environment).unwrap();
        let shown = other.show(&one).unwrap();
        assert_eq!(shown.bead.status, bc_core::bead::BeadStatus::InReview);
        assert_eq!(shown.comments.len(), 1);
        assert_eq!(other.show(&two).unwrap().bead.blocked_by, std::slice::from_ref(&one));
    }
    let pinned = crate::open_pinned(&second, &environment).unwrap().unwrap();
    assert_eq!(pinned.texts().unwrap().unwrap(), texts);
    // Later changes in the second clone are not overwritten.
    let other = open(&second, &environment).unwrap();
    other.close(&two, &Close { force: true, ..Close::default() }, &ann).unwrap();
    import(&second, &environment, &given.rows, &BTreeMap::new()).unwrap();
    assert_eq!(other.show(&two).unwrap().bead.status, bc_core::bead::BeadStatus::Closed);

    assert_eq!(tracker_remotes(&second, &environment).unwrap(), Some(Vec::new()));
    let answer = tracker_sync(&second, &environment, Direction::Push).unwrap();
    assert!(answer.contains("no remote"), "{answer}");
    let remote = dir.path().join("remote.git");
    bc_process::run::Program::new("git").args(["init", "-q", "--bare"]).arg(&remote).run().unwrap();
    // bd pushes to its own ref, but only to a remote that already has a branch.
    let git = |args: &[&str]| {
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let git = bc_process::run::Program::new("git").args(author).args(args).cwd(&second);
        assert!(git.run().unwrap().ok(), "git {args:?}");
    };
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    git(&["push", "-q", remote.to_str().unwrap(), "HEAD:refs/heads/main"]);
    let url = format!("git+file://{}", remote.display());
    let add = bc_process::run::Program::new(environment.bd.clone().unwrap())
        .args(["dolt", "remote", "add", "origin", &url])
        .cwd(&second)
        .env("HOME", dir.path());
    assert!(add.run().unwrap().ok());
    let remotes = tracker_remotes(&second, &environment).unwrap().unwrap();
    assert_eq!(remotes.iter().map(|remote| remote.name.as_str()).collect::<Vec<_>>(), ["origin"]);
    for direction in [Direction::Push, Direction::Pull] {
        assert!(!tracker_sync(&second, &environment, direction).unwrap().is_empty());
    }
}
