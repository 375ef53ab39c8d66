//! Session search and session metrics, for records that another program wrote.

use crate::console::Console;
use serde_json::{Value, json};
use std::fs;

/// A closed session with these messages, as written by another program.
#[allow(clippy::disallowed_methods, reason = "the test acts as the other program")]
fn session(console: &Console, n: u8, bead: Option<&str>, title: &str, messages: &[Value]) -> String {
    let id = format!("00000000-0000-4000-8000-0000000000{n:02}");
    let day = format!("2026-01-{n:02}T10:00:00Z");
    let folder = console.sandbox.project().join(".beads/sessions").join(&id);
    fs::create_dir_all(&folder).expect("a folder");
    let meta = json!({
        "id": id, "project_id": "proj-1", "bead_id": bead, "status": "closed", "title": title,
        "created_at": day, "started_at": day, "closed_at": day, "total_duration_ms": 60_000,
        "active_intervals": [{"start": day, "end": format!("2026-01-{n:02}T10:01:00Z")}],
        "files_touched": [format!("src/part{n}.rs")], "commits": [format!("{n}abcdef")], "cost_usd": 0.25,
        "tokens": {"input": 10, "cache_creation": 0, "cache_read": 5, "output": 20}
    });
    fs::write(folder.join("meta.json"), meta.to_string()).expect("a record");
    let lines: String = messages.iter().map(|m| format!("{m}\n")).collect();
    fs::write(folder.join("messages.jsonl"), lines).expect("messages");
    id
}

fn message(id: &str, role: &str, content: &str) -> Value {
    json!({"id": id, "role": role, "content": content, "timestamp": "2026-01-02T10:00:10Z", "tokens": 30})
}

/// Three sessions, two of them on a bead.
fn three_sessions() -> (Console, [String; 3]) {
    let console = Console::new();
    let mut ran = message("m2", "assistant", "I run them.");
    ran["tool_calls"] = json!([{"tool": "Bash", "input": {"command": "cargo test"}, "output": "mismatched types", "is_error": true}]);
    let ids = [
        session(
            &console,
            1,
            Some("BC-1"),
            "Fix the login",
            &[message("m1", "user", "please look at it"), ran],
        ),
        session(
            &console,
            2,
            None,
            "Research",
            &[message("m1", "user", "why is the login slow? 検索 \u{1b}[31m")],
        ),
        session(&console, 3, Some("BC-1"), "Other", &[message("m1", "user", "a.*b [x] 50%")]),
    ];
    (console, ids)
}

fn found(console: &Console, line: &[&str]) -> Vec<String> {
    let answer = console.json(&[&["session", "search"], line].concat());
    let sessions = answer["sessions"].as_array().expect("an array");
    sessions.iter().map(|s| s["session"]["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn sessions_are_found_by_messages_tool_output_and_filters() {
    let (console, [login, research, other]) = three_sessions();
    assert_eq!(found(&console, &["login"]), [login.clone(), research.clone()]);
    assert_eq!(found(&console, &["mismatched"]), std::slice::from_ref(&login));
    assert_eq!(found(&console, &["索"]), std::slice::from_ref(&research));
    assert_eq!(found(&console, &["a.*b"]), std::slice::from_ref(&other));
    assert_eq!(found(&console, &["--bead", "BC-1"]), [other.clone(), login.clone()]);
    assert_eq!(found(&console, &["--file", "part3"]), std::slice::from_ref(&other));
    assert_eq!(found(&console, &["--commit", "2abc"]), std::slice::from_ref(&research));
    assert_eq!(found(&console, &["login", "--since", "2026-01-02"]), std::slice::from_ref(&research));
    assert_eq!(found(&console, &["--status", "paused"]), [] as [String; 0]);
    let shown = console.ok(&["session", "search", "login slow"]);
    assert!(shown.contains("why is the login slow"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "the output contains an escape sequence: {shown:?}");
    let tool = console.json(&["session", "search", "mismatched"]);
    assert_eq!(tool["sessions"][0]["hits"][0]["tool"], "Bash");
}

#[test]
fn any_text_is_a_valid_search() {
    let (console, _) = three_sessions();
    for query in [".*", "^$", "\"", "x AND (", "\u{202e}שלום", &"x".repeat(10_000), &"ab ".repeat(3_333)]
    {
        console.json(&["session", "search", query]);
    }
    let notes = console.json(&["session", "search", "[]"]);
    assert_eq!(notes["notes"][0], "The query contains no letters or digits; only these are searched.");
    assert!(console.ok(&["session", "search", "nowhere"]).contains("no results"));
}

#[test]
fn find_matches_literal_text_in_one_conversation() {
    let (console, [login, _, other]) = three_sessions();
    let places =
        |id: &str, text: &str| console.json(&["session", "transcript", id, "--find", text])["places"].clone();
    assert_eq!(places(&other, "A.*B [X]"), json!([0]));
    assert_eq!(places(&other, "% "), json!([0]), "spaces at the ends of the text must be ignored");
    assert_eq!(places(&login, "tched typ"), json!([1]), "a part of a word in a tool's output was not found");
    for nothing in ["", " ", "a.b", "\u{202e}", &"x".repeat(10_000)] {
        assert_eq!(places(&other, nothing), json!([]), "{nothing:?}");
    }
    let shown = console.ok(&["session", "transcript", &login, "--find", "mismatched"]);
    assert!(shown.contains("Bash: mismatched types"), "{shown}");
    console.fails(
        &["session", "transcript", "ffffffff-0000-4000-8000-000000000000", "--find", "x"],
        "session_not_found",
        3,
    );
}

#[test]
fn search_works_with_a_broken_index() {
    let (console, [login, research, _]) = three_sessions();
    assert_eq!(found(&console, &["login"]).len(), 2);
    let cache = console.sandbox.project().join(".beads/sessions/.cache/search-3.sqlite");
    #[allow(clippy::disallowed_methods, reason = "the test damages the index on disk")]
    fs::write(&cache, "no database at all, whatever its name says. ".repeat(100)).expect("the cache");
    assert_eq!(found(&console, &["login"]), [login, research]);
    let listed = console.json(&["session", "list"]);
    assert_eq!(listed["warnings"], json!([]), "the cache is not listed as a session");
}

#[test]
fn metrics_of_a_session_and_of_the_project() {
    let (console, [login, ..]) = three_sessions();
    let metrics = console.json(&["session", "metrics", &login]);
    assert_eq!(metrics["message_count"], 2);
    assert_eq!(metrics["total_tokens"], 30);
    assert_eq!((&metrics["tool_calls"], &metrics["errors"]), (&json!(1), &json!(1)));
    let all = console.json(&["session", "metrics", "--range", "all"]);
    assert_eq!(all["dashboard"]["sessions"], 3);
    assert_eq!(all["dashboard"]["beads"][0]["name"], "BC-1");
    assert_eq!(all["dashboard"]["sessions_per_bead"], 2.0);
    let csv = console.ok(&["session", "metrics", "--range", "all", "--csv", "days"]);
    let columns = "date,sessions,duration_ms,messages,tokens,cost_usd,input,cache_creation,output\n";
    assert!(csv.starts_with(columns), "{csv}");
    console.fails(&["session", "metrics", "ffffffff-0000-4000-8000-000000000000"], "session_not_found", 3);
    assert!(console.ok(&["session", "metrics", "--range", "all"]).contains("BC-1"));
}
