//! Another program may remove, truncate or replace claude's transcript at any time. Recorded messages must be
//! kept, and later messages must be recorded.

use crate::console::{Console, need_sim};
use serde_json::Value;
use std::{fs, io::Write, path::Path};

/// A change to a transcript: its description and its action.
type FileChange = (&'static str, fn(&Path));

#[allow(clippy::disallowed_methods, reason = "the test plays the other programs")]
const FILE_CHANGES: [FileChange; 6] = [
    ("cut to nothing", |path| fs::write(path, "").unwrap()),
    ("deleted", |path| fs::remove_file(path).unwrap()),
    ("rotated", |path| fs::rename(path, path.with_extension("1")).unwrap()),
    ("cut in the middle of a line", |path| {
        let whole = fs::read(path).unwrap();
        fs::write(path, &whole[..whole.len() / 2]).unwrap();
    }),
    ("replaced by its own first half", |path| {
        let whole = fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let beside = path.with_extension("new");
        fs::write(&beside, lines[..lines.len() / 2].concat()).unwrap();
        fs::rename(beside, path).unwrap();
    }),
    ("replaced by another file", |path| fs::write(path, b"\xff\xfe no JSON\n{}\n[1,2]\n\n").unwrap()),
];

fn texts(messages: &[Value]) -> Vec<(String, String)> {
    let text = |message: &Value, key: &str| message[key].as_str().expect("a text").to_owned();
    messages.iter().map(|m| (text(m, "id"), text(m, "content"))).collect()
}

#[test]
fn lines_of_unknown_kinds_are_counted_and_reported() {
    if need_sim("lines_of_unknown_kinds_are_counted_and_reported").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "[[say:first]]"]);
    console.wait_message("the first answer", &id, |m| m["content"] == "first");
    let idle = console.wait_idle(&id);
    let path = idle["claude_sessions"][0]["transcript_path"].as_str().expect("a path").to_owned();
    let mut file = fs::File::options().append(true).open(path).unwrap();
    writeln!(file, r#"{{"type":"made-up-kind","uuid":"x","timestamp":"2026-01-19T10:00:00Z"}}"#).unwrap();
    console.ok(&["session", "send", &id, "[[say:second]]"]);
    console.wait_message("the second answer", &id, |m| m["content"] == "second");
    let counted = console.wait("the line", &id, |session| session["unknown_transcript_lines"] == 1);
    assert!(counted["unknown_kinds"].to_string().contains("made-up-kind"), "{counted:#}");
    console.ok(&["session", "end", &id]);

    let transcript = console.run(&["session", "transcript", &id]);
    let doctor: Value = serde_json::from_str(&console.run(&["doctor", "--json"]).out).unwrap();
    let checks = doctor["checks"].as_array().unwrap().iter();
    let check =
        checks.filter(|check| check["found"].as_str().is_some_and(|found| found.contains("made-up-kind")));
    assert_eq!(check.map(|check| &check["state"]).collect::<Vec<_>>(), ["warning"], "{doctor:#}");
    for text in [transcript.err, console.ok(&["session", "show", &id])] {
        assert!(text.contains("made-up-kind (1)"), "{text}");
    }
}

#[test]
fn recorded_messages_survive_any_change_to_claudes_transcript() {
    if need_sim("recorded_messages_survive_any_change_to_claudes_transcript").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "[[say:first]]"]);
    console.wait_message("the first answer", &id, |m| m["content"] == "first");
    for (what, change) in FILE_CHANGES {
        let idle = console.wait_idle(&id);
        let path = idle["claude_sessions"][0]["transcript_path"].as_str().expect("a path").to_owned();
        let before = texts(&console.messages(&id));
        change(Path::new(&path));
        console.ok(&["session", "send", &id, &format!("[[say:after it was {what}]]")]);
        console.wait_message(what, &id, |m| m["content"] == format!("after it was {what}"));
        let after = texts(&console.messages(&id));
        assert_eq!(after[..before.len()], before, "{what}");
        let mut ids: Vec<&String> = after.iter().map(|(id, _)| id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), after.len(), "{what}: a message was recorded twice");
    }
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    let messages = texts(&console.messages(&id));
    for (what, _) in FILE_CHANGES {
        let times = messages.iter().filter(|(_, text)| *text == format!("after it was {what}")).count();
        assert_eq!(times, 1, "{what}: {messages:#?}");
    }
    assert_eq!(console.show(&id)["message_count"], messages.len());
}
