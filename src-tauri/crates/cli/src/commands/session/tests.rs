//! Command lines of `session …`: the calls of the contract, and the output.

use crate::{
    commands::Next,
    test_doubles::{self, FakeProject, FakeUser, Ran},
};
use bc_wire::{
    ApiError, ErrorCode,
    session::{SessionState, SessionView},
};
use serde_json::json;

const ID: &str = "00000001-0000-4000-8000-000000000000";

fn live() -> SessionView {
    SessionView {
        live: Some(test_doubles::live_asking()),
        state: SessionState::NeedsYou,
        ..test_doubles::session(1)
    }
}

fn send(line: &[&str], user: FakeUser, answer: serde_json::Value) -> Ran {
    FakeProject::new().answers("session.send", answer).run(line, user)
}

#[test]
fn send_passes_text_unchanged() {
    let ran = send(
        &["session", "send", ID, "! and \"this\"\nas is"],
        FakeUser::away(),
        json!({"delivery": "sent"}),
    );
    assert_eq!(ran.calls, [("session.send", json!({"id": ID, "text": "! and \"this\"\nas is"}))]);
    assert_eq!(ran.out, "sent\n");
}

#[test]
fn send_dash_reads_stdin() {
    let held = json!({"delivery": "held", "reason": "claude asks for permission"});
    let ran = send(&["session", "send", ID, "-"], FakeUser::types("typed\n"), held);
    assert_eq!(ran.calls[0].1["text"], "typed\n");
    assert_eq!(ran.out, "queued: claude asks for permission\n");
}

#[test]
fn send_empty_text_is_a_usage_error() {
    let ran = send(&["session", "send", ID, "-"], FakeUser::types(" \n"), json!({"delivery": "sent"}));
    assert_eq!((ran.code, ran.calls.len()), (2, 0));
}

#[test]
fn attach_opens_the_terminal_of_a_live_session() {
    let fake = || FakeProject::new().answers("session.show", live());
    let ran = fake().run(&["session", "attach", ID], FakeUser::says(""));
    assert_eq!(ran.next, Some(Next::Attach(ID.parse().unwrap())));
    assert_eq!(fake().run(&["session", "attach", ID], FakeUser::away()).code, 2);
    assert_eq!(fake().run(&["session", "attach", ID, "--json"], FakeUser::says("")).code, 2);
}

#[test]
fn attach_to_a_paused_session_hints_at_resume() {
    let mut paused = test_doubles::session(1);
    paused.meta.status = bc_core::session::Status::Paused;
    paused.state = SessionState::Paused;
    let ran = FakeProject::new()
        .answers("session.show", paused)
        .run(&["session", "attach", ID], FakeUser::says(""));
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("it is paused") && ran.err.contains("session resume 00000001"), "{}", ran.err);
}

#[test]
fn end_reports_the_bead_status() {
    let ended = json!({"session": test_doubles::session(1), "bead_status": "in_progress", "warnings": ["2 files changed"]});
    let ran = FakeProject::new().answers("session.end", ended).run(&["session", "end", ID], FakeUser::away());
    assert_eq!(
        ran.calls,
        [(
            "session.end",
            json!({"id": ID, "review": false, "add_status": false, "without_commit": false, "log": null})
        )]
    );
    assert!(ran.out.ends_with("  BC-001 is in_progress\n"), "{}", ran.out);
    assert_eq!(ran.err, "warning: 2 files changed\n");
}

#[test]
fn end_for_review_asks_before_adding_a_status() {
    let run = |line: &[&str], user| {
        let refusal = ApiError::new(ErrorCode::ConfirmationNeeded, "add in_review?");
        FakeProject::new()
            .refuses_unless("session.end", "add_status", refusal)
            .answers("session.end", json!({"session": test_doubles::session(1), "bead_status": "in_review"}))
            .run(line, user)
    };
    let ran = run(&["session", "end", ID, "--review"], FakeUser::says("yes"));
    assert_eq!((ran.code, ran.calls.len()), (0, 2));
    assert!(ran.out.contains("BC-001 is in_review"), "{}", ran.out);
    assert_eq!(run(&["session", "end", ID, "--review"], FakeUser::says("n")).code, 4);
    assert_eq!(run(&["session", "end", ID, "--review"], FakeUser::away()).code, 4);
    let agreed = run(&["session", "end", ID, "--review", "--yes"], FakeUser::away());
    assert_eq!((agreed.code, agreed.calls.len()), (0, 1));
}

