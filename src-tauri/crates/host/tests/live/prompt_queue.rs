//! Prompts for claude: sent or held, but never an answer to a dialog.

use crate::support::{Live, TIMEOUT};
use bc_core::session::PauseReason;
use bc_host::{
    Activity, ClientError,
    protocol::{Delivery, HeldState, RefusedCode, StopKind, Verdict},
};
use bc_process::descendants::Signal;
use bc_testkit::wait_until;
use std::{io::Write, time::Duration};

#[test]
fn a_text_reaches_claude_at_its_prompt_and_is_confirmed() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let sent = live.client().send("also fix the tests").unwrap();
    assert_eq!((sent.delivery, sent.reason), (Delivery::Sent, None));
    live.wait_recorded("Reply to: also fix the tests");
    assert_eq!(live.status().held, []);
    assert_eq!(live.session().outbox().unwrap().items, []);
}

#[test]
fn a_text_of_many_lines_stays_one_prompt() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let text = "one\n\ntwo\twith a tab\nthree\u{1b}[201~\rexit 9";
    assert_eq!(live.client().send(text).unwrap().delivery, Delivery::Sent);
    live.wait_recorded("three[201~");
    assert_eq!(live.messages().iter().filter(|m| m.content.starts_with("one")).count(), 1);
}

#[test]
fn an_exclamation_mark_never_runs_a_shell() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("!rm -rf /").unwrap();
    live.wait_recorded(" !rm -rf /");
}

#[test]
fn a_text_during_a_turn_waits_for_its_end_and_texts_keep_their_order() {
    let live = Live::new().prompted("slow work").started();
    live.wait_activity(Activity::Working);
    for text in ["first of two", "second of two"] {
        let sent = live.client().send(text).unwrap();
        assert_eq!(sent.delivery, Delivery::Held);
        assert!(sent.reason.unwrap().contains("working"));
    }
    assert_eq!(live.session().outbox().unwrap().items.len(), 2, "an acknowledged text is not on disk");
    live.wait_shown("working");
    live.client().interrupt().unwrap();
    live.wait_recorded("Reply to: second of two");
    let replies: Vec<String> =
        live.messages().into_iter().map(|m| m.content).filter(|c| c.starts_with("Reply")).collect();
    assert_eq!(replies, ["Reply to: slow work", "Reply to: first of two", "Reply to: second of two"]);
    wait_until("an empty outbox", TIMEOUT, || live.session().outbox().unwrap().items.is_empty());
}

#[test]
fn a_text_while_a_permission_dialog_is_open_is_held_and_never_an_answer() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    live.client().send("ask Write").unwrap();
    live.wait_activity(Activity::WaitingPermission);
    let sent = live.client().send("a text").unwrap();
    assert_eq!(sent.delivery, Delivery::Held);
    assert!(sent.reason.unwrap().contains("permission"));
    let card = live.status().permissions[0].clone();
    live.client().permission(&card.id, Verdict::Allow).unwrap();
    live.wait_recorded("Reply to: a text");
    let screen = live.wait_shown("Reply to: a text");
    assert!(screen.contains("Write was allowed"), "{screen}");
}

#[test]
fn a_dialog_that_no_hook_reports_is_not_answered() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    // The dialog was opened by a command that the host sent. After a command, texts are held.
    assert_eq!(live.client().send("/dialog").unwrap().delivery, Delivery::Sent);
    live.wait_shown("Select model");
    let sent = live.client().send("a text").unwrap();
    assert_eq!(sent.delivery, Delivery::Held);
    assert!(sent.reason.unwrap().contains("dialog"));
    assert!(live.client().screen().unwrap().contains("Select model"));
}

#[test]
fn keys_from_an_attached_terminal_hold_a_text_until_the_next_turn_has_ended() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let mut terminal = crate::attached_terminal::Terminal::attach(&live);
    terminal.keys(b"/dialog\r");
    live.wait_activity(Activity::DialogOpen);
    let sent = live.client().send("a text").unwrap();
    assert_eq!(sent.delivery, Delivery::Held);
    assert!(sent.reason.unwrap().contains("a dialog is open"));
    terminal.keys(b"\x1b");
    live.wait_shown("the dialog was closed");
    assert_eq!(live.status().held.len(), 1, "no hook reports that the dialog is closed");
    terminal.keys(b"hello\r");
    live.wait_recorded("Reply to: a text");
    assert!(!live.wait_shown("Reply to: a text").contains("THE DIALOG WAS ANSWERED"));
}

#[test]
fn a_draft_started_during_a_turn_is_not_sent_together_with_a_held_text() {
    let live = Live::new().behaving("framed").prompted("slow work").started();
    live.wait_shown("working");
    assert_eq!(live.client().send("a text").unwrap().delivery, Delivery::Held);
    let mut terminal = crate::attached_terminal::Terminal::attach(&live);
    terminal.keys(b"d");
    live.wait_activity(Activity::Unknown);
    let status = live.status();
    assert!(status.hold.unwrap().contains("new input") && status.held.len() == 1);
    assert!(live.client().screen().unwrap().contains("❯\u{a0}d\n"), "the draft was changed");
    terminal.keys(b"\x15");
    live.wait_recorded("Reply to: a text");
    wait_until("an empty outbox", TIMEOUT, || live.session().outbox().unwrap().items.is_empty());
}

#[test]
fn automatic_terminal_answers_hold_no_text() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let mut terminal = crate::attached_terminal::Terminal::attach(&live);
    terminal.keys(b"\x1b[I\x1b[?62;4c\x1b[<35;3;4M");
    terminal.keys(b"\x1b]11;rgb:0/0/0\x07");
    // The request is answered after these keys have been handled.
    assert_eq!(terminal.request_status().activity, Activity::Idle);
}

