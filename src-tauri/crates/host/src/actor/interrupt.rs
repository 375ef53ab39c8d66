//! Stops a turn, and interprets claude's screen afterwards.
//!
//! An Esc before the first word of an answer runs no hook and leaves nothing in the transcript: claude shows its
//! input box again, with the prompt in it. So the screen is checked after every Esc, ours or a terminal's. The only
//! conclusions drawn from it are that no turn runs and that no dialog is open.

use super::SessionActor;
use crate::{
    keys,
    prompt_box::{self, PromptBox},
    prompt_state::{Fact, InBox},
    protocol::{Refused, RefusedCode},
    recorder::Note,
};
use bc_core::Timestamp;
use std::time::{Duration, Instant};

/// The delay between a screen change and its check: a frame arrives in pieces.
const SCREEN_CHECK_AFTER: Duration = Duration::from_millis(120);

/// The delay after an Esc before the screen is trusted: claude must have read the key.
const SETTLED_AFTER: Duration = Duration::from_millis(300);

/// How long after an Esc an empty box is not trusted: the transcript reports the text so far and the interruption,
/// and is more precise.
const TRANSCRIPT_WITHIN: Duration = Duration::from_secs(3);

/// The delay after the last key before an empty box is trusted: claude must have drawn the typed text. Also the delay
/// for claude to draw that it has taken the text.
const TYPED_AFTER: Duration = Duration::from_millis(1500);

/// The delay after an Enter, unless a dialog was seen and has closed: a dialog may open slowly.
const ENTERED_AFTER: Duration = Duration::from_secs(10);

/// A second Esc within this time would open a dialog of claude, or clear the returned prompt.
const ESC_APART: Duration = Duration::from_secs(1);

/// The time limit for clearing the prompt from the box.
const CLEAR_WITHIN: Duration = Duration::from_secs(10);

/// Deletes to the beginning of the line, or the line break before it. It does nothing in a dialog, and Ctrl+Y
/// restores the deleted text.
const DELETE_LINE: &[u8] = b"\x15";

/// Claude takes more keys than these in one piece for a paste, and ignores them.
const KEYS_MAX: usize = 32;

/// The source of an Esc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Us,
    Terminal,
}

#[derive(Debug, Default)]
pub(super) struct Interrupt {
    pressed: Option<(By, Instant)>,
    /// The prompt of the running turn, as it was written.
    prompt: Option<String>,
    /// When the turn began.
    began: Option<Timestamp>,
    /// The returned prompt in the box; it is cleared before any other text is typed.
    returned_prompt: Option<String>,
    /// The time limit of the clearing.
    clearing_until: Option<Instant>,
    last_key: Option<Instant>,
    entered: Option<Entered>,
    /// Whether other keys than Esc were typed since the turn began.
    typed: bool,
    /// Since when the box has content behind which a text would be pasted.
    obstructed_since: Option<Instant>,
    /// Since when the box is not on the screen.
    no_box_since: Option<Instant>,
    screen_check_at: Option<Instant>,
}

/// An Enter at claude's prompt that may not have started a turn.
#[derive(Debug, Clone, Copy)]
struct Entered {
    at: Instant,
    /// How many checks since then did not show the box: one may have seen a partly drawn frame.
    without_box: u32,
}

impl Entered {
    fn settled(self) -> Instant {
        if self.without_box > 1 { self.at } else { self.at + ENTERED_AFTER }
    }
}

impl Interrupt {
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.screen_check_at
    }

    fn check_screen_by(&mut self, at: Instant) {
        self.screen_check_at = Some(self.screen_check_at.map_or(at, |earlier| earlier.min(at)));
    }
}

impl SessionActor {
    /// Presses Esc: ends the turn or refuses the permission. Does nothing at the prompt, where Esc has another
    /// meaning.
    pub(super) fn interrupt(&mut self) -> Result<(), Refused> {
        let now = Instant::now();
        let just = self.interrupt.pressed.is_some_and(|(_, at)| now < at + ESC_APART);
        if just || self.prompt.may_type().is_ok() || self.interrupt.returned_prompt.is_some() {
            return Ok(());
        }
        self.on_text_disturbed();
        self.pressed(By::Us, now);
        match self.terminal.write(b"\x1b") {
            true => Ok(()),
            false => Err(Refused {
                code: RefusedCode::State,
                message: "claude does not read its terminal; pause the session to end claude".to_owned(),
            }),
        }
    }

