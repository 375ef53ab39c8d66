//! The real claude's modes, permission requests, questions, plans and tool durations.

use crate::{attached_terminal::Terminal, real_claude::RealSession, support::TIMEOUT};
use bc_core::{
    mode::PermissionMode,
    question::QuestionAnswer,
    session::{PauseReason, Status},
};
use bc_host::{
    Activity,
    protocol::{Card, StopKind, Verdict},
};
use bc_testkit::wait_until;
use std::time::Duration;

/// A command that needs permission in Manual mode. It fails immediately because no process listens on this
/// port.
const CURL: &str = "[[bash:curl -s http://127.0.0.1:9/]]";

impl RealSession {
    fn asked(&self) -> Card {
        self.live.wait_activity(Activity::WaitingPermission);
        self.live.status().permissions[0].clone()
    }

    #[track_caller]
    fn wait_mode(&self, mode: PermissionMode) {
        wait_until(&format!("{mode:?}"), TIMEOUT, || self.live.status().mode == Some(mode));
    }
}

#[test]
fn the_mode_is_changed_at_the_prompt_and_a_resume_starts_with_it() {
    let test = "the_mode_is_changed_at_the_prompt_and_a_resume_starts_with_it";
    let Some(mut real) = RealSession::started(test, Some("[[say:hello]]")) else { return };
    real.live.wait_activity(Activity::Idle);
    real.wait_mode(PermissionMode::Manual);
    assert_eq!(real.live.client().mode(None).unwrap(), PermissionMode::AcceptEdits);
    assert_eq!(real.live.client().mode(None).unwrap(), PermissionMode::Plan);
    assert_eq!(real.live.client().mode(Some(PermissionMode::Manual)).unwrap(), PermissionMode::Manual);
    let refused = real.live.client().mode(Some(PermissionMode::BypassPermissions)).unwrap_err();
    assert!(refused.to_string().contains("Bypass is not available"), "{refused}");
    assert_eq!(real.live.status().mode, Some(PermissionMode::Manual));
    assert_eq!(real.live.client().mode(Some(PermissionMode::Plan)).unwrap(), PermissionMode::Plan);
    // The keys of a mode change must leave no text in the input box.
    real.send("[[say:after]]");
    real.live.wait_recorded("after");
    real.live.wait_activity(Activity::Idle);
    // A mode that the user changes in the terminal is also recorded.
    let mut terminal = Terminal::attach(&real.live);
    for _ in 0..3 {
        terminal.keys(b"\x1b[Z");
    }
    real.wait_mode(PermissionMode::AcceptEdits);
    let stopped = real.live.client().stop(StopKind::Pause(PauseReason::User)).unwrap();
    assert_eq!((stopped.status, real.live.meta().mode), (Status::Paused, PermissionMode::AcceptEdits));
    real.resumed(None);
    real.wait_mode(PermissionMode::AcceptEdits);
}

#[test]
fn the_mode_stays_as_it_is_while_claude_works_or_asks() {
    let test = "the_mode_stays_as_it_is_while_claude_works_or_asks";
    let Some(real) = RealSession::started(test, Some("[[write:made.txt:x]]")) else { return };
    let card = real.asked();
    let refused = real.live.client().mode(None).unwrap_err();
    assert!(refused.to_string().contains("waits for a permission"), "{refused}");
    assert_eq!(real.live.status().permissions, [card], "Shift+Tab answered the dialog");
}

#[test]
fn a_permanent_permission_is_not_requested_again() {
    let test = "a_permanent_permission_is_not_requested_again";
    let Some(real) = RealSession::started(test, Some(CURL)) else { return };
    let card = real.asked();
    assert_eq!(card.lasting[0].rule, "Bash(curl -s http://127.0.0.1:9/)");
    real.live.client().permission(&card.id, Verdict::AllowAlways).unwrap();
    real.live.wait_activity(Activity::Idle);
    let settings = real.sandbox.read(".claude/settings.local.json");
    assert!(settings.contains("Bash(curl -s http://127.0.0.1:9/)"), "{settings}");
    let before = real.live.messages().len();
    real.send(CURL);
    wait_until("the second answer", TIMEOUT, || real.live.messages().len() >= before + 3);
    real.live.wait_activity(Activity::Idle);
    assert_eq!(real.live.status().permissions, []);
}