#[test]
fn a_dialog_that_stays_open_when_a_turn_ends_holds_a_text_until_it_is_closed() {
    let live = Live::new().behaving("framed").started();
    live.wait_activity(Activity::Idle);
    let mut terminal = crate::attached_terminal::Terminal::attach(&live);
    // A turn ends after the keys, so no hook event prevents sending. Then a dialog opens.
    terminal.keys(b"hello\r/dialog\r");
    live.wait_shown("Select model");
    live.wait_activity(Activity::DialogOpen);
    let sent = live.client().send("a text").unwrap();
    assert_eq!(sent.delivery, Delivery::Held, "{sent:?}");
    assert!(live.status().hold.unwrap().contains("a dialog is open"));
    terminal.keys(b"\x1b");
    live.wait_recorded("Reply to: a text");
    let screen = live.client().screen().unwrap();
    assert!(
        screen.contains("the dialog was closed") && !screen.contains("THE DIALOG WAS ANSWERED"),
        "{screen}"
    );
    wait_until("an empty outbox", TIMEOUT, || live.session().outbox().unwrap().items.is_empty());
}

#[test]
fn a_text_of_invisible_characters_is_refused_at_once_and_blocks_nothing() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    for text in ["\u{ad}", "\u{301}", "\u{3164}", "\u{fffd}"] {
        let error = live.client().send(text).unwrap_err();
        assert!(
            matches!(&error, ClientError::Refused(why) if why.message.contains("nothing to send")),
            "{error}"
        );
    }
    assert_eq!(live.client().send("a text").unwrap().delivery, Delivery::Sent);
}

#[test]
fn a_held_text_survives_a_pause_and_is_sent_after_the_resume() {
    let mut live = Live::new().prompted("slow work").started();
    live.wait_activity(Activity::Working);
    live.client().send("for later").unwrap();
    live.client().stop(StopKind::Pause(PauseReason::User)).unwrap();
    live.wait_ended();
    assert_eq!(live.session().outbox().unwrap().items[0].text, "for later");
    live.spec.env.retain(|(name, _)| name != "STAND_IN_PROMPT");
    live.spec.opening_prompt = false;
    live.resume();
    live.wait_recorded("Reply to: for later");
    wait_until("an empty outbox", TIMEOUT, || live.session().outbox().unwrap().items.is_empty());
}

#[test]
fn an_untyped_text_is_refused_to_its_waiting_client_when_claude_ends() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let agent = live.status().agent.unwrap();
    agent.signal(Signal::Stop).unwrap();
    let send = |text: &'static str| {
        let (mut client, before) = (live.client(), live.status().held.len());
        let sent = std::thread::spawn(move || client.send(text));
        wait_until("the text to wait", TIMEOUT, || live.status().held.len() > before);
        sent
    };
    let pasted = send("pasted");
    wait_until("the text to be typed", TIMEOUT, || {
        let items = live.session().outbox().unwrap().items;
        items.first().is_some_and(|item| item.extra.contains_key("typed_at"))
    });
    let waiting = send("not even that");
    agent.signal(Signal::Kill).unwrap();
    assert_eq!(pasted.join().unwrap().unwrap().delivery, Delivery::Unconfirmed);
    let refused = waiting.join().unwrap().unwrap_err();
    assert!(matches!(&refused, ClientError::Refused(why) if why.code == RefusedCode::State), "{refused}");
    live.wait_ended();
    let kept: Vec<_> = live.session().outbox().unwrap().items.into_iter().map(|item| item.text).collect();
    assert_eq!(kept, ["pasted"], "a text that was refused to its client must not stay queued");
}

#[test]
fn an_unconfirmed_text_is_typed_again_only_on_request() {
    let mut live = Live::new();
    let item = serde_json::json!({"version":1,"items":[
        {"id":"a","text":"in doubt","at":"2026-01-19T10:00:00Z","typed_at":"2026-01-19T10:00:01Z"}]});
    let mut file = std::fs::File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .open(live.session().outbox_path())
        .unwrap();
    file.write_all(item.to_string().as_bytes()).unwrap();
    live.start();
    live.wait_activity(Activity::Idle);
    assert_eq!(live.client().send("another").unwrap().delivery, Delivery::Sent);
    live.wait_recorded("Reply to: another");
    assert_eq!(live.status().held[0].state, HeldState::Unconfirmed);
    live.wait_activity(Activity::Idle);
    live.client().retry("a").unwrap();
    live.wait_recorded("Reply to: in doubt");
}

#[test]
fn a_text_of_one_megabyte_is_refused_with_an_alternative() {
    let live = Live::new().started();
    let error = live.client().send(&"x".repeat(1 << 20)).unwrap_err();
    assert!(matches!(&error, ClientError::Refused(r) if r.message.contains("put it into a file")), "{error}");
}

#[test]
fn a_quarter_of_a_megabyte_is_typed() {
    let live = Live::new().started();
    live.wait_activity(Activity::Idle);
    let text = "a line of text\n".repeat(17_000);
    assert_eq!(live.client().send(&text).unwrap().delivery, Delivery::Sent);
}

#[test]
fn the_answer_of_an_interrupted_wait_is_not_mistaken_for_another() {
    let live = Live::new().behaving("trust").started();
    let mut client = live.client();
    assert!(matches!(client.wait_ready(Duration::from_millis(1)), Err(ClientError::TimedOut(_))));
    assert!(!client.status().unwrap().hooks_seen);
}