    fn pressed(&mut self, by: By, now: Instant) {
        self.prompt.apply(Fact::InterruptSent);
        if self.prompt.works() {
            self.interrupt.pressed = Some((by, now));
            self.interrupt.check_screen_by(now + SETTLED_AFTER);
        }
    }

    /// A user typed this in a terminal.
    pub(super) fn on_typed(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        self.interrupt.last_key = Some(now);
        self.give_up_mode("claude's terminal has new input; check the terminal");
        self.interrupt.clearing_until = None;
        match keys::stops(bytes) && self.prompt.works() {
            true => self.pressed(By::Terminal, now),
            false => (self.interrupt.typed, self.interrupt.returned_prompt) = (true, None),
        }
        if keys::enters(bytes) {
            self.on_entered();
        }
        self.interrupt.check_screen_by(now + TYPED_AFTER);
    }

    /// Enter was pressed, by the host on a `/command` or in a terminal on any content.
    pub(super) fn on_entered(&mut self) {
        self.interrupt.entered = Some(Entered { at: Instant::now(), without_box: 0 });
    }

    /// A turn begins with this prompt, as it was written.
    pub(super) fn turn_begins_with(&mut self, prompt: String) {
        let Interrupt { screen_check_at, no_box_since, .. } = self.interrupt;
        let began = Some((self.now)());
        self.interrupt =
            Interrupt { prompt: Some(prompt), began, screen_check_at, no_box_since, ..Interrupt::default() };
    }

    /// Whether an interruption in the transcript at this time belongs to the running turn.
    pub(super) fn is_of_this_turn(&self, at: Timestamp) -> bool {
        self.interrupt.began.is_none_or(|began| began <= at)
    }

    pub(super) fn check_screen_soon(&mut self) {
        self.check_screen_by(Instant::now() + SCREEN_CHECK_AFTER);
    }

    pub(super) fn check_screen_by(&mut self, at: Instant) {
        self.interrupt.check_screen_by(at);
    }

    /// Whether claude's input box is empty for a paste. The end of a turn does not prove this: the user may have
    /// started a draft, and a text pasted behind it would be sent together with it.
    pub(super) fn prompt_box_is_free(&mut self, now: Instant) -> bool {
        if let Some(drawn) = self.interrupt.last_key.map(|at| at + TYPED_AFTER).filter(|at| now < *at) {
            self.interrupt.check_screen_by(drawn);
            return false;
        }
        // An Enter in a terminal may be a command whose dialog has not opened yet.
        if let Some(settled) = self.interrupt.entered.map(Entered::settled).filter(|at| now < *at) {
            self.interrupt.check_screen_by(settled);
            return false;
        }
        let Some(found) = self.terminal.prompt_box() else {
            // A dialog is open, or claude has not drawn its box yet: its next output triggers a check.
            self.interrupt.obstructed_since = None;
            return false;
        };
        if found.is_free() {
            self.interrupt.obstructed_since = None;
            return true;
        }
        let settled = *self.interrupt.obstructed_since.get_or_insert(now) + TYPED_AFTER;
        if now < settled {
            self.interrupt.check_screen_by(settled);
        } else {
            self.interrupt.obstructed_since = None;
            self.prompt.apply(Fact::TerminalTyped);
            self.check_screen_soon();
        }
        false
    }

    /// Checks claude's screen if that is due.
    pub(super) fn on_screen_check_deadline(&mut self, now: Instant) {
        if self.interrupt.screen_check_at.is_none_or(|at| now < at) {
            return;
        }
        self.interrupt.screen_check_at = None;
        self.note_output();
        let idle = prompt_box::is_idle_title(self.terminal.screen().title());
        let found = self.terminal.prompt_box();
        self.on_prompt_box_line(found.as_ref(), now);
        let Some(found) = found else {
            self.on_no_box(now);
            if let Some(entered) = self.interrupt.entered.as_mut().filter(|entered| entered.without_box < 2) {
                entered.without_box += 1;
                self.interrupt.check_screen_by(now + SETTLED_AFTER);
            }
            return;
        };
        self.interrupt.no_box_since = None;
        self.prompt.apply(Fact::BoxShown);
        if idle {
            self.on_box(&found, now);
        }
    }

