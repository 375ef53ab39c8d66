//! Stops a turn, and detects on claude's screen that the turn has ended.
//!
//! An Esc before the first word of an answer triggers no hook and leaves nothing in the transcript: claude
//! shows its input box again, with the prompt in it. The screen is therefore checked after every Esc, from
//! the host or a terminal. From the screen, this part concludes only that a stopped turn has ended, and what
//! the input box contains.
//!
//! Invariant: the host clears from the box only a saved prompt, or the prompt of an ended turn.

use super::{claude_state::ClaudeState, screen_checks::SETTLED_AFTER};
use crate::{
    keys,
    prompt_box::PromptBox,
    prompt_state::{Fact, InBox, PromptState},
    protocol::{Refused, RefusedCode},
};
use bc_core::Timestamp;
use std::time::{Duration, Instant};

/// How long the transcript may take to report an interruption. Only after this time does an empty box mean
/// that an Esc ended the turn.
const TRANSCRIPT_WITHIN: Duration = Duration::from_secs(3);

/// A second Esc within this time would open one of claude's dialogs, or clear the returned prompt.
const ESC_APART: Duration = Duration::from_secs(1);

/// The time limit for clearing the prompt from the box.
const CLEAR_WITHIN: Duration = Duration::from_secs(10);

/// Ctrl+U, which deletes to the beginning of the line, or the preceding line break. It has no effect in a
/// dialog, and Ctrl+Y restores the deleted text.
const DELETE_LINE: &[u8] = b"\x15";

/// The maximum number of keys in one write. Claude treats a longer sequence as a paste, and ignores it.
const KEYS_MAX: usize = 32;

/// The source of an Esc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EscSource {
    Host,
    Terminal,
}

/// A turn whose end is visible only on the screen.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TurnUndone {
    /// Whether claude had not answered yet, so that the box has content, such as the prompt.
    pub(super) before_answer: bool,
    /// Whether the host pressed Esc, so that the host clears the prompt from the box.
    pub(super) by_us: bool,
}

#[derive(Debug, Default)]
pub(super) struct Interrupt {
    pressed: Option<(EscSource, Instant)>,
    /// The prompt of the running or the last turn, with its original line breaks.
    prompt: Option<String>,
    turn_began: Option<Timestamp>,
    /// The returned prompt in the box. It is cleared before any other text is typed.
    returned_prompt: Option<String>,
    /// The deadline for clearing the box.
    clearing_until: Option<Instant>,
    /// Whether any keys were typed since the turn began, other than Esc or Ctrl+C to stop the turn.
    typed: bool,
}

impl Interrupt {
    /// Whether Esc may be pressed to end a turn or a dialog. At the prompt, Esc has another meaning.
    pub(super) fn may_press(&self, prompt: &PromptState, now: Instant) -> bool {
        let just = self.pressed.is_some_and(|(_, at)| now < at + ESC_APART);
        !just && prompt.may_type().is_err() && self.returned_prompt.is_none()
    }

    /// Presses Esc.
    ///
    /// # Errors
    /// Fails if the terminal does not accept the key.
    pub(super) fn press(&mut self, claude: &mut ClaudeState, now: Instant) -> Result<(), Refused> {
        self.on_pressed(EscSource::Host, claude, now);
        match claude.terminal.write(b"\x1b") {
            true => Ok(()),
            false => {
                let message = "claude does not read its terminal; pause the session to end claude";
                Err(Refused::new(RefusedCode::State, message))
            }
        }
    }

    fn on_pressed(&mut self, by: EscSource, claude: &mut ClaudeState, now: Instant) {
        claude.prompt.apply(Fact::InterruptSent);
        if claude.prompt.works() {
            self.pressed = Some((by, now));
            claude.screen_checks.check_by(now + SETTLED_AFTER);
        }
    }

    pub(super) fn on_typed(&mut self, bytes: &[u8], claude: &mut ClaudeState, now: Instant) {
        self.clearing_until = None;
        match keys::stops(bytes) && claude.prompt.works() {
            true => self.on_pressed(EscSource::Terminal, claude, now),
            false => (self.typed, self.returned_prompt) = (true, None),
        }
    }

    /// Called when a turn begins with this prompt.
    pub(super) fn on_turn_began(&mut self, prompt: String, at: Timestamp) {
        *self = Interrupt { prompt: Some(prompt), turn_began: Some(at), ..Interrupt::default() };
    }

    /// Whether an interruption in the transcript at this time belongs to the running turn.
    pub(super) fn is_of_this_turn(&self, at: Timestamp) -> bool {
        self.turn_began.is_none_or(|began| began <= at)
    }

