//! `bead …` on the built-in store and on the real bd: the same commands, the same answers.

use crate::console::Console;
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<&str> {
    list["beads"].as_array().unwrap().iter().map(|bead| bead["id"].as_str().unwrap()).collect()
}

/// From open to closed, with a blocker on the way.
fn lifecycle(console: &Console) {
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
    assert!(ids(&console.json(&["bead", "ready"])).contains(&signup.as_str()), "its blocker is closed");
}

#[test]
fn a_bead_lives_from_open_to_closed_in_the_built_in_store() {
    lifecycle(&Console::new());
}

#[test]
fn a_bead_lives_from_open_to_closed_in_the_real_bd() {
    if let Some(console) = Console::with_bd("a_bead_lives_from_open_to_closed_in_the_real_bd") {
        lifecycle(&console);
    }
}

#[test]
fn submit_on_bd_asks_before_it_adds_the_status() {
    let Some(console) = Console::with_bd("submit_on_bd_asks_before_it_adds_the_status") else { return };
    let id = console.bead("First", &[]);
    console.ok(&["bead", "claim", &id]);
    let said = console.fails(&["bead", "submit", &id], "confirmation_needed", 4);
    assert!(said.contains("in_review") && said.contains("--yes"), "{said}");
    assert_eq!(console.json(&["bead", "show", &id])["bead"]["status"], "in_progress");
    assert_eq!(console.json(&["bead", "submit", &id, "--yes"])["bead"]["status"], "in_review");
    let second = console.bead("Second", &[]);
    assert_eq!(
        console.json(&["bead", "submit", &second])["bead"]["status"],
        "in_review",
        "asked once is enough"
    );
}

#[test]
fn submit_in_the_built_in_store_asks_nothing() {
    let console = Console::new();
    let id = console.bead("First", &[]);
    console.ok(&["bead", "claim", &id]);
    assert_eq!(console.json(&["bead", "submit", &id])["bead"]["status"], "in_review");
    assert_eq!(ids(&console.json(&["bead", "list", "--status", "in_review"])), [id.as_str()]);
}

fn vanished_and_claimed(console: &Console) {
    for line in [
        &["bead", "show", "BC-none"][..],
        &["bead", "claim", "BC-none"],
        &["bead", "close", "BC-none"],
        &["bead", "submit", "BC-none", "--yes"],
    ] {
        let said = console.fails(line, "bead_not_found", 3);
        assert!(said.contains("BC-none"), "{line:?}: {said}");
    }
    let id = console.bead("First", &[]);
    console.ok(&["bead", "claim", &id, "--actor", "alice"]);
    let said = console.fails(&["bead", "claim", &id, "--actor", "bob"], "bead_claimed", 4);
    assert!(said.contains("alice"), "{said}");
}

#[test]
fn a_vanished_bead_and_somebody_elses_are_refused_in_the_built_in_store() {
    vanished_and_claimed(&Console::new());
}

#[test]
fn a_vanished_bead_and_somebody_elses_are_refused_by_the_real_bd() {
    if let Some(console) = Console::with_bd("a_vanished_bead_and_somebody_elses_are_refused_by_the_real_bd") {
        vanished_and_claimed(&console);
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
