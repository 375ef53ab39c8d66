//! What the real claude may do unasked: its mode, its rules, and what a tool's time is.

use crate::{attaching::Terminal, real_claude::Real, support::SOON};
use bc_core::{
    mode::PermissionMode,
    session::{PauseReason, Status},
};
use bc_host::{
    Activity,
    protocol::{Card, StopKind, Verdict},
};
use bc_testkit::wait_until;
use std::time::Duration;

/// Asks in Manual, and fails at once: nobody listens there.
const CURL: &str = "[[bash:curl -s http://127.0.0.1:9/]]";

impl Real {
    fn asked(&self) -> Card {
        self.live.until(Activity::WaitingPermission);
        self.live.status().permissions[0].clone()
    }

    #[track_caller]
    fn until_mode(&self, mode: PermissionMode) {
        wait_until(&format!("{mode:?}"), SOON, || self.live.status().mode == Some(mode));
    }
}

#[test]
fn the_mode_is_changed_at_the_prompt_and_a_resume_begins_with_it() {
    let test = "the_mode_is_changed_at_the_prompt_and_a_resume_begins_with_it";
    let Some(mut real) = Real::started(test, Some("[[say:hello]]")) else { return };
    real.live.until(Activity::Idle);
    real.until_mode(PermissionMode::Manual);
    assert_eq!(real.live.client().mode(None).unwrap(), PermissionMode::AcceptEdits);
    assert_eq!(real.live.client().mode(None).unwrap(), PermissionMode::Plan);
    assert_eq!(real.live.client().mode(Some(PermissionMode::Manual)).unwrap(), PermissionMode::Manual);
    let refused = real.live.client().mode(Some(PermissionMode::BypassPermissions)).unwrap_err();
    assert!(refused.to_string().contains("Bypass is not there"), "{refused}");
    assert_eq!(real.live.status().mode, Some(PermissionMode::Manual));
    assert_eq!(real.live.client().mode(Some(PermissionMode::Plan)).unwrap(), PermissionMode::Plan);
    // What was pressed is nothing that a text would follow.
    real.send("[[say:after]]");
    real.live.until_recorded("after");
    real.live.until(Activity::Idle);
    // In the terminal it is changed too.
    let mut terminal = Terminal::attach(&real.live);
    for _ in 0..3 {
        terminal.keys(b"\x1b[Z");
    }
    real.until_mode(PermissionMode::AcceptEdits);
    let stopped = real.live.client().stop(StopKind::Pause(PauseReason::User)).unwrap();
    assert_eq!((stopped.status, real.live.meta().mode), (Status::Paused, PermissionMode::AcceptEdits));
    real.resumed(None);
    real.until_mode(PermissionMode::AcceptEdits);
}

#[test]
fn the_mode_stays_as_it_is_while_claude_works_or_asks() {
    let test = "the_mode_stays_as_it_is_while_claude_works_or_asks";
    let Some(real) = Real::started(test, Some("[[write:made.txt:x]]")) else { return };
    let card = real.asked();
    let refused = real.live.client().mode(None).unwrap_err();
    assert!(refused.to_string().contains("waits for a permission"), "{refused}");
    assert_eq!(real.live.status().permissions, [card], "Shift+Tab would have answered the dialog");
}

#[test]
fn what_is_allowed_always_is_not_asked_for_again() {
    let test = "what_is_allowed_always_is_not_asked_for_again";
    let Some(real) = Real::started(test, Some(CURL)) else { return };
    let card = real.asked();
    assert_eq!(card.lasting[0].rule, "Bash(curl -s http://127.0.0.1:9/)");
    real.live.client().permission(&card.id, Verdict::AllowAlways).unwrap();
    real.live.until(Activity::Idle);
    let settings = real.sandbox.read(".claude/settings.local.json");
    assert!(settings.contains("Bash(curl -s http://127.0.0.1:9/)"), "{settings}");
    let before = real.live.messages().len();
    real.send(CURL);
    wait_until("the second answer", SOON, || real.live.messages().len() >= before + 3);
    real.live.until(Activity::Idle);
    assert_eq!(real.live.status().permissions, []);
}

#[test]
fn edits_that_are_allowed_always_change_the_mode() {
    let test = "edits_that_are_allowed_always_change_the_mode";
    let Some(real) = Real::started(test, Some("[[write:one.txt:x]]")) else { return };
    let card = real.asked();
    let rules: Vec<_> = card.lasting.iter().map(|l| (l.rule.as_str(), l.holds.as_str())).collect();
    assert_eq!(rules, [("Accept edits mode", "for this session")]);
    real.live.client().permission(&card.id, Verdict::AllowAlways).unwrap();
    real.until_mode(PermissionMode::AcceptEdits);
    real.live.until(Activity::Idle);
    real.send("[[write:two.txt:y]]");
    wait_until("the second file", SOON, || real.sandbox.project().join("two.txt").exists());
}

#[test]
fn a_tools_time_does_not_count_the_wait_for_its_permission() {
    let test = "a_tools_time_does_not_count_the_wait_for_its_permission";
    let Some(real) = Real::started(test, Some(CURL)) else { return };
    let card = real.asked();
    // The person thinks; nothing can be waited on for that.
    std::thread::sleep(Duration::from_secs(4));
    real.live.client().permission(&card.id, Verdict::Allow).unwrap();
    let took = || {
        let calls = real.live.messages().into_iter().filter_map(|m| m.tool_calls).flatten();
        calls.filter_map(|call| call.duration_ms).next_back()
    };
    wait_until("the tool's own time", SOON, || took().is_some_and(|ms| ms < 4_000));
}

#[test]
fn a_subagent_that_asks_is_named() {
    let test = "a_subagent_that_asks_is_named";
    let Some(real) = Real::started(test, Some("[[agent:{{bash:curl -s http://127.0.0.1:9/}}]]")) else {
        return;
    };
    let card = real.asked();
    assert_eq!((card.tool.as_str(), card.subagent.as_deref()), ("Bash", Some("general-purpose")));
    real.live.client().permission(&card.id, Verdict::Deny { message: Some("no".into()) }).unwrap();
    wait_until("the card's withdrawal", SOON, || real.live.status().permissions.is_empty());
}
