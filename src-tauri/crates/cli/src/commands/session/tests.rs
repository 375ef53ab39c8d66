//! `session …` as a command line: what is asked of the contract, what is printed.

use crate::{
    commands::Next,
    fake::{self, Fake, Person, Ran},
};
use bc_wire::{ApiError, ErrorCode, session::SessionView};
use serde_json::json;

const ID: &str = "00000001-0000-4000-8000-000000000000";

fn live() -> SessionView {
    SessionView { live: Some(fake::live_asking()), ..fake::session(1) }
}

fn send(line: &[&str], person: Person, answer: serde_json::Value) -> Ran {
    Fake::new().answers("session.send", answer).run(line, person)
}

#[test]
fn a_text_is_sent_as_it_stands() {
    let ran =
        send(&["session", "send", ID, "! and \"this\"\nas is"], Person::away(), json!({"delivery": "sent"}));
    assert_eq!(ran.calls, [("session.send", json!({"id": ID, "text": "! and \"this\"\nas is"}))]);
    assert_eq!(ran.out, "sent\n");
}

#[test]
fn a_text_comes_from_standard_input_where_a_dash_stands_for_it() {
    let held = json!({"delivery": "held", "reason": "claude asks for a permission"});
    let ran = send(&["session", "send", ID, "-"], Person::types("typed\n"), held);
    assert_eq!(ran.calls[0].1["text"], "typed\n");
    assert_eq!(ran.out, "held: claude asks for a permission\n");
}

#[test]
fn an_empty_text_is_a_usage_error() {
    let ran = send(&["session", "send", ID, "-"], Person::types(" \n"), json!({"delivery": "sent"}));
    assert_eq!((ran.code, ran.calls.len()), (2, 0));
}

#[test]
fn attach_opens_the_terminal_of_a_live_session() {
    let fake = || Fake::new().answers("session.show", live());
    let ran = fake().run(&["session", "attach", ID], Person::says(""));
    assert_eq!(ran.next, Some(Next::Attach(ID.parse().unwrap())));
    assert_eq!(fake().run(&["session", "attach", ID], Person::away()).code, 2);
    assert_eq!(fake().run(&["session", "attach", ID, "--json"], Person::says("")).code, 2);
}

#[test]
fn attach_to_a_paused_session_says_how_to_go_on() {
    let mut paused = fake::session(1);
    paused.meta.status = bc_core::session::Status::Paused;
    let ran = Fake::new().answers("session.show", paused).run(&["session", "attach", ID], Person::says(""));
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("it is paused") && ran.err.contains("session resume 00000001"), "{}", ran.err);
}

#[test]
fn end_says_what_became_of_the_bead() {
    let ended =
        json!({"session": fake::session(1), "bead_status": "in_progress", "warnings": ["2 files changed"]});
    let ran = Fake::new().answers("session.end", ended).run(&["session", "end", ID], Person::away());
    assert_eq!(
        ran.calls,
        [("session.end", json!({"id": ID, "review": false, "add_status": false, "log": null}))]
    );
    assert!(ran.out.ends_with("  BC-001 is in_progress\n"), "{}", ran.out);
    assert_eq!(ran.err, "warning: 2 files changed\n");
}

#[test]
fn end_for_review_asks_before_the_tracker_gets_a_status() {
    let run = |line: &[&str], person| {
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, "add in_review?");
        Fake::new()
            .refuses_unless("session.end", "add_status", refusal)
            .answers("session.end", json!({"session": fake::session(1), "bead_status": "in_review"}))
            .run(line, person)
    };
    let asked = run(&["session", "end", ID, "--review"], Person::says("yes"));
    assert_eq!((asked.code, asked.calls.len()), (0, 2));
    assert!(asked.out.contains("BC-001 is in_review"), "{}", asked.out);
    assert_eq!(run(&["session", "end", ID, "--review"], Person::says("n")).code, 4);
    assert_eq!(run(&["session", "end", ID, "--review"], Person::away()).code, 4);
    let agreed = run(&["session", "end", ID, "--review", "--yes"], Person::away());
    assert_eq!((agreed.code, agreed.calls.len()), (0, 1));
}

