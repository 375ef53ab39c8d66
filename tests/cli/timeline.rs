//! A session's timeline, from its host's activity log or, for older versions, from its messages.

use crate::{
    console::{Console, need_sim},
    session_states::edit_meta,
};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::time::Duration;

fn kinds(timeline: &Value, part: &str) -> Vec<String> {
    let all = timeline[part].as_array().expect("an array");
    all.iter().map(|entry| entry["kind"].as_str().expect("a kind").to_owned()).collect()
}

/// The last event of this kind.
fn event(timeline: &Value, kind: &str) -> Value {
    let all = timeline["events"].as_array().expect("an array");
    all.iter()
        .rfind(|event| event["kind"] == kind)
        .unwrap_or_else(|| panic!("no {kind}: {timeline:#}"))
        .clone()
}

/// Asserts that every phase of the timeline (`bands`) begins where the previous one ended.
fn assert_no_gaps(timeline: &Value) {
    let bands = timeline["bands"].as_array().expect("an array");
    for pair in bands.windows(2) {
        assert_eq!(pair[0]["to"], pair[1]["from"], "{timeline:#}");
    }
}

#[test]
fn a_timeline_shows_phases_and_events() {
    if need_sim("a_timeline_shows_phases_and_events").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&[
        "--simulated",
        "--prompt",
        "do [[ask]] then [[bash:git commit --allow-empty -m done]]",
    ]);
    // Each tool asks for a permission. The first request is denied, and the others are allowed.
    let mut asked = Vec::new();
    wait_for("claude at its prompt", Duration::from_secs(120), || {
        let live = console.show(&id)["live"].clone();
        if let Some(request) =
            live["permissions"][0]["id"].as_str().filter(|id| !asked.contains(&(*id).to_owned()))
        {
            let answer = if asked.is_empty() { "--deny" } else { "--allow" };
            console.run(&["session", "permission", &id, request, answer]);
            asked.push(request.to_owned());
        }
        (live["activity"] == "idle" && !asked.is_empty()).then_some(())
    });
    console.ok(&["session", "pause", &id]);
    console.ok(&["session", "resume", &id]);
    console.wait_message("the resume prompt", &id, |m| {
        m["content"].as_str().is_some_and(|text| text.starts_with("You are resuming a paused session."))
    });
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);

    let timeline = console.json(&["session", "timeline", &id]);
    assert_no_gaps(&timeline);
    let bands = timeline["bands"].as_array().unwrap();
    let has = |kind: &str, reason: Value| bands.iter().any(|b| b["kind"] == kind && b["reason"] == reason);
    for (kind, reason) in [
        ("working", Value::Null),
        ("waiting", json!("permission")),
        ("waiting", json!("prompt")),
        ("paused", json!("user")),
    ] {
        assert!(has(kind, reason.clone()), "no {kind} {reason}: {timeline:#}");
    }
    let closed = console.show(&id);
    assert_eq!(bands[0]["from"], closed["started_at"], "{timeline:#}");
    assert_eq!(bands.last().unwrap()["to"], closed["closed_at"], "{timeline:#}");

    let events = kinds(&timeline, "events");
    assert_eq!(events.first().map(String::as_str), Some("start"), "{events:?}");
    assert_eq!(events.last().map(String::as_str), Some("end"), "{events:?}");
    for kind in ["prompt", "permission_asked", "permission_answered", "tool_failed", "pause", "resume"] {
        assert!(events.iter().any(|event| event == kind), "no {kind}: {events:?}");
    }
    assert_eq!(events.iter().filter(|kind| *kind == "prompt").count(), 2, "{events:?}");
    let messages = console.messages(&id);
    let known = |message: &Value| messages.iter().any(|m| m["id"] == *message);
    for event_with_message in
        timeline["events"].as_array().unwrap().iter().filter(|event| !event["message"].is_null())
    {
        assert!(known(&event_with_message["message"]), "{event_with_message:#} refers to no message");
    }
    assert!(known(&event(&timeline, "prompt")["message"]) && known(&event(&timeline, "start")["message"]));
    for hash in closed["commits"].as_array().unwrap() {
        let commit = event(&timeline, "commit");
        assert!(commit["label"].as_str().unwrap().ends_with(" done"), "{commit:#}");
        assert!(commit["label"].as_str().unwrap().starts_with(&hash.as_str().unwrap()[..7]), "{commit:#}");
    }
    let shown = console.ok(&["session", "timeline", &id[..8]]);
    assert!(shown.contains("Working") && shown.contains("permission") && shown.contains("ended"), "{shown}");
}

#[test]
fn a_killed_host_leaves_a_permanent_interruption() {
    if need_sim("a_killed_host_leaves_a_permanent_interruption").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    let live = console.wait_idle(&id)["live"].clone();
    let pid = live["host_pid"].to_string();
    assert!(console.sandbox.command("kill").args(["-KILL", &pid]).status().unwrap().success());
    console.wait("an interrupted session", &id, |session| session["pause_reason"] == "interrupted");
    console.ok(&["session", "resume", &id]);
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    let timeline = console.json(&["session", "timeline", &id]);
    let bands = timeline["bands"].as_array().unwrap();
    let paused: Vec<&str> =
        bands.iter().filter(|b| b["kind"] == "paused").map(|b| b["reason"].as_str().unwrap()).collect();
    assert_eq!(paused, ["interrupted", "user"], "{timeline:#}");
    assert_no_gaps(&timeline);
}

