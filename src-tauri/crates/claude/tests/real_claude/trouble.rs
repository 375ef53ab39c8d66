//! Interruptions, API failures, and claude's reaction to unusual input.

use crate::lab::{Lab, StartOptions, id};
use bc_claude::hooks::Event;
use bc_core::message::MessageKind;

/// Whether the terminal's title shows that claude waits at its prompt.
fn is_idle(title: &str) -> bool {
    title.starts_with('✳')
}

#[test]
fn an_interrupted_turn_has_no_hook_and_is_in_the_transcript() {
    let Some(lab) = Lab::new("an_interrupted_turn_has_no_hook_and_is_in_the_transcript") else { return };
    let mut claude =
        lab.start(id(1), StartOptions { prompt: Some("[[slow:600]]"), ..StartOptions::default() });
    claude.wait_until("the first words", |screen| screen.text().contains("word3"));
    claude.keys("\u{1b}");
    let mut reading = lab.read(id(1));
    let interrupted = |m: &bc_core::message::Message| m.kind == Some(MessageKind::Interrupted);
    reading.wait_until("the interruption", |r| r.messages.iter().any(interrupted));
    assert!(
        reading.messages[1].content.starts_with("word0\nword1"),
        "the partial reply was not kept: {:?}",
        reading.lines()
    );
    claude.wait_until("the idle title", |screen| is_idle(screen.title()));
    claude.enter("and now this");
    lab.stop();
    let ends = lab.hooks().iter().filter(|hook| matches!(hook.event, Event::Stop { .. })).count();
    assert_eq!(ends, 1, "the interrupted turn had a Stop hook");
    claude.terminate();
}

#[test]
fn a_turn_interrupted_before_the_first_word_only_shows_in_the_title() {
    let Some(lab) = Lab::new("a_turn_interrupted_before_the_first_word_only_shows_in_the_title") else {
        return;
    };
    let mut claude =
        lab.start(id(1), StartOptions { prompt: Some("[[hang]] forever"), ..StartOptions::default() });
    lab.api.wait_for("[[hang]]", crate::lab::TIMEOUT);
    claude.wait_until("the busy title", |screen| screen.title().starts_with(['◐', '◑']));
    claude.keys("\u{1b}");
    claude.wait_until("the idle title", |screen| is_idle(screen.title()));
    // Claude calls no hook. It only puts the prompt back into the input box.
    claude.wait_until("the prompt in the input box", |screen| {
        screen.text().matches("[[hang]] forever").count() == 1
    });
    let last = lab.hooks().pop().unwrap();
    assert!(matches!(last.event, Event::UserPromptSubmit { .. }), "{:?}", last.event);
    claude.terminate();
}

#[test]
fn an_api_failure_is_reported_by_hook_and_transcript() {
    let Some(lab) = Lab::new("an_api_failure_is_reported_by_hook_and_transcript") else { return };
    let claude =
        lab.start(id(1), StartOptions { prompt: Some("x [[status:529]]"), ..StartOptions::default() });
    lab.next("StopFailure", |hook| matches!(hook.event, Event::StopFailure { .. }).then_some(()));
    let mut reading = lab.read(id(1));
    reading.wait_until("the error", |r| r.messages.iter().any(|m| m.kind == Some(MessageKind::ApiError)));
    assert_eq!(reading.tokens.total(), 0);
    claude.terminate();
}

#[test]
fn a_shell_command_as_a_prompt_argument_stays_a_prompt() {
    let Some(lab) = Lab::new("a_shell_command_as_a_prompt_argument_stays_a_prompt") else { return };
    let claude = lab.start(id(1), StartOptions { prompt: Some("!touch ran"), ..StartOptions::default() });
    assert_eq!(lab.stop(), "Reply to: !touch ran");
    assert!(!lab.sandbox.project().join("ran").exists());
    claude.terminate();
}
