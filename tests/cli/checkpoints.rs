//! Checkpoints on the command line: a restore after three turns, its undo, and a fork.

#![allow(clippy::disallowed_methods, reason = "the tests play the user, who writes files as they like")]

use crate::{
    claude::{TIMEOUT, with_claude},
    console::{Console, need_sim},
};
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

fn turns(console: &Console, id: &str) -> Vec<Value> {
    let listed = console.json(&["session", "checkpoints", id]);
    let lines = listed["checkpoints"].as_array().unwrap().clone();
    lines.into_iter().filter(|line| line["restore"].is_null()).collect()
}

/// The user's git state, which a checkpoint must never change.
fn users_git(console: &Console) -> Vec<String> {
    let git = &console.sandbox;
    vec![
        git.git(["ls-files", "--stage"]),
        git.git(["rev-parse", "HEAD"]),
        git.git(["branch", "--list"]),
        git.git(["stash", "list"]),
    ]
}

/// Sends a prompt and waits for the end of its turn.
fn turn(console: &Console, id: &str, prompt: &str) {
    console.ok(&["session", "send", id, prompt]);
    console.wait_message("the prompt", id, |m| m["role"] == "user" && m["content"] == prompt);
    console.wait_idle(id);
}

/// Runs three turns, each of which writes a new version of the file `poem`. The user edits `mine.txt` before the
/// first and the third turn.
fn three_turns(console: &Console, id: &str, poem: &str) {
    let project = console.sandbox.project();
    console.wait_idle(id);
    fs::write(project.join("mine.txt"), "my first line\n").unwrap();
    turn(console, id, &format!("one [[write:{poem}:first poem]]"));
    turn(console, id, &format!("two [[write:{poem}:second poem]]"));
    fs::write(project.join("mine.txt"), "my second line\n").unwrap();
    console.sandbox.git(["add", "mine.txt"]);
    turn(console, id, &format!("three [[write:{poem}:third poem]]"));
}

fn restore_undo_and_fork(console: &Console, id: &str) -> Value {
    let read = |name: &str| console.sandbox.read(name);
    let listed = turns(console, id);
    let words: Vec<&str> = listed
        .iter()
        .flat_map(|line| line["turns"].as_array().unwrap())
        .map(|turn| turn["words"].as_str().unwrap().split(' ').next().unwrap())
        .collect();
    assert_eq!(words[words.len() - 3..], ["one", "two", "three"]);
    let turn_of = |word: &str| {
        let turns = listed.iter().flat_map(|line| line["turns"].as_array().unwrap());
        let turn = turns.into_iter().find(|turn| turn["words"].as_str().unwrap().starts_with(word));
        turn.unwrap()["turn"].as_u64().unwrap().to_string()
    };
    let git = users_git(console);
    let restored = console.json(&["session", "restore", id, "--turn", &turn_of("two")]);
    assert_eq!(restored["written"], json!(["mine.txt", "poem.txt"]), "{restored:#}");
    assert_eq!((read("poem.txt").trim(), read("mine.txt").trim()), ("first poem", "my first line"));
    assert_eq!(users_git(console), git);
    let undo = restored["undo"].to_string();
    console.json(&["session", "restore", id, "--checkpoint", &undo, "mine.txt"]);
    assert_eq!((read("poem.txt").trim(), read("mine.txt").trim()), ("first poem", "my second line"));
    console.json(&["session", "restore", id, "--checkpoint", &undo]);
    assert_eq!(read("poem.txt").trim(), "third poem");
    assert_eq!(users_git(console), git);
    console.fails(&["session", "restore", id, "--checkpoint", "99"], "checkpoint_not_found", 3);
    console.fails(&["session", "restore", id, "--turn", "1", "../outside"], "usage", 2);

    let fork = console.json(&["session", "fork", id, "--turn", &turn_of("three")]);
    let session = fork["session"].clone();
    assert_eq!(fork["warnings"], json!([]), "{fork:#}");
    let folder = PathBuf::from(session["cwd"].as_str().unwrap());
    assert_ne!(folder, console.sandbox.project());
    assert_eq!(fs::read_to_string(folder.join("poem.txt")).unwrap().trim(), "second poem");
    assert_eq!(fs::read_to_string(folder.join("mine.txt")).unwrap(), "my second line\n");
    assert_eq!(read("poem.txt").trim(), "third poem", "the other session's files are untouched");
    assert_eq!(session["forked_from"]["session"], json!(id));
    session
}

#[test]
fn three_turns_are_restored_undone_and_forked() {
    if need_sim("three_turns_are_restored_undone_and_forked").is_none() {
        return;
    }
    let console = Console::new();
    let mode = ["--simulated", "--mode", "bypassPermissions", "--prompt", "hello"];
    let id = console.start(&mode);
    three_turns(&console, &id, "poem.txt");
    let fork = restore_undo_and_fork(&console, &id);
    let fork = fork["id"].as_str().unwrap();
    console.ok(&["session", "send", fork, "go on in the fork"]);
    console.wait_message("the prompt", fork, |m| m["content"] == "go on in the fork");
    console.ok(&["session", "end", fork]);
    console.ok(&["session", "end", &id]);
    assert!(turns(&console, &id).len() >= 3, "a closed session keeps its checkpoints");
}

#[test]
fn three_turns_of_the_real_claude_are_restored_undone_and_forked() {
    let test = "three_turns_of_the_real_claude_are_restored_undone_and_forked";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let id = console.start(&["--mode", "acceptEdits", "--prompt", "hello"]);
    three_turns(&console, &id, console.sandbox.project().join("poem.txt").to_str().unwrap());
    let fork = restore_undo_and_fork(&console, &id);
    let fork = fork["id"].as_str().unwrap();
    // The fork continues the conversation before the third prompt.
    console.wait_idle(fork);
    console.ok(&["session", "send", fork, "go on in the fork"]);
    let request = api.wait_for("go on in the fork", TIMEOUT).body.to_string();
    console.wait_message("an answer", fork, |m| m["content"] == "Reply to: go on in the fork");
    // Claude may also report that a file from the other session has changed since it was read, so only the
    // prompts are compared.
    assert!(request.contains("two [[write") && !request.contains("three [[write"), "{request}");
    let messages = console.json(&["session", "transcript", fork]);
    let messages = messages["messages"].to_string();
    assert!(messages.contains("two [[write") && !messages.contains("three [[write"), "{messages}");
}