/// A session of an older version, whose host wrote no activity log.
fn of_an_older_version(console: &Console, messages: &[Value], edit: impl FnOnce(&mut Value)) -> String {
    let id = "00000000-0000-4000-8000-000000000001".to_owned();
    let meta = json!({
        "id": id, "project_id": "proj-1", "status": "closed", "title": "Old",
        "created_at": "2026-01-19T10:00:00-06:00", "started_at": "2026-01-19T10:00:00-06:00",
        "closed_at": "2026-01-19T18:00:00Z", "commits": ["0123456789abcdef0123456789abcdef01234567"],
        "active_intervals": [
            {"start": "2026-01-19T10:00:00-06:00", "end": "2026-01-19T16:30:00Z"},
            {"start": "2026-01-20T02:00:00+09:00", "end": "2026-01-19T18:00:00Z"}
        ]
    });
    let lines: String = messages.iter().map(|m| format!("{m}\n")).collect();
    console.sandbox.write(&format!(".beads/sessions/{id}/meta.json"), &meta.to_string());
    console.sandbox.write(&format!(".beads/sessions/{id}/messages.jsonl"), &lines);
    edit_meta(console, &id, edit);
    id
}

fn message(id: &str, role: &str, at: &str) -> Value {
    json!({"id": id, "role": role, "content": format!("{role} {id}"), "timestamp": at})
}

/// A conversation of half an hour, with times in three time zones.
fn conversation() -> Vec<Value> {
    vec![
        message("m1", "user", "2026-01-19T10:01:00-06:00"),
        message("m2", "assistant", "2026-01-19T16:05:00Z"),
        message("m3", "user", "2026-01-20T01:20:00+09:00"),
        message("m4", "assistant", "2026-01-19T10:25:00-06:00"),
    ]
}

#[test]
fn the_timeline_of_an_older_version_is_derived_from_messages_in_any_zone() {
    let console = Console::new();
    let id = of_an_older_version(&console, &conversation(), |_| ());
    let timeline = console.json(&["session", "timeline", &id]);
    let utc = |moment: &Value| {
        let at = chrono::DateTime::parse_from_rfc3339(moment.as_str().unwrap()).unwrap();
        at.with_timezone(&chrono::Utc).format("%H:%M").to_string()
    };
    let bands = timeline["bands"].as_array().unwrap();
    let shown: Vec<_> = bands
        .iter()
        .map(|b| format!("{} {} {}", b["kind"].as_str().unwrap(), utc(&b["from"]), utc(&b["to"])))
        .collect();
    assert_eq!(
        shown,
        [
            "active 16:00 16:01",
            "working 16:01 16:05",
            "waiting 16:05 16:20",
            "working 16:20 16:25",
            "waiting 16:25 16:30",
            "paused 16:30 17:00",
            "active 17:00 18:00",
        ]
    );
    assert_eq!(
        kinds(&timeline, "events"),
        ["start", "commit", "prompt", "prompt", "pause", "resume", "end"],
        "{timeline:#}"
    );
}

#[test]
fn no_events_are_lost_after_a_clock_change_or_a_newer_version() {
    let console = Console::new();
    let mut messages = conversation();
    messages[2]["timestamp"] = json!("2026-01-19T08:00:00-06:00");
    messages[3]["timestamp"] = json!("2026-01-19T08:01:00-06:00");
    messages[3]["kind"] = json!("dreamt");
    messages[3]["from_the_future"] = json!({"kept": true});
    let id = of_an_older_version(&console, &messages, |meta| {
        meta["schema_version"] = json!(9);
        meta["moods"] = json!(["calm"]);
        meta["close_reason"] = json!("moonlight");
        meta["active_intervals"][1] =
            json!({"start": "2026-01-19T09:00:00-06:00", "end": "2026-01-19T09:10:00-06:00"});
    });
    let newer =
        "{\"version\":9,\"at\":\"2026-01-19T16:00:00Z\",\"what\":\"dreamt\",\"of\":\"sheep\"}\nno JSON\n";
    console.sandbox.write(&format!(".beads/sessions/{id}/activity.jsonl"), newer);
    let timeline = console.json(&["session", "timeline", &id]);
    let prompts: Vec<_> =
        timeline["events"].as_array().unwrap().iter().filter(|e| e["kind"] == "prompt").collect();
    assert_eq!(
        (prompts.len(), &prompts[0]["message"], &prompts[1]["message"]),
        (2, &json!("m1"), &json!("m3"))
    );
    assert_eq!(timeline["warnings"].as_array().map(Vec::len), Some(1), "{timeline:#}");
    // Unknown fields are kept in the record and in exports.
    console.ok(&["session", "delete", &id]);
    console.ok(&["session", "restore", &id]);
    let meta = console.sandbox.read(&format!(".beads/sessions/{id}/meta.json"));
    assert!(meta.contains("calm") && meta.contains("moonlight"), "{meta}");
    let exported = console.ok(&["session", "export", &id, "--format", "json"]);
    assert!(exported.contains("calm") && exported.contains("from_the_future"), "{exported}");
    assert_eq!(console.sandbox.read(&format!(".beads/sessions/{id}/activity.jsonl")), newer);
}