#[test]
fn end_for_review_asks_before_it_submits_work_without_a_commit() {
    let run = |options: &[&str], user| {
        let line: Vec<&str> = ["session", "end", ID, "--review"].iter().chain(options).copied().collect();
        FakeProject::new()
            .refuses_unless(
                "session.end",
                "without_commit",
                ApiError::new(ErrorCode::CommitMissing, "no commit"),
            )
            .answers("session.end", json!({"session": test_doubles::session(1), "bead_status": "in_review"}))
            .run(&line, user)
    };
    let ran = run(&[], FakeUser::says("yes"));
    assert_eq!((ran.code, ran.calls.len()), (0, 2));
    let declined = run(&[], FakeUser::says("n"));
    assert_eq!((declined.code, declined.calls.len()), (4, 1));
    assert!(declined.err.contains("the session keeps running"), "{}", declined.err);
    assert_eq!(run(&[], FakeUser::away()).code, 4);
    assert_eq!(run(&["--without-commit"], FakeUser::away()).calls.len(), 1);
}

#[test]
fn mode_without_argument_selects_the_next_one() {
    let mut planned = live();
    planned.meta.mode = bc_core::mode::PermissionMode::Plan;
    let run = |line: &[&str]| {
        FakeProject::new().answers("session.mode", planned.clone()).run(line, FakeUser::away())
    };
    let named = run(&["session", "mode", ID, "plan"]);
    assert_eq!(named.calls, [("session.mode", json!({"id": ID, "mode": "plan"}))]);
    assert_eq!(named.out, "Plan mode\n");
    assert_eq!(run(&["session", "mode", ID]).calls[0].1["mode"], json!(null));
    assert_eq!(run(&["session", "mode", ID, "hard"]).code, 2);
}

#[test]
fn permission_can_be_allowed_or_denied_with_a_reason() {
    let run =
        |line: &[&str]| FakeProject::new().answers("session.permission", live()).run(line, FakeUser::away());
    let denied = run(&["session", "permission", ID, "req-1", "--deny", "--message", "not now"]);
    let params = json!({"id": ID, "request": "req-1", "answer": "deny", "message": "not now"});
    assert_eq!(denied.calls, [("session.permission", params)]);
    assert_eq!(run(&["session", "permission", ID, "req-1", "--allow"]).calls[0].1["answer"], "allow");
    assert_eq!(run(&["session", "permission", ID, "req-1", "--always"]).calls[0].1["answer"], "always");
    assert_eq!(run(&["session", "permission", ID, "req-1", "--always", "--message", "x"]).code, 2);
    assert_eq!(run(&["session", "permission", ID, "req-1"]).code, 2);
    assert_eq!(run(&["session", "permission", ID, "req-1", "--allow", "--deny"]).code, 2);
}

fn asking_questions() -> SessionView {
    let mut session = live();
    let input = json!({"questions": [
        {"question": "a=b or c?", "header": "Form", "options": [{"label": "Yes"}, {"label": "No"}]},
        {"question": "Which?", "multiSelect": true, "options": [{"label": "X"}, {"label": "Y"}, {"label": "Z"}]},
    ]});
    let request = &mut session.live.as_mut().unwrap().permissions[0];
    (request.tool, request.input) = ("AskUserQuestion".to_owned(), input);
    session
}

