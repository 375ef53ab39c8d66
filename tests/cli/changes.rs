//! The changes of live and closed sessions, in a worktree and in the main tree.

#![allow(clippy::disallowed_methods, reason = "the tests play the user, who writes files as they like")]

use crate::console::{Console, need_sim};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

fn changes(console: &Console, id: &str) -> Value {
    console.json(&["session", "changes", id])
}

/// The path, the kind of change, and the numbers of added and removed lines of each file.
fn files(changes: &Value) -> Vec<Value> {
    let files = changes["files"].as_array().unwrap();
    files.iter().map(|f| json!([f["path"], f["change"], f["added"], f["removed"]])).collect()
}

/// A project with a committed file.
fn console() -> Console {
    let console = Console::new();
    console.sandbox.write("a.txt", "one\ntwo\n");
    console.sandbox.git(["add", "a.txt"]);
    console.sandbox.git(["commit", "-qm", "a"]);
    console
}

#[test]
fn changes_list_commits_and_uncommitted_files() {
    if need_sim("changes_list_commits_and_uncommitted_files").is_none() {
        return;
    }
    let console = console();
    let id = console.start(&[
        "--simulated",
        "--mode",
        "bypassPermissions",
        "--worktree",
        "--branch",
        "work",
        "--prompt",
        "[[write:made.txt:hello]] [[bash:git add made.txt && git commit -qm made]]",
    ]);
    console.wait_idle(&id);
    let worktree = PathBuf::from(console.show(&id)["cwd"].as_str().unwrap());
    fs::write(worktree.join("a.txt"), "one\nTWO\n").unwrap();
    fs::write(worktree.join("new.txt"), "not added").unwrap();

    let listed = changes(&console, &id);
    assert_eq!(listed["of"], "folder", "{listed:#}");
    assert_eq!(listed["base"], json!(console.sandbox.git(["rev-parse", "HEAD"])), "{listed:#}");
    assert_eq!(listed["commits"][0]["subject"], "made", "{listed:#}");
    assert_eq!(
        files(&listed),
        [
            json!(["a.txt", "modified", 1, 1]),
            json!(["made.txt", "added", 1, 0]),
            json!(["new.txt", "added", 1, 0]),
        ],
        "{listed:#}"
    );
    assert_eq!(listed["uncommitted"], json!(["a.txt", "new.txt"]));
    assert!(listed["files"][0]["diff"].as_str().unwrap().contains("\n-two\n+TWO\n"), "{listed:#}");
    let shown = console.ok(&["session", "changes", &id, "--diff"]);
    assert!(shown.contains("Not in a commit\n  a.txt\n  new.txt\n") && shown.contains("+TWO"), "{shown}");

    fs::write(worktree.join("a.txt"), "one\n  two\n").unwrap();
    let ignored = console.json(&["session", "changes", &id, "--ignore-space"]);
    assert_eq!(files(&ignored)[0], json!(["a.txt", "modified", 0, 0]), "{ignored:#}");

    // A closed session shows the same changes while its folder is unchanged, and later the commits in its
    // record.
    let before = changes(&console, &id);
    console.ok(&["session", "end", &id]);
    let closed = changes(&console, &id);
    assert_eq!((&closed["of"], &closed["commits"]), (&before["of"], &before["commits"]), "{closed:#}");
    assert_eq!(
        (&closed["files"], &closed["uncommitted"]),
        (&before["files"], &before["uncommitted"]),
        "{closed:#}"
    );
    fs::write(worktree.join("later.txt"), "by another user").unwrap();
    let closed = changes(&console, &id);
    assert_eq!((&closed["of"], &closed["uncommitted"]), (&json!("commits"), &json!([])), "{closed:#}");
    assert_eq!(files(&closed), [json!(["made.txt", "added", 1, 0])], "{closed:#}");
}

#[test]
fn changes_exclude_edits_before_the_session() {
    if need_sim("changes_exclude_edits_before_the_session").is_none() {
        return;
    }
    let console = console();
    console.sandbox.write("a.txt", "one\nmine\n");
    console.sandbox.write("notes.txt", "mine\n");
    let id = console.start(&[
        "--simulated",
        "--mode",
        "bypassPermissions",
        "--no-worktree",
        "--prompt",
        "[[write:made.txt:hello]]",
    ]);
    console.wait_idle(&id);
    let listed = changes(&console, &id);
    assert_eq!(files(&listed), [json!(["made.txt", "added", 1, 0])], "{listed:#}");
    let before: Vec<&str> = listed["before"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(before.contains(&"a.txt") && before.contains(&"notes.txt"), "{listed:#}");
    console.fails(&["session", "changes", "00000000"], "session_not_found", 3);
    console.ok(&["session", "end", &id]);
}
