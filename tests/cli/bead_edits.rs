//! Editing, querying and reviewing beads. Most checks run on the embedded store and on the real bd.

use crate::console::Console;
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|bead| bead["id"].as_str().unwrap()).collect()
}

fn found<'a>(console: &Console, query: &str, answer: &'a mut Value) -> Vec<&'a str> {
    *answer = console.json(&["bead", "list", query]);
    let mut found = ids(&answer["beads"]);
    found.sort_unstable();
    found
}

/// Sets every field, at creation or later. An update is refused if `--expected` differs from the bead's
/// `updated_at`.
fn check_every_field(console: &Console) {
    let parent = console.bead("Accounts", &["--type", "epic"]);
    let id = console.bead(
        "Login",
        &[
            "--design",
            "- d",
            "--notes",
            "n",
            "--due",
            "2030-01-31",
            "--estimate",
            "30",
            "--external-ref",
            "gh-7",
            "--assignee",
            "mara",
        ],
    );
    let shown = console.json(&["bead", "show", &id])["bead"].clone();
    assert_eq!((&shown["design"], &shown["notes"]), (&json!("- d"), &json!("n")), "{shown:#}");
    assert_eq!((&shown["estimated_minutes"], &shown["external_ref"]), (&json!(30), &json!("gh-7")));
    assert_eq!(shown["assignee"], "mara");
    assert!(shown["due_at"].as_str().unwrap().starts_with("2030-01-3"), "{shown:#}");

    let changed = console.json(&[
        "bead",
        "update",
        &id,
        "--title",
        "- Login form",
        "--description",
        "- x",
        "--acceptance",
        "- [ ] y",
        "--priority",
        "P0",
        "--type",
        "feature",
        "--assignee",
        "",
        "--add-label",
        "ui",
        "--add-label",
        "a b",
        "--parent",
        &parent,
        "--due",
        "",
        "--estimate",
        "0",
        "--status",
        "blocked",
    ])["bead"]
        .clone();
    assert_eq!((&changed["title"], &changed["description"]), (&json!("- Login form"), &json!("- x")));
    assert_eq!(changed["acceptance_criteria"], "- [ ] y");
    assert_eq!((&changed["priority"], &changed["issue_type"]), (&json!(0), &json!("feature")));
    assert_eq!((&changed["parent"], &changed["status"]), (&json!(parent), &json!("blocked")), "{changed:#}");
    assert!(changed["assignee"].is_null() && changed["due_at"].is_null(), "{changed:#}");
    assert!(changed["estimated_minutes"].is_null() || changed["estimated_minutes"] == 0, "{changed:#}");

    console.json(&["bead", "label", "remove", &id, "ui"]);
    let labels = console.json(&["bead", "label", "list", &id]);
    assert_eq!(labels, json!({"labels": [{"label": "a b", "beads": 1}]}));

    let line = ["bead", "update", &id, "--title", "Mine", "--expected", "2020-01-01T00:00:00Z"];
    console.fails(&line, "bead_changed", 4);
    let now = console.json(&["bead", "show", &id])["bead"]["updated_at"].as_str().unwrap().to_owned();
    console.json(&["bead", "update", &id, "--title", "Mine", "--expected", &now]);

    let ran = console.run(&["bead", "update", &parent, "BC-none", "--priority", "1", "--json"]);
    let results: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(results["results"][0]["result"]["bead"]["priority"], 1);
    assert_eq!(results["results"][1]["error"]["code"], "bead_not_found");
}

#[test]
fn every_field_can_be_edited_in_the_embedded_store() {
    check_every_field(&Console::new());
}

#[test]
fn every_field_can_be_edited_in_the_real_bd() {
    if let Some(console) = Console::with_bd("every_field_can_be_edited_in_the_real_bd") {
        check_every_field(&console);
    }
}