    /// Called when the screen shows the box and an idle title: claude is at its prompt, or a turn has begun
    /// that the title does not show yet. `typing`: whether the host is typing a prompt. Returns the end of a
    /// turn that an Esc stopped.
    pub(super) fn on_box(
        &mut self,
        found: &PromptBox,
        claude: &mut ClaudeState,
        typing: bool,
        last_output: Option<Instant>,
        now: Instant,
    ) -> Option<TurnUndone> {
        if let Some((by, at)) = self.pressed.filter(|_| claude.prompt.works()) {
            let settled = at + if found.typed.is_empty() { TRANSCRIPT_WITHIN } else { SETTLED_AFTER };
            if !claude.screen_checks.has_passed(Some(settled), now) {
                return None;
            }
            return Some(self.on_turn_undone(by, found, &mut claude.prompt));
        }
        self.pressed = None;
        let has_content = found.focused && !found.typed.is_empty();
        if let Some(until) = self.clearing_until.filter(|_| has_content) {
            if now < until {
                delete_lines(found, claude, until);
            } else {
                self.clearing_until = None;
                claude.prompt.apply(Fact::TurnUndone(InBox::Something));
            }
        } else if has_content && !typing && claude.prompt.doubts_box() && self.takes_leftover(found) {
            let until = now + CLEAR_WITHIN;
            self.clearing_until = Some(until);
            delete_lines(found, claude, until);
        } else if claude.prompt.doubts_box()
            && found.is_free()
            && !typing
            && claude.screen_checks.trusts_empty_box(last_output, now)
        {
            claude.prompt.apply(Fact::BoxEmpty);
            (self.returned_prompt, self.clearing_until) = (None, None);
        }
        None
    }

    /// Whether the box holds the ended turn's prompt and no user has typed since. Older versions of claude
    /// sometimes leave a prompt in the box that was submitted just after the end of a turn. It is cleared
    /// only once.
    fn takes_leftover(&mut self, found: &PromptBox) -> bool {
        !self.typed && self.prompt.take_if(|prompt| found.holds(prompt)).is_some()
    }

    fn on_turn_undone(&mut self, by: EscSource, found: &PromptBox, state: &mut PromptState) -> TurnUndone {
        self.pressed = None;
        let prompt = self.prompt.take().filter(|prompt| found.holds(prompt));
        let ours = prompt.filter(|_| !self.typed);
        let in_box = match (&ours, found.typed.is_empty()) {
            (_, true) => InBox::Nothing,
            (Some(_), false) => InBox::Prompt,
            (None, false) => InBox::Something,
        };
        state.apply(Fact::TurnUndone(in_box));
        self.returned_prompt = ours;
        TurnUndone { before_answer: in_box != InBox::Nothing, by_us: by == EscSource::Host }
    }

    /// Takes the returned prompt, if the box contains nothing else. The prompt must be saved before the box
    /// is cleared.
    pub(super) fn take_returned_prompt(&mut self) -> Option<String> {
        self.returned_prompt.take()
    }

    /// Clears the returned prompt from the box if it was saved.
    pub(super) fn clear_box(&mut self, saved: bool, claude: &mut ClaudeState, now: Instant) {
        if !saved {
            return claude.prompt.apply(Fact::TurnUndone(InBox::Something));
        }
        self.clearing_until = Some(now + CLEAR_WITHIN);
        claude.screen_checks.check_by(now);
    }
}

fn delete_lines(found: &PromptBox, claude: &mut ClaudeState, until: Instant) {
    let lines = found.above + found.typed.lines().count();
    // Each line takes one key for its text and one for its line break; the next check continues.
    let _ = claude.terminal.write(&DELETE_LINE.repeat(KEYS_MAX.min(2 * lines)));
    claude.screen_checks.check_by(until);
}

#[cfg(test)]
mod tests {
    use super::{
        super::test_claude::{Written, claude, show_box},
        *,
    };
    use crate::prompt_state::Hold;

    const LONG: Duration = Duration::from_secs(60);

    struct Turn {
        claude: ClaudeState,
        written: Written,
        interrupt: Interrupt,
        began: Instant,
    }

    fn turn(prompt: &str) -> Turn {
        let (mut claude, written) = claude();
        let mut interrupt = Interrupt::default();
        claude.prompt.apply(Fact::PromptSubmitted);
        interrupt.on_turn_began(prompt.to_owned(), chrono::DateTime::UNIX_EPOCH.fixed_offset());
        Turn { claude, written, interrupt, began: Instant::now() }
    }

    impl Turn {
        /// Claude shows its box with this content after the given time.
        fn shows(&mut self, content: &str, after: Duration) -> Option<TurnUndone> {
            show_box(&self.claude, content);
            let found = self.claude.terminal.prompt_box().unwrap();
            self.interrupt.on_box(&found, &mut self.claude, false, None, self.began + after)
        }
    }