#[test]
fn a_mode_is_named_or_is_claudes_next() {
    let mut planned = live();
    planned.meta.mode = bc_core::mode::PermissionMode::Plan;
    let run = |line: &[&str]| Fake::new().answers("session.mode", planned.clone()).run(line, Person::away());
    let named = run(&["session", "mode", ID, "plan"]);
    assert_eq!(named.calls, [("session.mode", json!({"id": ID, "mode": "plan"}))]);
    assert_eq!(named.out, "Plan mode\n");
    assert_eq!(run(&["session", "mode", ID]).calls[0].1["mode"], json!(null));
    assert_eq!(run(&["session", "mode", ID, "hard"]).code, 2);
}

#[test]
fn a_permission_is_allowed_or_denied_with_a_reason() {
    let run = |line: &[&str]| Fake::new().answers("session.permission", live()).run(line, Person::away());
    let denied = run(&["session", "permission", ID, "req-1", "--deny", "--message", "not now"]);
    let params = json!({"id": ID, "request": "req-1", "answer": "deny", "message": "not now"});
    assert_eq!(denied.calls, [("session.permission", params)]);
    assert_eq!(run(&["session", "permission", ID, "req-1", "--allow"]).calls[0].1["answer"], "allow");
    assert_eq!(run(&["session", "permission", ID, "req-1", "--always"]).calls[0].1["answer"], "always");
    assert_eq!(run(&["session", "permission", ID, "req-1", "--always", "--message", "x"]).code, 2);
    assert_eq!(run(&["session", "permission", ID, "req-1"]).code, 2);
    assert_eq!(run(&["session", "permission", ID, "req-1", "--allow", "--deny"]).code, 2);
}

#[test]
fn a_waiting_text_is_tried_again_or_dropped() {
    for verb in ["retry", "forget"] {
        let method: &'static str = if verb == "retry" { "session.retry" } else { "session.forget" };
        let ran = Fake::new().answers(method, live()).run(&["session", verb, ID, "h-1"], Person::away());
        assert_eq!(ran.calls, [(method, json!({"id": ID, "text": "h-1"}))]);
    }
}

#[test]
fn a_text_that_claude_did_not_confirm_is_not_called_sent() {
    let ran = send(&["session", "send", ID, "x"], Person::away(), json!({"delivery": "unconfirmed"}));
    assert!(ran.out.starts_with("typed, but claude did not confirm it"), "{}", ran.out);
}

#[test]
fn the_execution_log_is_given_edited_or_left_out() {
    let preview = json!({
        "suggest_review": true, "needs_consent": false, "log": "### session 1",
        "facts": {"session": ID, "active_ms": 0},
    });
    let run = |options: &[&str], person| {
        let line: Vec<&str> = ["session", "end", ID, "--review"].iter().chain(options).copied().collect();
        Fake::new()
            .answers("session.end_preview", preview.clone())
            .answers(
                "session.end",
                json!({"session": fake::session(1), "bead_status": "in_review", "log_saved": true}),
            )
            .run(&line, person)
    };
    let plain = run(&[], Person::away());
    assert_eq!(plain.calls[0].1["log"], json!(null), "the engine makes it");
    assert!(plain.out.contains("the execution log is in the notes of BC-001"), "{}", plain.out);
    assert_eq!(run(&["--no-log"], Person::away()).calls[0].1["log"], "");
    assert_eq!(run(&["--log", "-"], Person::types("mine\n")).calls[0].1["log"], "mine");
    let edited = run(&["--edit"], Person::edits("### session 1\n\nmore\n"));
    assert_eq!(edited.edited.as_deref(), Some("### session 1"));
    assert_eq!(edited.calls[1].1["log"], "### session 1\n\nmore");
    assert_eq!(run(&["--edit"], Person::away()).code, 2);
    assert_eq!(run(&["--edit", "--no-log"], Person::says("")).code, 2);
}

#[test]
fn a_transcript_as_json_is_an_object_of_messages() {
    let answer = json!({"messages": fake::messages()});
    let ran = Fake::new()
        .answers("session.transcript", answer.clone())
        .run(&["session", "transcript", ID, "--json"], Person::away());
    assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(), answer);
}
