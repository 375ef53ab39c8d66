//! Changes to and from daylight saving time must not reorder, lose or double-count any data.

use crate::console::Console;
use serde_json::{Value, json};

/// A time zone with daylight saving time from the second Sunday of March to the first Sunday of November.
const ZONE: &str = "EST5EDT,M3.2.0,M11.1.0";

/// A closed session with messages at these times.
fn session(console: &Console, n: u8, from: &str, to: &str, times: &[&str]) -> String {
    let id = format!("00000000-0000-4000-8000-0000000000{n:02}");
    let meta = json!({
        "id": id, "project_id": "proj-1", "status": "closed", "title": format!("Night {n}"),
        "created_at": from, "started_at": from, "closed_at": to,
        "active_intervals": [{"start": from, "end": to}]
    });
    let lines: String = (0..)
        .zip(times)
        .map(|(n, at)| json!({"id": format!("m{n}"), "role": "user", "content": format!("number {n}"), "timestamp": at}))
        .map(|line| format!("{line}\n"))
        .collect();
    console.sandbox.write(&format!(".beads/sessions/{id}/meta.json"), &meta.to_string());
    console.sandbox.write(&format!(".beads/sessions/{id}/messages.jsonl"), &lines);
    id
}

#[test]
fn clock_changes_reorder_and_lose_nothing() {
    let mut console = Console::new();
    console.sandbox.set("TZ", ZONE);
    // These sessions last one hour and three hours, although the local clock shows two hours for each.
    let spring = session(
        &console,
        1,
        "2025-03-09T01:30:00-05:00",
        "2025-03-09T03:30:00-04:00",
        &["2025-03-09T01:45:00-05:00", "2025-03-09T03:15:00-04:00"],
    );
    let autumn = session(
        &console,
        2,
        "2025-11-02T00:30:00-04:00",
        "2025-11-02T02:30:00-05:00",
        &["2025-11-02T01:50:00-04:00", "2025-11-02T01:10:00-05:00", "2025-11-02T01:40:00-05:00"],
    );
    let csv = console.ok(&["session", "metrics", "--range", "all", "--csv", "days"]);
    let day = |date: &str| {
        let rows: Vec<&str> = csv.lines().filter(|row| row.starts_with(date)).collect();
        assert_eq!(rows.len(), 1, "{date} is listed {} times\n{csv}", rows.len());
        rows[0].split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(day("2025-03-09")[..4], ["2025-03-09", "1", "3600000", "2"]);
    assert_eq!(day("2025-11-02")[..4], ["2025-11-02", "1", "10800000", "3"]);
    // Each day between the two changes is listed once.
    let first = csv.lines().position(|row| row.starts_with("2025-03-09")).unwrap();
    let last = csv.lines().position(|row| row.starts_with("2025-11-02")).unwrap();
    assert_eq!(last - first, 238, "{csv}");

    let order = |id: &str| -> Vec<Value> {
        let timeline = console.json(&["session", "timeline", id]);
        let events = timeline["events"].as_array().unwrap();
        events.iter().filter(|event| event["kind"] == "prompt").map(|event| event["label"].clone()).collect()
    };
    assert_eq!(order(&spring), ["number 0", "number 1"]);
    assert_eq!(order(&autumn), ["number 0", "number 1", "number 2"]);
    let page = console.messages(&autumn);
    assert_eq!(page.iter().map(|m| m["id"].as_str().unwrap()).collect::<Vec<_>>(), ["m0", "m1", "m2"]);
    let found =
        |since: &str| console.json(&["session", "search", "number", "--since", since])["sessions"].clone();
    assert_eq!(found("2025-11-02").as_array().map(Vec::len), Some(1), "the day begins in summer time");
    assert_eq!(found("2025-03-09").as_array().map(Vec::len), Some(2));
    assert_eq!(found("2025-11-03"), json!([]));
    // Sessions are sorted by time, not by the local clock.
    let late = session(&console, 3, "2025-11-02T01:20:00-05:00", "2025-11-02T01:25:00-05:00", &[]);
    let early = session(&console, 4, "2025-11-02T01:40:00-04:00", "2025-11-02T01:45:00-04:00", &[]);
    let list = console.json(&["session", "list"]);
    let ids: Vec<&str> =
        list["sessions"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [&late, &early, &autumn, &spring]);
}
