//! Claude's hooks and transcripts: permissions, context, events, a relay without a host, long lines, and a removed
//! transcript.

use crate::support::{Live, TIMEOUT, exe};
use bc_core::recovery::Reason;
use bc_host::{
    Activity,
    protocol::{Happening, Verdict},
};
use bc_testkit::wait_for;
use std::io::Write;

#[test]
fn the_start_hook_gets_the_context_which_is_recorded() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let screen = live.wait_shown("context:");
    assert!(screen.contains("\"additionalContext\":\"what to know\""), "{screen}");
    let injection = wait_for("the record of the injection", TIMEOUT, || {
        live.session().injections().unwrap().injections.first().cloned()
    });
    assert_eq!((injection.source.as_str(), injection.text.as_str()), ("recovery", "what to know"));
    assert_eq!((injection.reason, injection.stale, injection.bytes), (Reason::Start, false, 12));
}

#[test]
fn a_permission_is_requested_allowed_and_denied_by_a_client() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let refusal = Verdict::Deny { message: Some("not now".to_owned()) };
    for (verdict, expected) in [(Verdict::Allow, "Write was allowed"), (refusal, "Write was refused")] {
        live.client().send("ask Write").unwrap();
        live.wait_activity(Activity::WaitingPermission);
        let card = live.status().permissions[0].clone();
        assert_eq!(card.tool, "Write");
        let no_rule = live.client().permission(&card.id, Verdict::AllowAlways).unwrap_err();
        assert!(no_rule.to_string().contains("suggests no rule"), "{no_rule}");
        live.client().permission(&card.id, verdict).unwrap();
        live.wait_shown(expected);
        live.wait_activity(Activity::Idle);
        assert_eq!(live.status().permissions, []);
        let again = live.client().permission(&card.id, Verdict::Allow).unwrap_err();
        assert!(again.to_string().contains("not open any more"), "{again}");
    }
}

#[test]
fn a_permission_decided_in_the_terminal_is_withdrawn() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let mut events = live.client().subscribe().unwrap();
    live.client().send("ask Bash").unwrap();
    live.wait_activity(Activity::WaitingPermission);
    let mut terminal = crate::attached_terminal::Terminal::attach(&live);
    terminal.keys(b"1");
    live.wait_shown("Bash was allowed");
    live.wait_activity(Activity::Idle);
    assert_eq!(live.status().permissions, []);
    let mut seen = Vec::new();
    while !seen.iter().any(|happening| matches!(happening, Happening::PermissionClosed { .. })) {
        seen.push(events.next_within(TIMEOUT).unwrap().unwrap().what);
    }
    assert!(seen.iter().any(|happening| matches!(happening, Happening::PermissionAsked { .. })));
}

#[test]
fn events_are_numbered_without_a_gap() {
    let live = Live::new().started();
    let mut events = live.client().subscribe().unwrap();
    live.wait_activity(Activity::Idle);
    live.client().send("hello").unwrap();
    let mut last = None;
    loop {
        let event = events.next_within(TIMEOUT).unwrap().unwrap();
        assert!(last.is_none_or(|last: u64| event.seq == last + 1), "{last:?} {event:?}");
        last = Some(event.seq);
        if matches!(&event.what, Happening::Message { message } if message.content == "Reply to: hello") {
            break;
        }
    }
}

#[test]
fn a_relay_without_a_host_lets_claude_continue() {
    for socket in ["/no/such/socket", ""] {
        #[allow(clippy::disallowed_methods, reason = "a test starts the relay as claude does")]
        let mut command = std::process::Command::new(exe());
        let mut child = command
            .args(["hook", "Stop", "0"])
            .env("BEADS_CONSOLE_SOCKET", socket)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(br#"{"hook_event_name":"Stop"}"#).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success());
        assert_eq!(out.stdout, b"{}\n");
    }
}

#[test]
fn a_transcript_line_of_ten_megabytes_is_handled() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("before").unwrap();
    live.wait_recorded("Reply to: before");
    let mut events = live.client().subscribe().unwrap();
    let text = "x".repeat(10 << 20);
    let line = serde_json::json!({"type":"user","uuid":"long","timestamp":"2026-01-19T10:00:00Z",
        "isSidechain":false,"message":{"role":"user","content":text}});
    let path = live.status().transcript.unwrap();
    let mut file = std::fs::File::options().append(true).open(path).unwrap();
    file.write_all(format!("{line}\nnot JSON\n{{\"type\":\"from the future\"}}\n").as_bytes()).unwrap();
    wait_for("the long message", TIMEOUT, || {
        live.messages().iter().any(|m| m.content.len() == 10 << 20).then_some(())
    });
    live.client().send("after").unwrap();
    live.wait_recorded("Reply to: after");
    wait_for("the unreadable lines", TIMEOUT, || (live.status().unknown_lines == 2).then_some(()));
    // A subscriber gets a shortened message, and all later events.
    let mut long = None;
    loop {
        match events.next_within(TIMEOUT).unwrap().unwrap().what {
            Happening::Message { message } if message.id == "long" => long = message.left_out,
            Happening::Message { message } if message.content == "Reply to: after" => break,
            _ => {}
        }
    }
    assert!(long.is_some_and(|bytes| bytes > 10_000_000), "{long:?}");
}

#[test]
fn a_removed_transcript_loses_no_recorded_message() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("before").unwrap();
    live.wait_recorded("Reply to: before");
    std::fs::remove_file(live.status().transcript.unwrap()).unwrap();
    live.wait_activity(Activity::Idle);
    live.client().send("after").unwrap();
    live.wait_recorded("Reply to: after");
    let contents: Vec<String> = live.messages().into_iter().map(|m| m.content).collect();
    assert_eq!(contents, ["before", "Reply to: before", "after", "Reply to: after"]);
}