    /// The box is not on the screen. If it stays that way, a dialog has replaced it.
    fn on_no_box(&mut self, now: Instant) {
        // Claude clears the screen before it redraws everything.
        if self.terminal.screen().text().is_empty() {
            self.interrupt.no_box_since = None;
            return;
        }
        let settled = *self.interrupt.no_box_since.get_or_insert(now) + SETTLED_AFTER;
        match now < settled {
            true => self.interrupt.check_screen_by(settled),
            false => self.prompt.apply(Fact::BoxHidden),
        }
    }

    /// Claude is at its prompt, or a turn has begun that the title does not show yet.
    fn on_box(&mut self, found: &PromptBox, now: Instant) {
        if let Some((by, at)) = self.interrupt.pressed.filter(|_| self.prompt.works()) {
            let settled = at + if found.typed.is_empty() { TRANSCRIPT_WITHIN } else { SETTLED_AFTER };
            match now < settled {
                true => self.interrupt.check_screen_by(settled),
                false => self.on_turn_undone(by, found),
            }
            return;
        }
        self.interrupt.pressed = None;
        if let Some(until) =
            self.interrupt.clearing_until.filter(|_| found.focused && !found.typed.is_empty())
        {
            match now < until {
                true => self.delete_lines(found, until),
                false => {
                    self.interrupt.clearing_until = None;
                    self.prompt.apply(Fact::TurnUndone(InBox::Something));
                }
            }
        } else if self.prompt.doubts_box() && found.is_free() && !self.prompt_queue.is_typing() {
            let settled = self.interrupt.last_key.map_or(now, |at| at + TYPED_AFTER);
            let settled = settled.max(self.startup.last_output().map_or(now, |at| at + SETTLED_AFTER));
            let settled = settled.max(self.interrupt.entered.map_or(now, Entered::settled));
            match now < settled {
                true => self.interrupt.check_screen_by(settled),
                false => {
                    self.prompt.apply(Fact::BoxEmpty);
                    (self.interrupt.returned_prompt, self.interrupt.clearing_until) = (None, None);
                    (self.interrupt.entered, self.interrupt.obstructed_since) = (None, None);
                }
            }
        }
    }

    /// The turn is over, and only the screen shows it.
    fn on_turn_undone(&mut self, by: By, found: &PromptBox) {
        self.interrupt.pressed = None;
        let prompt = self.interrupt.prompt.take().filter(|prompt| found.holds(prompt));
        let ours = prompt.filter(|_| !self.interrupt.typed);
        let returned_prompt = match (&ours, found.typed.is_empty()) {
            (_, true) => InBox::Nothing,
            (Some(_), false) => InBox::Prompt,
            (None, false) => InBox::Something,
        };
        self.prompt.apply(Fact::TurnUndone(returned_prompt));
        self.turn_is_over();
        self.on_work_turn_over();
        if returned_prompt != InBox::Nothing {
            self.note(Note::Stopped { at: (self.now)() });
        }
        self.note(Note::TurnOver);
        self.interrupt.returned_prompt = ours;
        if by == By::Us {
            self.clear_returned_prompt();
        }
    }

    /// Clears the stopped prompt from claude's input box if it is the only content. The prompt is saved to disk
    /// first, so that it is never lost.
    pub(super) fn clear_returned_prompt(&mut self) {
        let Some(text) = self.interrupt.returned_prompt.take() else { return };
        if !self.queue_returned_prompt(text) {
            return self.prompt.apply(Fact::TurnUndone(InBox::Something));
        }
        let now = Instant::now();
        self.interrupt.clearing_until = Some(now + CLEAR_WITHIN);
        self.interrupt.check_screen_by(now);
    }

    fn delete_lines(&mut self, found: &PromptBox, until: Instant) {
        let lines = found.above + found.typed.lines().count();
        // Each line takes one key for its text and one for its break; the next check continues.
        let _ = self.terminal.write(&DELETE_LINE.repeat(KEYS_MAX.min(2 * lines)));
        self.interrupt.check_screen_by(until);
    }
}
