//! Dialogs that a user opens with a command in claude's terminal. No hook reports them, and they stay open
//! when a turn ends. No text may be typed into a dialog, and each prompt is delivered once the dialog is
//! closed.

use crate::{attached_terminal::Terminal, real_claude::RealSession, support::TIMEOUT};
use bc_host::{Activity, protocol::Delivery};
use bc_testkit::wait_until;
use std::time::{Duration, Instant};

/// The beginning of the line in claude's input box. No other line begins with it.
const BOX: &str = "❯\u{a0}";

/// The time limit for a dialog to close before Escape is pressed again.
const AGAIN: Duration = Duration::from_secs(3);

/// Commands that open a dialog or another view in claude 2.1.329.
const OTHER_COMMANDS: [&str; 24] = [
    "/cost",
    "/status",
    "/permissions",
    "/resume",
    "/memory",
    "/help",
    "/login",
    "/export",
    "/autocompact",
    "/btw what",
    "/effort",
    "/fast",
    "/goal",
    "/hooks",
    "/plugin",
    "/powerup",
    "/rewind",
    "/scroll-speed",
    "/setup-vertex",
    "/skills",
    "/stats",
    "/tasks",
    "/usage",
    "/workflows",
];

fn open(real: &RealSession, terminal: &mut Terminal, command: &str) {
    terminal.keys(command.as_bytes());
    real.live.wait_shown(&format!("{BOX}{command}"));
    terminal.keys(b"\r");
    wait_until(&format!("a dialog of {command}"), TIMEOUT, || {
        !real.live.client().screen().unwrap().contains(BOX)
    });
}

/// Closes the open dialog. Some dialogs need several Escapes, and a busy claude occasionally misses one.
fn close(real: &RealSession, terminal: &mut Terminal, command: &str) {
    let mut pressed: Option<Instant> = None;
    wait_until(&format!("the end of {command}"), TIMEOUT, || {
        let screen = real.live.client().screen().unwrap();
        let open = !screen.contains(BOX);
        if open && pressed.is_none_or(|at| at.elapsed() > AGAIN) {
            eprintln!("{command} is open:\n{screen}");
            terminal.keys(b"\x1b");
            pressed = Some(Instant::now());
        }
        !open
    });
}

/// Checks that the text is held while the dialog of `command` is open, and then delivered once.
fn assert_held(real: &RealSession, terminal: &mut Terminal, command: &str, text: &str) {
    real.live.wait_activity(Activity::DialogOpen);
    let sent = real.live.client().send(text).unwrap();
    assert_eq!(sent.delivery, Delivery::Held, "{command}: {sent:?}");
    let status = real.live.status();
    assert!(
        status.hold.as_ref().is_some_and(|hold| hold.contains("a dialog is open")),
        "{command}: {status:?}"
    );
    assert!(!real.live.client().screen().unwrap().contains(text), "{command}");
    close(real, terminal, command);
    real.live.wait_recorded(&format!("Reply to: {text}"));
    real.live.wait_activity(Activity::Idle);
    assert_eq!(real.live.status().held, []);
}

/// Opens each command's dialog twice, at the prompt and during a turn that then ends. Checks that the dialog
/// holds a prompt.
fn check_dialogs(real: &RealSession, commands: &[&str]) {
    real.live.wait_activity(Activity::Idle);
    let mut terminal = Terminal::attach(&real.live);
    for (number, command) in commands.iter().enumerate() {
        open(real, &mut terminal, command);
        assert_held(real, &mut terminal, command, &format!("text {number} at the prompt"));

        real.send("[[slow:40]]");
        real.live.wait_activity(Activity::Working);
        open(real, &mut terminal, command);
        let early = real.live.client().send(&format!("text {number} during the turn")).unwrap();
        assert_eq!(early.delivery, Delivery::Held, "{command}: {early:?}");
        real.live.wait_activity(Activity::DialogOpen);
        assert_eq!(real.live.status().held.len(), 1, "{command}");
        close(real, &mut terminal, command);
        real.live.wait_recorded(&format!("Reply to: text {number} during the turn"));
        real.live.wait_activity(Activity::Idle);
    }
}

#[test]
fn no_text_is_typed_into_a_dialog_that_the_user_opened_before_during_or_after_a_turn() {
    let test = "no_text_is_typed_into_a_dialog_that_the_user_opened_before_during_or_after_a_turn";
    let Some(real) = RealSession::started(test, None) else { return };
    check_dialogs(&real, &["/add-dir /", "/config", "/model", "/theme"]);
}

#[test]
#[ignore = "takes minutes"]
fn no_text_is_typed_into_any_dialog_that_a_command_opens() {
    let test = "no_text_is_typed_into_any_dialog_that_a_command_opens";
    let Some(real) = RealSession::started(test, None) else { return };
    check_dialogs(&real, &OTHER_COMMANDS);
}
