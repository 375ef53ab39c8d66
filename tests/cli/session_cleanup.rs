//! Old drafts, long pauses and the trash; damaged indexes; and a project with many sessions.

use crate::{
    console::{Console, need_sim},
    session_states::{edit_meta, hours_ago},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Creates a closed session and returns its id.
fn closed(console: &Console, title: &str) -> String {
    let id = console.start(&["--simulated", "--title", title, "--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    id
}

fn ids(list: &Value) -> Vec<String> {
    let sessions = list["sessions"].as_array().unwrap();
    let id = |s: &Value| s["id"].as_str().or(s["meta"]["id"].as_str()).unwrap().to_owned();
    sessions.iter().map(id).collect()
}

#[test]
fn cleanup_closes_drafts_and_lists_long_pauses() {
    if need_sim("cleanup_closes_drafts_and_lists_long_pauses").is_none() {
        return;
    }
    let console = Console::new();
    let mut made = Vec::new();
    let bead = console.bead("Claimed for nothing", &[]);
    for options in [&["--bead", &*bead][..], &[]] {
        let line: Vec<&str> = ["--simulated", "--prompt", "hello"].iter().chain(options).copied().collect();
        let id = console.start(&line);
        console.wait_idle(&id);
        console.ok(&["session", "pause", &id]);
        made.push(id);
    }
    let [draft, paused] = made.as_slice() else { unreachable!() };
    edit_meta(&console, draft, |meta| {
        meta["status"] = json!("draft");
        meta["created_at"] = hours_ago(25);
        meta.as_object_mut().unwrap().remove("pause_reason");
    });
    edit_meta(&console, paused, |meta| meta["paused_at"] = hours_ago(8 * 24));
    // Opening the project closes the old draft.
    let shown = console.show(draft);
    assert_eq!((&shown["status"], &shown["close_reason"]), (&json!("closed"), &json!("abandoned")));
    let free = console.json(&["bead", "show", &bead]);
    assert_eq!((&free["bead"]["status"], free["bead"].get("assignee")), (&json!("open"), None), "{free:#}");
    let cleaned = console.json(&["session", "cleanup"]);
    assert_eq!(cleaned["stale"]["sessions"][0]["id"], json!(paused));
    assert_eq!(cleaned["closed_drafts"], json!([]), "the draft was closed before");
    let text = console.ok(&["session", "cleanup"]);
    assert!(text.contains("7 days") && text.contains(&format!("session end {}", &paused[..8])), "{text}");
    assert_eq!(console.show(paused)["status"], "paused", "a paused session was closed without the user");
    let index: Value = serde_json::from_str(&console.sandbox.read(".beads/sessions/index.json")).unwrap();
    let entry = index["sessions"].as_array().unwrap().iter().find(|e| e["id"] == json!(draft)).unwrap();
    assert_eq!(entry["status"], "closed");
}

#[test]
fn sessions_are_deleted_by_id_or_date_and_restorable_for_seven_days() {
    if need_sim("sessions_are_deleted_by_id_or_date_and_restorable_for_seven_days").is_none() {
        return;
    }
    let console = Console::new();
    let [one, two, three] = ["One", "Two", "Three"].map(|title| closed(&console, title));
    edit_meta(&console, &one, |meta| meta["closed_at"] = json!("2026-01-19T10:00:00-06:00"));
    edit_meta(&console, &two, |meta| meta["closed_at"] = json!("2026-02-19T10:00:00-06:00"));
    let messages = console.messages(&one);

    let preview = console.json(&["session", "delete", "--before", "2026-02-01", "--dry-run"]);
    assert_eq!(ids(&preview), std::slice::from_ref(&one));
    assert_eq!(ids(&console.json(&["session", "list"])).len(), 3);
    let line =
        ["session", "delete", "--before", "2026-03-01", "--after", "2026-01-01", "--export-first", "kept"];
    let deleted = console.json(&line);
    assert_eq!(ids(&deleted), [one.clone(), two.clone()]);
    assert_eq!(ids(&console.json(&["session", "list"])), std::slice::from_ref(&three));
    let mut kept: Vec<String> = fs::read_dir(console.sandbox.project().join("kept"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept.len(), 2);
    let exported: Value = serde_json::from_str(
        &console
            .sandbox
            .read(&format!("kept/{}", kept.iter().find(|name| name.contains(&one[..8])).unwrap())),
    )
    .unwrap();
    assert_eq!(
        (&exported["id"], exported["messages"].as_array().unwrap().len()),
        (&json!(one), messages.len())
    );

    console.ok(&["session", "restore", &one[..8]]);
    assert_eq!(console.messages(&one), messages);
    let trash = console.json(&["session", "trash"]);
    assert_eq!(ids(&trash), std::slice::from_ref(&two));
    // Sets the time of the deletion back by eight days.
    let note = format!(".beads/sessions/.trash/{two}/deleted.json");
    console.sandbox.write(&note, &json!({"version": 1, "deleted_at": hours_ago(8 * 24)}).to_string());
    assert_eq!(
        ids(&console.json(&["session", "trash"])),
        std::slice::from_ref(&two),
        "the trash was purged too early"
    );
    // An old deletion time is not sufficient, because the clock may be wrong. The trash is purged only after
    // the program has checked it on seven different days.
    let checks: Vec<Value> = (1..=7).rev().map(|day| hours_ago(day * 24)).collect();
    let checks = json!({"version": 1, "at": checks}).to_string();
    console.sandbox.write(".beads/sessions/.trash/looks.json", &checks);
    assert_eq!(ids(&console.json(&["session", "trash"])), Vec::<String>::new());
    console.fails(&["session", "restore", &two], "session_not_found", 3);
    assert!(!console.sandbox.project().join(format!(".beads/sessions/.trash/{two}")).exists());
    console.fails(&["session", "delete"], "usage", 2);
}

#[test]
fn failed_export_prevents_deletion() {
    if need_sim("failed_export_prevents_deletion").is_none() {
        return;
    }
    let console = Console::new();
    let id = closed(&console, "Keep me");
    console.sandbox.write("a file", "");
    let message = console.fails(&["session", "delete", &id, "--export-first", "a file/x"], "io", 1);
    assert!(message.contains("a file"), "{message}");
    assert_eq!(ids(&console.json(&["session", "list"])), std::slice::from_ref(&id));
    let message = console.fails(&["session", "export", "--all", "-o", "/proc/nowhere"], "io", 1);
    assert!(message.contains("/proc/nowhere"), "{message}");
}

#[test]
fn a_damaged_index_is_rebuilt() {
    if need_sim("a_damaged_index_is_rebuilt").is_none() {
        return;
    }
    let console = Console::new();
    let id = closed(&console, "Mine");
    let index = ".beads/sessions/index.json";
    let good = console.sandbox.read(index);
    for bad in [
        "",
        "{}",
        "[1,2,3]",
        "{\"name\":\"another package\",\"version\":\"1.0.0\"}",
        "\0\0\0",
        "{\"sessions\":",
    ] {
        console.sandbox.write(index, bad);
        assert_eq!(ids(&console.json(&["session", "list"])), std::slice::from_ref(&id), "{bad:?}");
        assert_eq!(console.sandbox.read(index), good, "{bad:?}");
    }
    // An index that lists ten thousand missing sessions.
    let entry = |n: u32| json!({"id": format!("{n:08x}-0000-4000-8000-000000000000"), "project_id": "p", "status": "closed", "created_at": "2026-01-19T10:00:00-06:00"});
    let many: Vec<Value> = (0..10_000).map(entry).collect();
    console.sandbox.write(index, &json!({"sessions": many, "active_session_id": null}).to_string());
    assert_eq!(ids(&console.json(&["session", "list"])), std::slice::from_ref(&id));
    assert_eq!(console.sandbox.read(index), good);
}

#[test]
fn ten_thousand_sessions_are_listed_indexed_and_usable() {
    if need_sim("ten_thousand_sessions_are_listed_indexed_and_usable").is_none() {
        return;
    }
    let console = Console::new();
    let id = closed(&console, "The first");
    let sessions = console.sandbox.project().join(".beads/sessions");
    let meta: Value =
        serde_json::from_str(&console.sandbox.read(&format!(".beads/sessions/{id}/meta.json"))).unwrap();
    for n in 1..10_000 {
        copy(&sessions, &meta, n);
    }
    let list = console.json(&["session", "list"]);
    assert_eq!(ids(&list).len(), 10_000);
    assert_eq!(list["warnings"], json!([]));
    let index: Value = serde_json::from_str(&console.sandbox.read(".beads/sessions/index.json")).unwrap();
    assert_eq!(index["sessions"].as_array().unwrap().len(), 10_000);
    let new = console.start(&["--simulated", "--title", "One more"]);
    assert_eq!(ids(&console.json(&["session", "list"]))[0], new);
}

fn copy(sessions: &Path, meta: &Value, n: u32) {
    let id = format!("{n:08x}-0000-4000-8000-000000000000");
    let mut meta = meta.clone();
    meta["id"] = json!(id);
    meta["created_at"] = json!("2026-01-19T10:00:00-06:00");
    let folder = sessions.join(id);
    fs::create_dir(&folder).unwrap();
    #[allow(clippy::disallowed_methods, reason = "files that exist before the program starts")]
    fs::write(folder.join("meta.json"), meta.to_string()).unwrap();
}
