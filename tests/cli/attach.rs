//! Commands in a terminal: attaching to a session, editing a resume prompt, and asking for consent.

use crate::{
    console::{Console, need_sim},
    terminal::{COLUMNS, ROWS, Terminal},
};
use serde_json::Value;

/// Ctrl-], which detaches.
const DETACH: &str = "\u{1d}";

fn session() -> (Console, String) {
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello from the test"]);
    console.wait_idle(&id);
    (console, id)
}

#[test]
fn detaching_leaves_the_session_running_and_attaching_again_shows_the_same_screen() {
    if need_sim("detaching_leaves_the_session_running_and_attaching_again_shows_the_same_screen").is_none() {
        return;
    }
    let (console, id) = session();
    let mut first = Terminal::open(&console, &["session", "attach", &id[..8]]);
    // The screen is complete when its footer is in the last line and its rule has the full width.
    let seen = first.wait_until("the whole screen", |shown| {
        let lines: Vec<&str> = shown.lines().collect();
        let footer = lines.get(usize::from(ROWS) - 1).is_some_and(|line| line.contains(" mode on"));
        footer && shown.contains("hello from the test") && shown.contains(&"─".repeat(usize::from(COLUMNS)))
    });
    first.keys(DETACH);
    let shown_after = first.wait_for("session attach");
    assert!(shown_after.contains(&id[..8]), "{shown_after}");
    assert!(!first.alternate(), "the terminal was not restored");
    assert_eq!(first.end(), Some(0));

    let running = console.show(&id);
    assert_eq!((&running["status"], running["live"].is_object()), (&"active".into(), true), "{running:#}");
    let again = Terminal::open(&console, &["session", "attach", &id[..8]]);
    again.wait_until("the same screen", |shown| shown == seen);
    again.close();
    assert!(console.show(&id)["live"].is_object(), "closing the window ended the session");
}

#[test]
fn two_terminals_show_the_same_screen() {
    if need_sim("two_terminals_show_the_same_screen").is_none() {
        return;
    }
    let (console, id) = session();
    let mut one = Terminal::open(&console, &["session", "attach", &id]);
    let two = Terminal::open(&console, &["session", "attach", &id]);
    one.wait_for("hello from the test");
    two.wait_for("hello from the test");
    one.keys("typed in the first");
    two.wait_for("typed in the first");
    one.keys(DETACH);
    assert_eq!(one.end(), Some(0));
    two.close();
}

#[test]
fn a_pause_ends_the_attached_terminal() {
    if need_sim("a_pause_ends_the_attached_terminal").is_none() {
        return;
    }
    let (console, id) = session();
    let attached = Terminal::open(&console, &["session", "attach", &id]);
    attached.wait_for("hello from the test");
    console.ok(&["session", "pause", &id]);
    attached.wait_for("session resume");
    assert_eq!(attached.end(), Some(0));
    let ran = console.run(&["session", "attach", &id]);
    assert_eq!(ran.code, Some(2), "attaching requires a terminal");
}

#[test]
fn start_attaches_immediately_on_request() {
    if need_sim("start_attaches_immediately_on_request").is_none() {
        return;
    }
    let console = Console::new();
    let mut terminal =
        Terminal::open(&console, &["session", "start", "--simulated", "--prompt", "right away", "--attach"]);
    terminal.wait_for("right away");
    let sessions = console.json(&["session", "list"]);
    assert_eq!(
        sessions["sessions"][0]["status"],
        Value::from("active"),
        "another command could not use the project"
    );
    terminal.keys(DETACH);
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_resume_prompt_is_edited_in_the_users_editor() {
    if need_sim("a_resume_prompt_is_edited_in_the_users_editor").is_none() {
        return;
    }
    let (mut console, id) = session();
    console.ok(&["session", "pause", &id]);
    let editor = console
        .sandbox
        .script("my-editor", "cat \"$2\" > \"$HOME/before\"; printf 'edited by hand' > \"$2\"");
    console.sandbox.set("EDITOR", format!("'{}' --wait", editor.display()));
    let terminal = Terminal::open(&console, &["session", "resume", &id, "--edit"]);
    assert_eq!(terminal.end(), Some(0));
    let before = std::fs::read_to_string(console.sandbox.home().join("before")).unwrap();
    assert!(before.starts_with("You are resuming a paused session."), "{before}");
    console.wait_message("the edited prompt", &id, |message| message["content"] == "edited by hand");
}

#[test]
fn an_emptied_prompt_leaves_the_session_paused() {
    if need_sim("an_emptied_prompt_leaves_the_session_paused").is_none() {
        return;
    }
    let (mut console, id) = session();
    console.ok(&["session", "pause", &id]);
    console.sandbox.script("my-editor", ": > \"$1\"");
    console.sandbox.set("VISUAL", "my-editor");
    let terminal = Terminal::open(&console, &["session", "resume", &id, "--edit"]);
    terminal.wait_for("stays unchanged");
    assert_eq!(terminal.end(), Some(0));
    assert_eq!(console.show(&id)["status"], "paused");
    console.sandbox.set("VISUAL", "no-such-editor");
    let terminal = Terminal::open(&console, &["session", "resume", &id, "--edit"]);
    terminal.wait_for("no-such-editor was not found");
    assert_eq!(terminal.end(), Some(1));
}

#[test]
fn submit_asks_for_consent_in_the_terminal() {
    let Some(console) = Console::with_bd("submit_asks_for_consent_in_the_terminal") else { return };
    let id = console.bead("First", &[]);
    let mut no = Terminal::open(&console, &["bead", "submit", &id, "--without-commit"]);
    no.wait_for("[y/N]");
    no.keys("\r");
    assert_eq!(no.end(), Some(4));
    let mut yes = Terminal::open(&console, &["bead", "submit", &id, "--without-commit"]);
    yes.wait_for("[y/N]");
    yes.keys("y\r");
    assert_eq!(yes.end(), Some(0));
    assert_eq!(console.json(&["bead", "show", &id])["bead"]["status"], "in_review");
}
