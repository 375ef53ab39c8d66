//! Sequences of facts and the resulting permission to type.

use super::{Fact::*, Source::*, *};

#[track_caller]
fn check(opening: bool, facts: &[Fact], expect: Result<(), Hold>) {
    let mut state = PromptState::new(opening);
    facts.iter().for_each(|fact| state.apply(*fact));
    assert_eq!(state.may_type(), expect, "{facts:?}");
}

const READY: Fact = SessionStarted(Started);

#[test]
fn nothing_is_typed_before_a_hook_reports() {
    check(false, &[], Err(Hold::Starting));
    check(false, &[TerminalTyped], Err(Hold::Starting));
}

#[test]
fn the_start_is_the_prompt_unless_an_opening_prompt_was_given() {
    check(false, &[READY], Ok(()));
    check(true, &[READY], Err(Hold::Working));
    check(true, &[READY, PromptSubmitted], Err(Hold::Working));
    check(true, &[READY, PromptSubmitted, TurnEnded], Ok(()));
}

#[test]
fn a_turn_holds_until_it_ends() {
    check(false, &[READY, PromptSubmitted], Err(Hold::Working));
    check(false, &[READY, PromptSubmitted, TurnGoesOn, TurnEnded], Ok(()));
    check(false, &[READY, PromptSubmitted, TurnEnded, TurnGoesOn], Err(Hold::Working));
}

#[test]
fn a_queued_prompt_holds_until_it_has_run_or_claude_reports_idle() {
    check(false, &[READY, PromptSubmitted, PromptSubmitted, TurnEnded], Err(Hold::Queued));
    check(false, &[READY, PromptSubmitted, PromptSubmitted, TurnEnded, TurnEnded], Ok(()));
    check(false, &[READY, PromptSubmitted, PromptSubmitted, TurnEnded, TurnGoesOn], Err(Hold::Working));
    check(false, &[READY, PromptSubmitted, PromptSubmitted, TurnEnded, IdleNotified], Ok(()));
    check(true, &[READY, PromptSubmitted, TurnEnded], Ok(()));
}

#[test]
fn an_idle_notification_ends_a_turn_but_settles_no_other_doubt() {
    check(false, &[READY, PromptSubmitted, IdleNotified], Ok(()));
    check(false, &[READY, TerminalTyped, IdleNotified], Err(Hold::TerminalTyped));
    check(false, &[READY, CommandSent, IdleNotified], Err(Hold::CommandOpen));
}

#[test]
fn an_open_permission_dialog_holds_in_every_state() {
    check(false, &[READY, PermissionAsked], Err(Hold::Permission));
    check(false, &[READY, PromptSubmitted, PermissionAsked], Err(Hold::Permission));
    check(false, &[READY, PromptSubmitted, PermissionAsked, PermissionClosed], Err(Hold::Working));
    check(false, &[READY, PromptSubmitted, PermissionAsked, TurnEnded], Err(Hold::Permission));
    check(false, &[READY, PermissionAsked, PermissionAsked, PermissionClosed], Err(Hold::Permission));
}

#[test]
fn typed_keys_hold_until_the_next_turn_has_ended_or_a_session_starts() {
    check(false, &[READY, TerminalTyped], Err(Hold::TerminalTyped));
    check(false, &[READY, TerminalTyped, PromptSubmitted, TurnEnded], Ok(()));
    check(false, &[READY, TerminalTyped, SessionStarted(Cleared)], Ok(()));
    check(false, &[READY, PromptSubmitted, TerminalTyped, TurnInterrupted], Err(Hold::TerminalTyped));
}

#[test]
fn an_incomplete_terminal_answer_holds_until_it_is_complete() {
    check(false, &[READY, TerminalUndecided(true)], Err(Hold::TerminalTyped));
    check(false, &[READY, TerminalUndecided(true), TerminalUndecided(false)], Ok(()));
}

#[test]
fn a_sent_command_holds_until_a_turn_has_ended_or_a_session_starts() {
    check(false, &[READY, CommandSent], Err(Hold::CommandOpen));
    check(false, &[READY, CommandSent, SessionStarted(Cleared)], Ok(()));
    check(false, &[READY, CommandSent, SessionStarted(Compacted)], Ok(()));
    check(false, &[READY, CommandSent, PromptSubmitted, TurnEnded], Ok(()));
}

#[test]
fn a_compaction_within_a_turn_does_not_end_it() {
    check(false, &[READY, PromptSubmitted, SessionStarted(Compacted)], Err(Hold::Working));
}

