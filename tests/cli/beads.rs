//! `bead …` commands with the embedded store and with the real bd.

use crate::console::Console;
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<&str> {
    list["beads"].as_array().unwrap().iter().map(|bead| bead["id"].as_str().unwrap()).collect()
}

/// Takes a bead from open to closed, which unblocks another bead.
fn check_lifecycle(console: &Console) {
    let parent = console.bead("Accounts", &["--type", "epic"]);
    let login = console.bead(
        "Implement login",
        &[
            "-d",
            "With a form.\n\nAnd cookies.",
            "--acceptance",
            "It works.",
            "--type",
            "feature",
            "--priority",
            "P1",
            "--label",
            "auth",
            "--label",
            "ui",
            "--parent",
            &parent,
        ],
    );
    let signup = console.bead("Sign-up", &["--blocked-by", &login, "--type", "bug"]);

    let ready = console.json(&["bead", "ready"]);
    assert!(ids(&ready).contains(&login.as_str()) && !ids(&ready).contains(&signup.as_str()), "{ready:#}");
    let blocked = console.json(&["bead", "blocked"]);
    assert_eq!(ids(&blocked), [signup.as_str()]);
    assert_eq!(blocked["beads"][0]["blocked_by"], json!([login]));

    let shown = console.json(&["bead", "show", &login])["bead"].clone();
    assert_eq!(
        (&shown["title"], &shown["priority"], &shown["issue_type"]),
        (&json!("Implement login"), &json!(1), &json!("feature"))
    );
    assert_eq!(shown["description"], "With a form.\n\nAnd cookies.");
    assert_eq!(shown["acceptance_criteria"], "It works.");
    assert_eq!((&shown["parent"], &shown["unblocks"]), (&json!(parent), &json!([signup])), "{shown:#}");
    let mut labels: Vec<&str> =
        shown["labels"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["auth", "ui"]);

    let claimed = console.json(&["bead", "claim", &login])["bead"].clone();
    assert_eq!(claimed["status"], "in_progress");
    assert!(claimed["assignee"].as_str().is_some_and(|who| !who.is_empty()), "{claimed:#}");
    assert_eq!(ids(&console.json(&["bead", "list", "--status", "in_progress"])), [login.as_str()]);

    console.json(&["bead", "close", &login, "--reason", "shipped"]);
    let closed = console.json(&["bead", "show", &login])["bead"].clone();
    assert_eq!((&closed["status"], &closed["close_reason"]), (&json!("closed"), &json!("shipped")));
    assert!(
        ids(&console.json(&["bead", "ready"])).contains(&signup.as_str()),
        "a bead is not ready although its blocker is closed"
    );
}

#[test]
fn a_bead_goes_from_open_to_closed_in_the_embedded_store() {
    check_lifecycle(&Console::new());
}

#[test]
fn a_bead_goes_from_open_to_closed_in_the_real_bd() {
    if let Some(console) = Console::with_bd("a_bead_goes_from_open_to_closed_in_the_real_bd") {
        check_lifecycle(&console);
    }
}

#[test]
fn submit_on_bd_asks_before_it_adds_the_status() {
    let Some(console) = Console::with_bd("submit_on_bd_asks_before_it_adds_the_status") else { return };
    let id = console.bead("First", &[]);
    console.ok(&["bead", "claim", &id]);
    let message = console.fails(&["bead", "submit", &id, "--without-commit"], "confirmation_needed", 4);
    assert!(message.contains("in_review") && message.contains("--yes"), "{message}");
    assert_eq!(console.json(&["bead", "show", &id])["bead"]["status"], "in_progress");
    assert_eq!(
        console.json(&["bead", "submit", &id, "--without-commit", "--yes"])["bead"]["status"],
        "in_review"
    );
    let second = console.bead("Second", &[]);
    assert_eq!(
        console.json(&["bead", "submit", &second, "--without-commit"])["bead"]["status"],
        "in_review",
        "consent is not needed again, because the status exists"
    );
}

#[test]
fn submit_in_the_embedded_store_asks_nothing() {
    let console = Console::new();
    let id = console.bead("First", &[]);
    console.ok(&["bead", "claim", &id]);
    assert_eq!(console.json(&["bead", "submit", &id, "--without-commit"])["bead"]["status"], "in_review");
    assert_eq!(ids(&console.json(&["bead", "list", "--status", "in_review"])), [id.as_str()]);
}

