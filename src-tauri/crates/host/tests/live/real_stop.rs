//! Stops the real claude before it has answered. No hook and no transcript line reports this kind of stop.

use crate::{attached_terminal::Terminal, real_claude::RealSession, support::TIMEOUT};
use bc_core::message::MessageKind;
use bc_host::{
    Activity,
    protocol::{Delivery, HeldState},
};
use bc_testkit::wait_until;

/// Waits for a returned prompt, and lists all held prompts.
#[track_caller]
fn wait_returned(real: &RealSession) -> Vec<String> {
    wait_until("the prompt to be returned", TIMEOUT, || {
        real.live.status().held.iter().any(|text| text.state == HeldState::Returned)
    });
    real.live.status().held.into_iter().map(|text| text.text).collect()
}

fn send_hanging(real: &RealSession, text: &str) {
    real.live.wait_activity(Activity::Idle);
    real.send(text);
    real.api.wait_for("[[hang]]", TIMEOUT);
    real.live.wait_shown("esc to interrupt");
}

#[test]
fn a_stopped_prompt_is_returned_and_the_next_text_is_sent_alone() {
    let test = "a_stopped_prompt_is_returned_and_the_next_text_is_sent_alone";
    let Some(real) = RealSession::started(test, None) else { return };
    send_hanging(&real, "[[hang]] fix this\nand that\n\nand that");
    real.live.client().interrupt().unwrap();
    // An impatient user interrupts again. Two Escapes in a row would open one of claude's dialogs.
    real.live.client().interrupt().unwrap();
    real.live.wait_activity(Activity::Idle);
    assert_eq!(wait_returned(&real), ["[[hang]] fix this\nand that\n\nand that"]);
    assert_eq!(real.live.status().hold, None);
    real.send("next");
    real.live.wait_recorded("Reply to: next");
    real.live.wait_activity(Activity::Idle);
    let messages = real.live.messages();
    let stopped = messages.iter().position(|m| m.kind == Some(MessageKind::Interrupted)).unwrap();
    assert!(messages[stopped - 1].content.starts_with("[[hang]]"), "{messages:?}");
    assert_eq!(messages[stopped].content, "Stopped before Claude replied");
    assert!(messages[stopped + 1].content == "next" && messages[stopped + 2].content == "Reply to: next");
    assert!(real.api.conversation().iter().all(|request| !request.seen().contains("thatnext")));
}

#[test]
fn a_stopped_long_opening_prompt_is_returned_completely() {
    let prompt = format!("[[hang]]\n{}", (0..60).map(|n| format!("line {n}\n")).collect::<String>());
    let test = "a_stopped_long_opening_prompt_is_returned_completely";
    let Some(real) = RealSession::started(test, Some(&prompt)) else { return };
    real.api.wait_for("[[hang]]", TIMEOUT);
    real.live.wait_shown("esc to interrupt");
    real.live.client().interrupt().unwrap();
    real.live.wait_activity(Activity::Idle);
    assert_eq!(wait_returned(&real), [prompt.trim_end()]);
    real.send("next");
    real.live.wait_recorded("Reply to: next");
}

#[test]
fn a_prompt_stopped_in_the_terminal_stays_until_another_text_is_sent() {
    let test = "a_prompt_stopped_in_the_terminal_stays_until_another_text_is_sent";
    let Some(real) = RealSession::started(test, None) else { return };
    send_hanging(&real, "[[hang]] stopped by hand");
    let mut terminal = Terminal::attach(&real.live);
    terminal.keys(b"\x1b");
    real.live.wait_activity(Activity::Idle);
    assert_eq!((real.live.status().held, real.live.status().hold), (vec![], None));
    real.live.wait_shown("❯\u{a0}[[hang]] stopped by hand");
    real.send("next");
    assert_eq!(wait_returned(&real), ["[[hang]] stopped by hand"]);
    real.live.wait_recorded("Reply to: next");
    let id = real.live.status().held[0].id.clone();
    real.live.wait_activity(Activity::Idle);
    real.live.client().retry(&id).unwrap();
    real.live.wait_activity(Activity::Working);
    wait_until("an empty queue", TIMEOUT, || real.live.status().held.is_empty());
}

#[test]
fn a_users_draft_is_never_cleared_and_holds_texts_until_it_is_deleted() {
    let test = "a_users_draft_is_never_cleared_and_holds_texts_until_it_is_deleted";
    let Some(real) = RealSession::started(test, None) else { return };
    send_hanging(&real, "[[hang]]");
    let mut terminal = Terminal::attach(&real.live);
    terminal.keys(b"a draft");
    real.live.wait_shown("❯\u{a0}a draft");
    real.live.client().interrupt().unwrap();
    real.live.wait_activity(Activity::Unknown);
    assert_eq!(real.live.client().send("next").unwrap().delivery, Delivery::Held);
    real.live.wait_shown("❯\u{a0}a draft");
    terminal.keys(&[0x15; 4]);
    real.live.wait_recorded("Reply to: next");
}

#[test]
fn a_text_waits_for_a_dialog_that_the_user_opened_and_is_sent_when_it_is_closed() {
    let test = "a_text_waits_for_a_dialog_that_the_user_opened_and_is_sent_when_it_is_closed";
    let Some(real) = RealSession::started(test, None) else { return };
    real.live.wait_activity(Activity::Idle);
    let mut terminal = Terminal::attach(&real.live);
    terminal.keys(b"/model");
    real.live.wait_shown("❯\u{a0}/model");
    terminal.keys(b"\r");
    real.live.wait_shown("Select model");
    assert_eq!(real.live.client().send("a text").unwrap().delivery, Delivery::Held);
    terminal.keys(b"\x1b");
    real.live.wait_recorded("Reply to: a text");
    assert_eq!(real.api.conversation().len(), 1, "the dialog was answered");
}