#[test]
fn permanently_allowed_edits_change_the_mode() {
    let test = "permanently_allowed_edits_change_the_mode";
    let Some(real) = RealSession::started(test, Some("[[write:one.txt:x]]")) else { return };
    let card = real.asked();
    let rules: Vec<_> = card.lasting.iter().map(|l| (l.rule.as_str(), l.holds.as_str())).collect();
    assert_eq!(rules, [("Accept edits mode", "for this session")]);
    real.live.client().permission(&card.id, Verdict::AllowAlways).unwrap();
    real.wait_mode(PermissionMode::AcceptEdits);
    real.live.wait_activity(Activity::Idle);
    real.send("[[write:two.txt:y]]");
    wait_until("the second file", TIMEOUT, || real.sandbox.project().join("two.txt").exists());
}

#[test]
fn a_tools_time_does_not_count_the_wait_for_its_permission() {
    let test = "a_tools_time_does_not_count_the_wait_for_its_permission";
    let Some(real) = RealSession::started(test, Some(CURL)) else { return };
    let card = real.asked();
    // Simulates a user who takes time to decide; there is no condition to wait for.
    std::thread::sleep(Duration::from_secs(4));
    real.live.client().permission(&card.id, Verdict::Allow).unwrap();
    let took = || {
        let calls = real.live.messages().into_iter().filter_map(|m| m.tool_calls).flatten();
        calls.filter_map(|call| call.duration_ms).next_back()
    };
    wait_until("the tool's own time", TIMEOUT, || took().is_some_and(|ms| ms < 4_000));
}

#[test]
fn a_subagent_that_asks_is_named() {
    let test = "a_subagent_that_asks_is_named";
    let Some(real) = RealSession::started(test, Some("[[agent:{{bash:curl -s http://127.0.0.1:9/}}]]"))
    else {
        return;
    };
    let card = real.asked();
    assert_eq!((card.tool.as_str(), card.subagent.as_deref()), ("Bash", Some("general-purpose")));
    real.live.client().permission(&card.id, Verdict::Deny { message: Some("no".into()) }).unwrap();
    wait_until("the card's withdrawal", TIMEOUT, || real.live.status().permissions.is_empty());
}

/// Two questions: a single-choice question and a multiple-choice question.
const QUESTIONS: &str = r#"[[tool:AskUserQuestion:{"questions":[
    {"question":"Which colour?","header":"Colour","multiSelect":false,"options":[
        {"label":"Red","description":"r"},{"label":"Blue","description":"b"}]},
    {"question":"Which fruits?","header":"Fruits","multiSelect":true,"options":[
        {"label":"Apple","description":"a"},{"label":"Pear","description":"p"}]} ]}]]"#;

fn answer(question: &str, chosen: &[&str]) -> QuestionAnswer {
    let chosen = chosen.iter().map(|one| (*one).to_owned()).collect();
    QuestionAnswer { question: question.to_owned(), chosen }
}

#[test]
fn claudes_questions_are_answered_by_a_client() {
    let test = "claudes_questions_are_answered_by_a_client";
    let Some(real) = RealSession::started(test, Some(QUESTIONS)) else { return };
    let card = real.asked();
    let plain = real.live.client().permission(&card.id, Verdict::Allow).unwrap_err();
    assert!(plain.to_string().contains("answer every question"), "{plain}");
    let one = Verdict::Answers { answers: vec![answer("Which colour?", &["Red"])] };
    let missing = real.live.client().permission(&card.id, one).unwrap_err();
    assert!(missing.to_string().contains("Which fruits?"), "{missing}");
    assert_eq!(real.live.status().permissions.len(), 1, "an invalid answer closed the request");
    let both = vec![answer("Which colour?", &["Red"]), answer("Which fruits?", &["Apple", "Pear"])];
    real.live.client().permission(&card.id, Verdict::Answers { answers: both }).unwrap();
    real.live.wait_activity(Activity::Idle);
    let request = real.api.wait_for("Your questions have been answered", TIMEOUT);
    assert!(request.seen().contains("Apple, Pear"), "{}", request.seen());
}

