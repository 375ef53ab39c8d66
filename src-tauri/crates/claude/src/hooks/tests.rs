//! Hook inputs as claude sends them, and answers as claude reads them.

use super::*;
use bc_core::hooks::HookDecision;
use serde_json::json;

fn decode(name: &str, input: Value) -> Hook {
    Hook::decode(name, input.to_string().as_bytes()).unwrap()
}

#[test]
fn every_recorded_hook_is_parsed() {
    let lines = include_str!("../../samples/hooks-interactive.jsonl").lines();
    let hooks: Vec<Hook> = lines.map(|line| Hook::decode("", line.as_bytes()).unwrap()).collect();
    assert_eq!(hooks.len(), 42);
    for hook in &hooks {
        let unknown = matches!(&hook.event, Event::Unknown { name } if name != "PostToolBatch");
        assert!(!unknown, "{:?}", hook.event);
        assert!(hook.conversation.is_some() && hook.transcript_path.is_some());
    }
    let sources: Vec<&str> = hooks
        .iter()
        .filter_map(|hook| {
            if let Event::SessionStart { source } = &hook.event { Some(source.as_str()) } else { None }
        })
        .collect();
    assert_eq!(sources, ["resume", "compact"]);
    let asked = hooks.iter().find_map(|hook| match &hook.event {
        Event::PermissionRequest { tool, suggestions } => Some((tool.clone(), suggestions.len())),
        _ => None,
    });
    let (tool, suggestions) = asked.unwrap();
    assert_eq!((tool.name.as_str(), &tool.id, suggestions), ("Write", &None, 1));
    assert!(tool.input.contains_key("file_path"));
}

#[test]
fn the_status_line_is_recognized_by_its_registered_name() {
    let first = include_str!("../../samples/statusline.jsonl").lines().next().unwrap();
    let Event::StatusLine(line) = Hook::decode("StatusLine", first.as_bytes()).unwrap().event else {
        panic!("not a status line")
    };
    assert_eq!(
        (line.cost_usd, line.context_tokens, line.context_size),
        (Some(0.00507), Some(1192), Some(1_000_000))
    );
}

#[test]
fn unknown_events_are_named_and_invalid_fields_ignored() {
    let hook =
        decode("FileChanged", json!({"hook_event_name": "FileChanged", "file_path": "/a", "session_id": 7}));
    assert_eq!(hook.event, Event::Unknown { name: "FileChanged".to_owned() });
    assert_eq!(hook.conversation, None);
    let hook = decode(
        "Stop",
        json!({"hook_event_name": "Stop", "last_assistant_message": ["x"], "session_id": "--x"}),
    );
    assert_eq!(hook.event, Event::Stop { last_message: String::new(), background: 0 });
    assert_eq!(hook.conversation, None);
}

#[test]
fn input_that_is_not_an_object_is_refused_with_the_hooks_name() {
    for bad in ["", "null", "[]", "{\"a\":", "\u{0}"] {
        let error = Hook::decode("Stop", bad.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("Stop"), "{error}");
    }
}

#[test]
fn answers_have_claudes_format() {
    let check = |answer: Answer, expect: Value| assert_eq!(answer.to_json(), expect);
    check(Answer::Nothing, json!({}));
    let context = |text: &str| Answer::Context { event: EventName::SessionStart, text: text.to_owned() };
    check(context(" "), json!({}));
    check(
        context("x"),
        json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}}),
    );
    let long = context(&"ä".repeat(20_000)).to_json();
    assert_eq!(long["hookSpecificOutput"]["additionalContext"].as_str().unwrap().chars().count(), PIECE_MAX);
    // Claude counts UTF-16 code units. This emoji takes two.
    let long = context(&"🙂".repeat(20_000)).to_json();
    assert_eq!(
        long["hookSpecificOutput"]["additionalContext"].as_str().unwrap().chars().count(),
        PIECE_MAX / 2
    );
    check(
        Answer::Permission(Decision::Allow { for_longer: vec![], input: None }),
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}),
    );
    check(
        Answer::Permission(Decision::Deny { message: "no".to_owned() }),
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
            "decision": {"behavior": "deny", "message": "no"}}}),
    );
    for (decision, name) in
        [(HookDecision::Allow, "allow"), (HookDecision::Ask, "ask"), (HookDecision::Deny, "deny")]
    {
        check(
            Answer::Tool { decision, reason: "why".to_owned() },
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
                "permissionDecision": name, "permissionDecisionReason": "why"}}),
        );
    }
}