    #[test]
    fn a_prompt_that_claude_returns_is_cleared_once_it_is_saved() {
        let mut turn = turn("fix it");
        turn.interrupt.press(&mut turn.claude, turn.began).unwrap();
        assert_eq!(turn.written.take(), "\x1b");
        assert!(
            !turn.interrupt.may_press(&turn.claude.prompt, turn.began),
            "a second Esc has another meaning"
        );
        assert_eq!(turn.shows("fix it", Duration::ZERO), None, "claude has not read the key yet");
        let undone = turn.shows("fix it", SETTLED_AFTER).unwrap();
        assert_eq!(undone, TurnUndone { before_answer: true, by_us: true });
        assert_eq!(turn.interrupt.take_returned_prompt().as_deref(), Some("fix it"));
        turn.interrupt.clear_box(true, &mut turn.claude, turn.began);
        assert_eq!(turn.shows("fix it", Duration::ZERO), None);
        assert_eq!(turn.written.take(), "\x15\x15");
        assert_eq!(turn.shows("", LONG), None);
        assert_eq!(turn.claude.prompt.may_type(), Ok(()));
    }

    #[test]
    fn a_prompt_that_cannot_be_saved_stays_in_the_box() {
        let mut turn = turn("fix it");
        turn.interrupt.press(&mut turn.claude, turn.began).unwrap();
        assert!(turn.shows("fix it", LONG).is_some());
        let _ = (turn.interrupt.take_returned_prompt(), turn.written.take());
        turn.interrupt.clear_box(false, &mut turn.claude, turn.began);
        assert_eq!(turn.shows("fix it", LONG), None);
        assert_eq!(
            (turn.written.take(), turn.claude.prompt.may_type()),
            (String::new(), Err(Hold::Interrupted))
        );
    }

    #[test]
    fn content_that_the_host_did_not_type_is_not_cleared() {
        let mut turn = turn("fix it");
        turn.interrupt.on_typed(b"x", &mut turn.claude, turn.began);
        turn.interrupt.on_typed(b"\x1b", &mut turn.claude, turn.began);
        let undone = turn.shows("fix it", LONG).unwrap();
        assert_eq!(undone, TurnUndone { before_answer: true, by_us: false });
        assert_eq!(turn.interrupt.take_returned_prompt(), None);
    }

    #[test]
    fn a_prompt_that_claude_leaves_in_the_box_after_its_turn_is_cleared_for_the_next_text() {
        let mut turn = turn("fix it");
        turn.claude.prompt.apply(Fact::TurnEnded);
        assert_eq!((turn.shows("fix it", Duration::ZERO), turn.written.take()), (None, String::new()));
        turn.claude.prompt.apply(Fact::TerminalTyped);
        assert_eq!((turn.shows("fix it", LONG), turn.written.take()), (None, "\x15\x15".to_owned()));
        assert_eq!(turn.shows("", LONG), None);
        assert_eq!(turn.claude.prompt.may_type(), Ok(()));
    }

    #[test]
    fn a_prompt_that_the_user_recalls_or_changes_stays_in_the_box() {
        for (typed, content) in [(true, "fix it"), (false, "fix it all")] {
            let mut turn = turn("fix it");
            turn.claude.prompt.apply(Fact::TurnEnded);
            if typed {
                turn.interrupt.on_typed(b"\x1b[A", &mut turn.claude, turn.began);
            }
            turn.claude.prompt.apply(Fact::TerminalTyped);
            assert_eq!((turn.shows(content, LONG), turn.written.take()), (None, String::new()));
            assert_eq!(turn.claude.prompt.may_type(), Err(Hold::TerminalTyped));
        }
    }

    #[test]
    fn an_empty_box_after_an_esc_waits_for_the_transcript() {
        let mut turn = turn("fix it");
        turn.interrupt.press(&mut turn.claude, turn.began).unwrap();
        assert_eq!(turn.shows("", SETTLED_AFTER), None);
        let undone = turn.shows("", TRANSCRIPT_WITHIN).unwrap();
        assert_eq!(undone, TurnUndone { before_answer: false, by_us: true });
    }

    #[test]
    fn esc_does_nothing_at_the_prompt_and_an_idle_screen_without_esc_ends_no_turn() {
        let (claude, _) = claude();
        assert!(!Interrupt::default().may_press(&claude.prompt, Instant::now()));
        let mut turn = turn("fix it");
        assert_eq!(turn.shows("fix it", LONG), None);
        assert!(turn.claude.prompt.works());
    }
}