#[test]
fn an_approved_plan_is_carried_out_in_manual_and_a_denied_one_goes_back() {
    let test = "an_approved_plan_is_carried_out_in_manual_and_a_denied_one_goes_back";
    let Some(real) = RealSession::started(test, Some("[[say:hello]]")) else { return };
    real.live.wait_activity(Activity::Idle);
    real.wait_mode(PermissionMode::Manual);
    // Shift+Tab passes through Accept edits on its way to Plan, so claude would return to Accept edits.
    real.live.client().mode(Some(PermissionMode::Plan)).unwrap();
    real.send("[[tool:ExitPlanMode:{}]]");
    let card = real.asked();
    let why = Verdict::Deny { message: Some("tests first".into()) };
    real.live.client().permission(&card.id, why).unwrap();
    real.api.wait_for("tests first", TIMEOUT);
    real.live.wait_activity(Activity::Idle);
    real.wait_mode(PermissionMode::Plan);
    real.send("[[tool:ExitPlanMode:{}]]");
    let card = real.asked();
    real.live.client().permission(&card.id, Verdict::Allow).unwrap();
    real.live.wait_activity(Activity::Idle);
    real.wait_mode(PermissionMode::Manual);
}

#[test]
fn an_approved_plan_is_carried_out_in_the_chosen_mode() {
    let test = "an_approved_plan_is_carried_out_in_the_chosen_mode";
    let Some(real) = RealSession::started(test, Some("[[say:hello]]")) else { return };
    real.live.wait_activity(Activity::Idle);
    for mode in [PermissionMode::AcceptEdits, PermissionMode::Auto] {
        real.live.client().mode(Some(PermissionMode::Plan)).unwrap();
        real.wait_mode(PermissionMode::Plan);
        real.send(r##"[[tool:ExitPlanMode:{"plan":"# The plan"}]]"##);
        let card = real.asked();
        real.live.client().permission(&card.id, Verdict::Approve { mode }).unwrap();
        real.live.wait_activity(Activity::Idle);
        real.wait_mode(mode);
    }
}

#[test]
fn of_two_answers_at_once_one_counts_and_a_long_reason_arrives_unchanged() {
    let test = "of_two_answers_at_once_one_counts_and_a_long_reason_arrives_unchanged";
    let Some(real) = RealSession::started(test, Some("[[bash:touch never]]")) else { return };
    let card = real.asked();
    let line = "He said \"no\", 'never' and `stop` \\ at 50 %: \u{fc}n\u{ef}\n\t- twice\n";
    let reason = format!("{}the end of it", line.repeat(10 * 1024 / line.len() + 1));
    let outcomes: Vec<bool> = std::thread::scope(|scope| {
        let both = [real.live.client(), real.live.client()].map(|mut client| {
            let deny = Verdict::Deny { message: Some(reason.clone()) };
            let id = card.id.clone();
            scope.spawn(move || client.permission(&id, deny).is_ok())
        });
        both.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|done| **done).count(), 1, "{outcomes:?}");
    let request = real.api.wait_for("the end of it", TIMEOUT);
    let quoted = serde_json::Value::from(reason).to_string();
    assert!(request.seen().contains(quoted.trim_matches('"')), "{}", request.seen());
    let late = real.live.client().permission(&card.id, Verdict::Allow).unwrap_err();
    assert!(late.to_string().contains("not open any more"), "{late}");
}