fn check_refusals(console: &Console) {
    for line in [
        &["bead", "show", "BC-none"][..],
        &["bead", "claim", "BC-none"],
        &["bead", "close", "BC-none"],
        &["bead", "submit", "BC-none", "--yes"],
    ] {
        let message = console.fails(line, "bead_not_found", 3);
        assert!(message.contains("BC-none"), "{line:?}: {message}");
    }
    let id = console.bead("First", &[]);
    console.ok(&["bead", "claim", &id, "--actor", "alice"]);
    let message = console.fails(&["bead", "claim", &id, "--actor", "bob"], "bead_claimed", 4);
    assert!(message.contains("alice"), "{message}");
}

#[test]
fn missing_and_claimed_beads_are_refused_in_the_embedded_store() {
    check_refusals(&Console::new());
}

#[test]
fn missing_and_claimed_beads_are_refused_by_the_real_bd() {
    if let Some(console) = Console::with_bd("missing_and_claimed_beads_are_refused_by_the_real_bd") {
        check_refusals(&console);
    }
}

#[test]
fn escape_sequences_in_a_bead_are_text_only() {
    let console = Console::new();
    let title = "Red \u{1b}[31malert\u{1b}[0m \u{202e}txet";
    let id = console.bead(title, &["-d", "\u{1b}]0;owned\u{7}\u{1b}[2Jgone", "--label", "x"]);
    for line in [&["bead", "list"][..], &["bead", "ready"], &["bead", "show", &id]] {
        let out = console.ok(line);
        assert!(!out.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{line:?}: {out:?}");
        assert!(out.contains("alert"), "{line:?}: {out:?}");
    }
}

#[test]
fn a_title_is_one_line_of_text() {
    let console = Console::new();
    for title in ["", "   ", &"x".repeat(501)] {
        console.fails(&["bead", "create", title], "usage", 2);
    }
    let made: Value =
        serde_json::from_str(&console.ok(&["bead", "create", "--json", "--", "--force"])).unwrap();
    assert_eq!(made["bead"]["title"], "--force");
}

/// Checks that a bead claimed under another name can only be closed under that name, and that a refusal names
/// the claimant.
fn check_close_by_claimant(console: &Console) {
    let id = console.bead("First", &["--actor", "carol"]);
    console.ok(&["bead", "claim", &id, "--actor", "carol"]);
    let message = console.fails(&["bead", "close", &id], "bead_claimed", 4);
    assert!(message.contains("claimed by carol") && message.contains("--actor"), "{message}");
    console.ok(&["bead", "comment", &id, "- done", "--actor", "carol"]);
    let closed = console.json(&["bead", "close", &id, "--actor", "carol"])["bead"].clone();
    assert_eq!((&closed["status"], &closed["comments"][0]["author"]), (&json!("closed"), &json!("carol")));
    let second = console.bead("Second", &[]);
    console.ok(&["bead", "claim", &second, "--actor", "carol"]);
    let submitted =
        console.json(&["bead", "submit", &second, "--actor", "carol", "--without-commit", "--yes"]);
    assert_eq!(submitted["bead"]["status"], "in_review");
}

#[test]
fn a_bead_is_closed_only_under_its_claimants_name_in_the_embedded_store() {
    check_close_by_claimant(&Console::new());
}

#[test]
fn a_bead_is_closed_only_under_its_claimants_name_in_the_real_bd() {
    let test = "a_bead_is_closed_only_under_its_claimants_name_in_the_real_bd";
    if let Some(console) = Console::with_bd(test) {
        check_close_by_claimant(&console);
    }
}

#[test]
fn texts_may_begin_with_a_hyphen_and_options_are_not_taken_as_texts() {
    let console = Console::new();
    let id = console.bead("- a title", &["-d", "- x", "--acceptance", "- [ ] x\n- [ ] y"]);
    console.ok(&["bead", "comment", &id, "- a comment"]);
    let shown = console.json(&["bead", "show", &id])["bead"].clone();
    assert_eq!((&shown["title"], &shown["description"]), (&json!("- a title"), &json!("- x")));
    assert_eq!(shown["acceptance_criteria"], "- [ ] x\n- [ ] y");
    assert_eq!(shown["comments"][0]["text"], "- a comment");
    let message = console.fails(&["bead", "comment", &id, "--actr"], "usage", 2);
    assert!(message.contains("--actr"), "{message}");
    console.fails(&["bead", "create", "T", "-d", "--acceptance", "x"], "usage", 2);
}

#[test]
fn every_kind_of_bead_is_listed_and_memories_are_not() {
    let console = Console::new();
    let lines = [
        r#"{"id":"BC-1","title":"work","issue_type":"task","status":"open"}"#,
        r#"{"id":"BC-2","title":"an event","issue_type":"event","status":"open"}"#,
        r#"{"id":"BC-3","title":"a molecule","issue_type":"molecule","status":"closed"}"#,
        r#"{"id":"BC-4","title":"standing","issue_type":"task","status":"pinned"}"#,
        r#"{"id":"BC-5","title":"gone","issue_type":"task","status":"tombstone"}"#,
    ];
    console.sandbox.write(".beads/issues.jsonl", &(lines.join("\n") + "\n"));
    console.ok(&["remember", "It is Redis."]);
    let list = console.json(&["bead", "list"]);
    assert_eq!(ids(&list), ["BC-1", "BC-2", "BC-3", "BC-4"]);
    assert_eq!(ids(&console.json(&["bead", "ready"])), ["BC-1"]);
}

#[test]
fn a_bead_file_keeps_its_order_and_its_comment_counts_stay_current() {
    let console = Console::new();
    let row = |id: &str, at: &str| {
        format!(
            r#"{{"id":"{id}",  "title":"T","status":"open","created_at":"2026-01-01T{at}:00Z","comment_count":0}}"#
        )
    };
    let lines = [row("BC-9", "06:00"), row("BC-1", "07:00"), row("BC-5", "08:00")];
    console.sandbox.write(".beads/issues.jsonl", &(lines.join("\n") + "\n"));
    console.ok(&["bead", "comment", "BC-1", "first"]);
    let made = console.bead("Last", &[]);
    let text = console.sandbox.read(".beads/issues.jsonl");
    let now: Vec<&str> = text.lines().collect();
    assert_eq!((now[0], now[2]), (lines[0].as_str(), lines[2].as_str()));
    let commented: Value = serde_json::from_str(now[1]).unwrap();
    assert_eq!((&commented["id"], &commented["comment_count"]), (&json!("BC-1"), &json!(1)));
    let last: Value = serde_json::from_str(now[3]).unwrap();
    assert_eq!(last["id"], json!(made));
}

/// Classic bd uses a SQLite database. This program recognizes it by the names of a few tables that only bd
/// has.
#[test]
fn every_command_reports_a_database_of_classic_bd() {
    let sandbox = bc_testkit::Sandbox::new();
    let tables = "CREATE TABLE repo_mtimes (\0CREATE TABLE issue_snapshots (\0\u{19}bd_version0.49.1\n\0";
    sandbox.write(".beads/config.yaml", "");
    sandbox.write(".beads/beads.db", &format!("SQLite format 3\0{}{tables}", "\0".repeat(4096)));
    let console = Console::in_sandbox(sandbox);
    let assert_reported = |text: &str| {
        assert!(text.contains("bd 0.49.1") && text.contains("no beads were exported"), "{text}");
        assert!(!text.contains("install br"), "{text}");
    };
    let ran = console.run(&["bead", "list"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_reported(&ran.err);
    assert_reported(console.json(&["bead", "ready"])["note"].as_str().unwrap());
    assert_reported(&console.fails(&["init"], "tracker_read_only", 4));
    assert_reported(&console.fails(&["bead", "create", "T"], "tracker_read_only", 4));
    let doctor: Value = serde_json::from_str(&console.run(&["doctor", "--json"]).out).unwrap();
    let checks = doctor["checks"].as_array().unwrap();
    let tracker = checks.iter().find(|check| check["name"] == "tracker").unwrap();
    assert_eq!(tracker["state"], "warning");
    assert_reported(tracker["hint"].as_str().unwrap());
    console.sandbox.write(".beads/issues.jsonl", "{\"id\":\"a-1\",\"title\":\"T\",\"status\":\"open\"}\n");
    let ran = console.run(&["bead", "list"]);
    assert!(ran.out.contains("a-1") && ran.err.contains("the export issues.jsonl of 20"), "{ran:?}");
}