/// Checks queries, dependencies, the graph, the next bead and the history.
fn check_queries_and_graph(console: &Console) {
    let first = console.bead("First", &["-d", "The Cookies are here", "--label", "ui", "--priority", "1"]);
    let second = console.bead("Second", &[]);
    let third = console.bead("Third", &["--label", "x"]);
    console.json(&["bead", "dep", "add", &second, &first]);
    console.json(&["bead", "dep", "add", &third, &second]);
    console.json(&["bead", "dep", "add", &third, &first, "--type", "related"]);
    console.fails(&["bead", "dep", "add", &first, &third], "dependency_cycle", 4);
    console.json(&["bead", "comment", &third, "Mind the straße"]);

    let mut answer = Value::Null;
    assert_eq!(found(console, "label:ui priority<=1", &mut answer), [first.as_str()]);
    assert_eq!(found(console, "cookies", &mut answer), [first.as_str()]);
    assert_eq!(found(console, "STRAßE -label:ui", &mut answer), [third.as_str()]);
    let blocked = [second.as_str(), third.as_str()];
    let mut sorted = blocked;
    sorted.sort_unstable();
    assert_eq!(found(console, "is:blocked", &mut answer), sorted);
    assert_eq!(found(console, &format!("blockedby:{first}"), &mut answer), [second.as_str()]);
    let ran = console.run(&["bead", "list", "colour:red"]);
    assert!(ran.code == Some(0) && ran.err.contains("colour:red"), "{ran:?}");

    let explained = console.ok(&["bead", "ready", "--explain"]);
    assert!(explained.contains(&format!("blocked by {first} First")), "{explained}");
    let next = console.json(&["bead", "next"]);
    assert_eq!(next["beads"][0]["bead"]["id"], json!(first));
    assert!(next["beads"][0]["reasons"].as_array().unwrap().contains(&json!("unblocks 2")), "{next:#}");

    let graph = console.json(&["bead", "graph"]);
    assert_eq!(graph["critical_path"], json!([first, second, third]), "{graph:#}");
    assert_eq!((graph["cycles"].as_array().unwrap().len(), graph["edges"].as_array().unwrap().len()), (0, 3));
    let around = console.json(&["bead", "graph", "--around", &third, "-label:ui"]);
    assert_eq!(around["nodes"].as_array().unwrap().len(), 2);
    let tree = console.ok(&["bead", "dep", "tree", &third]);
    assert!(tree.contains(&format!("   └─ {first}")) || tree.contains(&format!("│  └─ {first}")), "{tree}");

    console.json(&["bead", "close", &first, "--reason", "done"]);
    let after = console.json(&["bead", "next", "--after", &first, "--limit", "1"]);
    assert_eq!(after["beads"][0]["bead"]["id"], json!(second));
    assert_eq!(after["beads"][0]["reasons"][0], json!(format!("unblocked by {first}")));
    console.json(&["bead", "dep", "remove", &third, &second]);
    assert!(ids(&console.json(&["bead", "ready"])["beads"]).contains(&third.as_str()));

    let audit = console.json(&["bead", "audit", &first]);
    let kinds: Vec<&str> =
        audit["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "created").count(), 1, "{audit:#}");
    assert!(kinds.iter().any(|kind| matches!(*kind, "closed" | "status")), "{audit:#}");
    assert_eq!(console.json(&["bead", "stale"]), json!({"beads": []}));
}

#[test]
fn beads_are_queried_linked_and_ranked_in_the_embedded_store() {
    check_queries_and_graph(&Console::new());
}

#[test]
fn beads_are_queried_linked_and_ranked_in_the_real_bd() {
    if let Some(console) = Console::with_bd("beads_are_queried_linked_and_ranked_in_the_real_bd") {
        check_queries_and_graph(&console);
    }
}

/// Checks that submit requires a commit, and that approve and reject require work in review.
fn check_review(console: &Console) {
    let id = console.bead("Work", &[]);
    console.json(&["bead", "claim", &id]);
    console.fails(&["bead", "approve", &id], "bead_state", 4);
    console.fails(&["bead", "reject", &id, "more"], "bead_state", 4);
    let message = console.fails(&["bead", "submit", &id, "--yes"], "commit_missing", 4);
    assert!(message.contains("--without-commit"), "{message}");
    assert_eq!(console.json(&["bead", "show", &id])["bead"]["status"], "in_progress", "nothing was changed");

    let shown = console.json(&["bead", "show", &id])["bead"].clone();
    let branch = bc_core::branch::default_for(&serde_json::from_value(shown).unwrap()).to_string();
    console.sandbox.git(["checkout", "-q", "-b", &branch]);
    console.sandbox.git(["commit", "-q", "--allow-empty", "-m", "work"]);
    console.sandbox.git(["checkout", "-q", "-"]);
    assert_eq!(console.json(&["bead", "submit", &id, "--yes"])["bead"]["status"], "in_review");

    console.fails(&["bead", "reject", &id, " "], "usage", 2);
    let rejected = console.json(&["bead", "reject", &id, "- tests are missing"])["bead"].clone();
    assert_eq!(rejected["status"], "in_progress");
    assert_eq!(rejected["comments"][0]["text"], "Changes requested: - tests are missing");
    console.json(&["bead", "submit", &id, "--yes"]);
    let approved = console.json(&["bead", "approve", &id])["bead"].clone();
    assert_eq!((&approved["status"], &approved["close_reason"]), (&json!("closed"), &json!("Approved")));

    let reopened = console.json(&["bead", "reopen", &id, "--reason", "- not yet"])["bead"].clone();
    assert_eq!(reopened["status"], "open");
    let texts: Vec<&Value> =
        reopened["comments"].as_array().unwrap().iter().map(|comment| &comment["text"]).collect();
    assert!(texts.contains(&&json!("- not yet")), "{reopened:#}");
}

#[test]
fn review_commands_check_the_beads_state_in_the_embedded_store() {
    check_review(&Console::new());
}

#[test]
fn review_commands_check_the_beads_state_in_the_real_bd() {
    if let Some(console) = Console::with_bd("review_commands_check_the_beads_state_in_the_real_bd") {
        check_review(&console);
    }
}

#[test]
fn a_deleted_bead_can_be_restored_in_the_embedded_store() {
    let console = Console::new();
    let id = console.bead("Away", &["-d", "kept"]);
    console.fails(&["bead", "delete", &id], "confirmation_needed", 4);
    assert_eq!(console.json(&["bead", "delete", &id, "--yes"]), json!({"id": id, "can_undo": true}));
    console.fails(&["bead", "show", &id], "bead_not_found", 3);
    let kinds = |audit: &Value| -> Vec<String> {
        let events = audit["events"].as_array().unwrap().iter();
        events.map(|event| event["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert!(kinds(&console.json(&["bead", "audit", &id])).contains(&"deleted".to_owned()));
    let restored = console.json(&["bead", "undelete", &id])["bead"].clone();
    assert_eq!((&restored["description"], &restored["status"]), (&json!("kept"), &json!("open")));
}

#[test]
fn a_history_is_exported_to_a_file() {
    let console = Console::new();
    let id = console.bead("Work", &[]);
    console.ok(&["bead", "claim", &id]);
    let file = console.sandbox.project().join("history.csv");
    console.ok(&["bead", "audit", &id, "-o", file.to_str().unwrap()]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("at,actor,session,kind") && text.contains(",claimed,"), "{text}");
}
