//! The host's view of claude: its terminal, the state of its prompt, and the checks of its screen.
//!
//! Invariant: the typing of a prompt begins only in an input box that is on the screen, is empty and has the
//! cursor.

use super::{screen_checks::ScreenChecks, terminal::Terminal};
use crate::{
    client_id::ClientId,
    keys::{self, KeyKind},
    prompt_box::{self, PromptBox},
    prompt_state::{Fact, PromptState},
};
use std::time::Instant;

pub(super) struct ClaudeState {
    pub(super) terminal: Terminal,
    pub(super) prompt: PromptState,
    pub(super) screen_checks: ScreenChecks,
}

impl ClaudeState {
    /// Creates the state. `opening_prompt`: whether claude starts with a turn.
    pub(super) fn new(terminal: Terminal, opening_prompt: bool) -> ClaudeState {
        let prompt = PromptState::new(opening_prompt);
        ClaudeState { terminal, prompt, screen_checks: ScreenChecks::default() }
    }

    /// Detaches a client from the terminal. Its incomplete input no longer counts.
    pub(super) fn detach(&mut self, id: ClientId) {
        self.terminal.detach(id);
        self.prompt.apply(Fact::TerminalUndecided(self.terminal.is_undecided()));
    }

    /// Classifies a client's terminal input before it is sent. Returns `None` if the client is not attached.
    pub(super) fn classify(&mut self, id: ClientId, bytes: &[u8]) -> Option<KeyKind> {
        let kind = self.terminal.classify(id, bytes)?;
        self.prompt.apply(Fact::TerminalUndecided(self.terminal.is_undecided()));
        if kind == KeyKind::Typed {
            // Set before the keys are sent, so that no automatic input follows them.
            self.prompt.apply(Fact::TerminalTyped);
        }
        Some(kind)
    }

    pub(super) fn on_typed(&mut self, bytes: &[u8], now: Instant) {
        if keys::enters(bytes) {
            self.screen_checks.on_entered(now);
        }
        self.screen_checks.on_typed(now);
    }

    /// Whether text can be pasted into claude's input box. The end of a turn does not prove that the box is
    /// empty: text pasted after the user's draft would be sent with it. Content that lasts counts as a draft.
    pub(super) fn box_is_free(&mut self, now: Instant) -> bool {
        if !self.screen_checks.keys_are_drawn(now) {
            return false;
        }
        match self.terminal.prompt_box() {
            // A dialog is open, or claude has not drawn its box yet. Its next output triggers a check.
            None => self.screen_checks.on_unobstructed(),
            Some(found) if found.is_free() => {
                self.screen_checks.on_unobstructed();
                return true;
            }
            Some(_) => {
                if self.screen_checks.on_obstructed(now) {
                    self.prompt.apply(Fact::TerminalTyped);
                }
            }
        }
        false
    }

    /// Handles the result of a screen check: this box, or `None` if something else is in its place. Returns
    /// whether the box is shown and the title indicates that no turn is running.
    pub(super) fn on_box_checked(&mut self, found: Option<&PromptBox>, now: Instant) -> bool {
        if found.is_none() {
            let is_empty = self.terminal.screen().text().is_empty();
            if self.screen_checks.on_no_box(is_empty, now) {
                self.prompt.apply(Fact::BoxHidden);
            }
            return false;
        }
        self.screen_checks.on_box();
        self.prompt.apply(Fact::BoxShown);
        prompt_box::is_idle_title(self.terminal.screen().title())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::test_claude::{claude, show_box, show_dialog},
        *,
    };
    use crate::prompt_state::{Activity, Hold};
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);

    fn check(claude: &mut ClaudeState, now: Instant) -> bool {
        let found = claude.terminal.prompt_box();
        claude.on_box_checked(found.as_ref(), now)
    }

    #[test]
    fn only_an_empty_box_with_the_cursor_is_free() {
        let (mut claude, _) = claude();
        let now = Instant::now();
        assert!(claude.box_is_free(now));
        show_dialog(&claude);
        assert!(!claude.box_is_free(now));
        show_box(&claude, "");
        assert!(claude.box_is_free(now));
    }

    #[test]
    fn a_draft_holds_texts_once_it_lasts() {
        let (mut claude, _) = claude();
        let now = Instant::now();
        show_box(&claude, "a draft");
        assert!(!claude.box_is_free(now));
        assert_eq!(claude.prompt.may_type(), Ok(()));
        assert!(!claude.box_is_free(now + LONG));
        assert_eq!(claude.prompt.may_type(), Err(Hold::TerminalTyped));
    }

    #[test]
    fn a_box_is_not_free_until_typed_keys_are_drawn() {
        let (mut claude, _) = claude();
        let now = Instant::now();
        claude.on_typed(b"a", now);
        assert!(!claude.box_is_free(now));
        assert!(claude.box_is_free(now + LONG));
        claude.on_typed(b"\r", now + LONG);
        assert!(!claude.box_is_free(now + LONG + Duration::from_secs(5)), "a dialog may open");
    }

    #[test]
    fn a_dialog_is_noticed_when_it_lasts_and_when_it_closes() {
        let (mut claude, _) = claude();
        let now = Instant::now();
        show_dialog(&claude);
        assert!(!check(&mut claude, now));
        assert_eq!(claude.prompt.activity(), Activity::Idle, "one frame may be incomplete");
        assert!(!check(&mut claude, now + LONG));
        assert_eq!(claude.prompt.activity(), Activity::DialogOpen);
        show_box(&claude, "");
        assert!(check(&mut claude, now + LONG));
        assert_eq!(claude.prompt.activity(), Activity::Idle);
    }
}