#[test]
fn questions_are_answered_by_number_or_text() {
    let run = |options: &[&str]| {
        let line: Vec<&str> = ["session", "permission", ID, "req-1"].iter().chain(options).copied().collect();
        let asking = asking_questions();
        let fake =
            FakeProject::new().answers("session.show", asking.clone()).answers("session.permission", asking);
        fake.run(&line, FakeUser::away())
    };
    let expect = |first: &str, second: &[&str]| json!([{"question": "a=b or c?", "chosen": [first]}, {"question": "Which?", "chosen": second}]);
    let chosen = run(&["--choose", "2", "--choose", "1,3"]);
    assert_eq!(
        (&chosen.calls[1].1["answer"], &chosen.calls[1].1["answers"]),
        (&json!("allow"), &expect("No", &["X", "Z"]))
    );
    for name in ["a=b or c?", "Form", "1"] {
        let named = run(&["--answer", &format!("{name}=neither = both"), "--answer", "2=Z"]);
        assert_eq!(named.calls[1].1["answers"], expect("neither = both", &["Z"]), "{name}");
    }
    for bad in [
        &["--choose", "1"][..],
        &["--choose", "3", "--choose", "1"],
        &["--answer", "Why=1"],
        &["--allow", "--choose", "1"],
    ] {
        let ran = run(bad);
        assert_eq!(ran.code, 2, "{bad:?}: {}", ran.err);
        assert!(ran.calls.iter().all(|(method, _)| *method != "session.permission"), "{bad:?}");
    }
}

#[test]
fn answers_need_a_question() {
    let ran = FakeProject::new()
        .answers("session.show", live())
        .run(&["session", "permission", ID, "req-1", "--choose", "1"], FakeUser::away());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("asks no question"), "{}", ran.err);
}

#[test]
fn queued_text_can_be_retried_or_discarded() {
    for verb in ["retry", "forget"] {
        let method: &'static str = if verb == "retry" { "session.retry" } else { "session.forget" };
        let ran =
            FakeProject::new().answers(method, live()).run(&["session", verb, ID, "h-1"], FakeUser::away());
        assert_eq!(ran.calls, [(method, json!({"id": ID, "text": "h-1"}))]);
    }
}

#[test]
fn unconfirmed_text_is_not_reported_as_sent() {
    let ran = send(&["session", "send", ID, "x"], FakeUser::away(), json!({"delivery": "unconfirmed"}));
    assert!(ran.out.starts_with("typed, but claude did not confirm it"), "{}", ran.out);
}

#[test]
fn end_log_can_be_given_edited_or_omitted() {
    let preview = json!({
        "suggest_review": true, "needs_consent": false, "log": "### session 1",
        "facts": {"session": ID, "active_ms": 0},
    });
    let run = |options: &[&str], user| {
        let line: Vec<&str> = ["session", "end", ID, "--review"].iter().chain(options).copied().collect();
        FakeProject::new()
            .answers("session.end_preview", preview.clone())
            .answers(
                "session.end",
                json!({"session": test_doubles::session(1), "bead_status": "in_review", "log_saved": true}),
            )
            .run(&line, user)
    };
    let plain = run(&[], FakeUser::away());
    assert_eq!(plain.calls[0].1["log"], json!(null), "the engine makes it");
    assert!(plain.out.contains("execution log saved in the notes of BC-001"), "{}", plain.out);
    assert_eq!(run(&["--no-log"], FakeUser::away()).calls[0].1["log"], "");
    assert_eq!(run(&["--log", "-"], FakeUser::types("mine\n")).calls[0].1["log"], "mine");
    let edited = run(&["--edit"], FakeUser::edits("### session 1\n\nmore\n"));
    assert_eq!(edited.edited.as_deref(), Some("### session 1"));
    assert_eq!(edited.calls[1].1["log"], "### session 1\n\nmore");
    assert_eq!(run(&["--edit"], FakeUser::away()).code, 2);
    assert_eq!(run(&["--edit", "--no-log"], FakeUser::says("")).code, 2);
}

#[test]
fn transcript_json_is_an_object_with_messages() {
    let answer = json!({"messages": test_doubles::messages()});
    let ran = FakeProject::new()
        .answers("session.transcript", answer.clone())
        .run(&["session", "transcript", ID, "--json"], FakeUser::away());
    assert_eq!(serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(), answer);
}