#[test]
fn an_interruption_counts_when_the_transcript_reports_it() {
    check(false, &[READY, PromptSubmitted, InterruptSent], Err(Hold::Working));
    check(false, &[READY, PromptSubmitted, InterruptSent, TurnInterrupted], Ok(()));
    check(false, &[READY, InterruptSent], Ok(()));
    check(false, &[READY, PromptSubmitted, PromptSubmitted, TurnInterrupted], Err(Hold::Queued));
    check(false, &[READY, PromptSubmitted, InterruptSent, TurnEnded], Ok(()));
    check(false, &[READY, PromptSubmitted, InterruptSent, IdleNotified], Err(Hold::Interrupted));
}

#[test]
fn a_text_that_was_lost_holds_the_next_one() {
    check(false, &[READY, PasteLost], Err(Hold::PasteLost));
    check(false, &[READY, PasteLost, TurnEnded], Ok(()));
}

#[test]
fn a_session_end_is_final_except_for_a_clear() {
    check(false, &[READY, SessionEnded], Err(Hold::Gone));
    check(false, &[READY, SessionEnded, SessionStarted(Cleared)], Ok(()));
    check(false, &[READY, Exited, SessionStarted(Cleared), TurnEnded], Err(Hold::Gone));
}

#[test]
fn the_activity_says_what_holds() {
    let activity = |facts: &[Fact]| {
        let mut state = PromptState::new(false);
        facts.iter().for_each(|fact| state.apply(*fact));
        state.activity()
    };
    assert_eq!(activity(&[]), Activity::Starting);
    assert_eq!(activity(&[READY]), Activity::Idle);
    assert_eq!(activity(&[READY, PromptSubmitted]), Activity::Working);
    assert_eq!(activity(&[READY, PromptSubmitted, PermissionAsked]), Activity::WaitingPermission);
    assert_eq!(activity(&[READY, TerminalTyped]), Activity::Unknown);
    assert_eq!(activity(&[READY, Exited]), Activity::Gone);
}

#[test]
fn an_undone_turn_is_over_and_its_prompt_is_cleared_first() {
    let undone = [READY, PromptSubmitted, TerminalTyped, InterruptSent, TurnUndone(InBox::Prompt)];
    let mut state = PromptState::new(false);
    undone.iter().for_each(|fact| state.apply(*fact));
    assert_eq!(state.activity(), Activity::Idle);
    assert_eq!((state.may_type(), state.hold()), (Err(Hold::Interrupted), None));
    state.apply(BoxEmpty);
    assert_eq!(state.may_type(), Ok(()));
    let left = [READY, PromptSubmitted, InterruptSent, TurnUndone(InBox::Something)];
    check(false, &left, Err(Hold::Interrupted));
    check(false, &[READY, PromptSubmitted, InterruptSent, TurnUndone(InBox::Nothing)], Ok(()));
}

#[test]
fn an_empty_box_settles_every_doubt_at_the_prompt_and_ends_no_turn() {
    for doubt in [TerminalTyped, CommandSent, PasteLost] {
        check(false, &[READY, doubt, BoxEmpty], Ok(()));
    }
    check(false, &[READY, PromptSubmitted, PromptSubmitted, TurnEnded, BoxEmpty], Ok(()));
    check(false, &[READY, PromptSubmitted, BoxEmpty], Err(Hold::Working));
    check(false, &[READY, PermissionAsked, BoxEmpty], Err(Hold::Permission));
    check(false, &[BoxEmpty], Err(Hold::Starting));
}

#[test]
fn an_open_dialog_holds_until_the_box_is_shown_again_whatever_hooks_report() {
    check(false, &[READY, BoxHidden], Err(Hold::DialogOpen));
    check(false, &[READY, PromptSubmitted, BoxHidden], Err(Hold::Working));
    check(false, &[READY, PromptSubmitted, BoxHidden, TurnEnded], Err(Hold::DialogOpen));
    check(false, &[READY, PromptSubmitted, BoxHidden, TurnInterrupted], Err(Hold::DialogOpen));
    check(false, &[READY, BoxHidden, IdleNotified], Err(Hold::DialogOpen));
    check(false, &[READY, BoxHidden, PermissionAsked], Err(Hold::Permission));
    check(false, &[READY, BoxHidden, BoxShown], Ok(()));
    check(false, &[READY, TerminalTyped, BoxHidden, BoxShown], Err(Hold::TerminalTyped));
    let mut state = PromptState::new(false);
    [READY, PromptSubmitted, BoxHidden, TurnEnded].into_iter().for_each(|fact| state.apply(fact));
    assert_eq!(state.activity(), Activity::DialogOpen);
}

#[test]
fn a_question_before_the_start_holds_until_a_hook_reports() {
    check(false, &[AsksAtStart], Err(Hold::AsksAtStart));
    check(false, &[AsksAtStart, READY], Ok(()));
    check(false, &[READY, AsksAtStart], Ok(()));
}
