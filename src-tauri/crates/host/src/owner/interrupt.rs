//! Stopping a turn, and what claude's screen says afterwards.
//!
//! An Esc before the first word of an answer runs no hook and leaves nothing in the transcript: claude
//! draws its input box again, with the prompt in it. So after an Esc, ours or a terminal's, the screen
//! is looked at. What is concluded from it is only ever that nothing runs and no dialog is open.

use super::Owner;
use crate::{
    keys,
    prompt_box::{self, PromptBox},
    prompt_state::{Fact, InBox},
    protocol::{Refused, RefusedCode},
    scribe::Note,
};
use bc_core::Timestamp;
use std::time::{Duration, Instant};

/// After the screen changed, how long until it is looked at: frames come in pieces.
const LOOK_AFTER: Duration = Duration::from_millis(120);

/// How long after an Esc the screen is believed: claude must have read it.
const SETTLED_AFTER: Duration = Duration::from_millis(300);

/// How long after an Esc nothing is concluded from an empty box: what was said until then, and that it
/// was stopped, is in the transcript, and that says more.
const TOLD_WITHIN: Duration = Duration::from_secs(3);

/// How long after the last key an empty box is believed: claude must have drawn what was typed. As long it may take
/// to draw that it has taken what stood there.
const TYPED_AFTER: Duration = Duration::from_millis(1500);

/// How long after an Enter, unless a dialog was seen and is gone: it may take its time to open.
const ENTERED_AFTER: Duration = Duration::from_secs(10);

/// A second Esc within this time would open a dialog of claude's, or clear what was given back.
const ESC_APART: Duration = Duration::from_secs(1);

/// How long it is tried to take the prompt out of the box.
const TAKE_OUT_WITHIN: Duration = Duration::from_secs(10);

/// Deletes to the beginning of the line, or the break before it. It does nothing in a dialog, and
/// claude gives back with Ctrl+Y what it took.
const DELETE_LINE: &[u8] = b"\x15";

/// More keys than these in one piece are taken for a paste, and their effect is lost.
const KEYS_MAX: usize = 32;

/// Who pressed Esc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Us,
    Terminal,
}

#[derive(Debug, Default)]
pub(super) struct Interrupt {
    pressed: Option<(By, Instant)>,
    /// What the running turn answers, as it was written.
    prompt: Option<String>,
    /// When it began.
    began: Option<Timestamp>,
    /// The prompt that stands in the box, to be taken out before anything else is typed.
    left: Option<String>,
    /// Until when it is tried to take it out.
    taking_out: Option<Instant>,
    last_key: Option<Instant>,
    entered: Option<Entered>,
    /// Something other than Esc was typed since the turn began.
    typed: bool,
    /// Since when something is seen in the box that a text would be pasted behind.
    in_the_way: Option<Instant>,
    look_at: Option<Instant>,
}

/// Enter was pressed at claude's prompt, and what was there need not have begun a turn.
#[derive(Debug, Clone, Copy)]
struct Entered {
    at: Instant,
    /// How often the screen was seen without the box since: a frame that is only half drawn may be, once.
    without_box: u32,
}

impl Entered {
    fn settled(self) -> Instant {
        if self.without_box > 1 { self.at } else { self.at + ENTERED_AFTER }
    }
}

impl Interrupt {
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.look_at
    }

    fn look_by(&mut self, at: Instant) {
        self.look_at = Some(self.look_at.map_or(at, |earlier| earlier.min(at)));
    }
}

impl Owner {
    /// Presses Esc: ends the turn, or refuses the permission that is asked for. At its prompt claude
    /// would take it for something else.
    pub(super) fn interrupt(&mut self) -> Result<(), Refused> {
        let now = Instant::now();
        let just = self.interrupt.pressed.is_some_and(|(_, at)| now < at + ESC_APART);
        if just || self.prompt.may_type().is_ok() || self.interrupt.left.is_some() {
            return Ok(());
        }
        self.on_text_disturbed();
        self.pressed(By::Us, now);
        match self.terminal.write(b"\x1b") {
            true => Ok(()),
            false => Err(Refused {
                code: RefusedCode::State,
                message: "claude does not read its terminal; pause the session to end it".to_owned(),
            }),
        }
    }

    fn pressed(&mut self, by: By, now: Instant) {
        self.prompt.apply(Fact::InterruptSent);
        if self.prompt.works() {
            self.interrupt.pressed = Some((by, now));
            self.interrupt.look_by(now + SETTLED_AFTER);
        }
    }

    /// Somebody typed this in a terminal.
    pub(super) fn on_typed(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        self.interrupt.last_key = Some(now);
        self.give_up_mode("somebody typed into claude's terminal meanwhile; look there");
        self.interrupt.taking_out = None;
        match keys::stops(bytes) && self.prompt.works() {
            true => self.pressed(By::Terminal, now),
            false => (self.interrupt.typed, self.interrupt.left) = (true, None),
        }
        if keys::enters(bytes) {
            self.on_entered();
        }
        self.interrupt.look_by(now + TYPED_AFTER);
    }

    /// Enter is pressed, by us on a `/command` or in a terminal on whatever stands there.
    pub(super) fn on_entered(&mut self) {
        self.interrupt.entered = Some(Entered { at: Instant::now(), without_box: 0 });
    }

    /// A turn begins, with this prompt as it was written.
    pub(super) fn turn_begins_with(&mut self, prompt: String) {
        let (look_at, began) = (self.interrupt.look_at, Some((self.now)()));
        self.interrupt = Interrupt { prompt: Some(prompt), began, look_at, ..Interrupt::default() };
    }

    /// Whether what the transcript says of an interruption then is about the running turn.
    pub(super) fn is_of_this_turn(&self, at: Timestamp) -> bool {
        self.interrupt.began.is_none_or(|began| began <= at)
    }

    pub(super) fn look_soon(&mut self) {
        self.interrupt.look_by(Instant::now() + LOOK_AFTER);
    }

    /// Whether a text that is pasted now stands alone in claude's input box. The end of a turn says nothing of a
    /// draft that a person began meanwhile: a text pasted behind it would send it along.
    pub(super) fn box_is_free(&mut self, now: Instant) -> bool {
        if let Some(drawn) = self.interrupt.last_key.map(|at| at + TYPED_AFTER).filter(|at| now < *at) {
            self.interrupt.look_by(drawn);
            return false;
        }
        if self.terminal.prompt_box().is_none_or(|found| found.typed.is_empty()) {
            self.interrupt.in_the_way = None;
            return true;
        }
        let settled = *self.interrupt.in_the_way.get_or_insert(now) + TYPED_AFTER;
        if now < settled {
            self.interrupt.look_by(settled);
        } else {
            self.interrupt.in_the_way = None;
            self.prompt.apply(Fact::TerminalTyped);
            self.look_soon();
        }
        false
    }

    /// Looks at claude's screen, if that is due.
    pub(super) fn on_look_deadline(&mut self, now: Instant) {
        if self.interrupt.look_at.is_none_or(|at| now < at) {
            return;
        }
        self.interrupt.look_at = None;
        self.hear_of_output();
        let idle = prompt_box::is_idle_title(self.terminal.screen().title());
        let found = self.terminal.prompt_box();
        self.on_footer(found.as_ref(), now);
        let Some(found) = found else {
            if let Some(entered) = self.interrupt.entered.as_mut().filter(|entered| entered.without_box < 2) {
                entered.without_box += 1;
                self.interrupt.look_by(now + SETTLED_AFTER);
            }
            return;
        };
        if idle {
            self.on_box(&found, now);
        }
    }

    /// Claude is at its prompt, or a turn has begun that the title does not tell of yet.
    fn on_box(&mut self, found: &PromptBox, now: Instant) {
        if let Some((by, at)) = self.interrupt.pressed.filter(|_| self.prompt.works()) {
            let settled = at + if found.typed.is_empty() { TOLD_WITHIN } else { SETTLED_AFTER };
            match now < settled {
                true => self.interrupt.look_by(settled),
                false => self.on_turn_undone(by, found),
            }
            return;
        }
        self.interrupt.pressed = None;
        if let Some(until) = self.interrupt.taking_out.filter(|_| !found.typed.is_empty()) {
            match now < until {
                true => self.delete_lines(found, until),
                false => {
                    self.interrupt.taking_out = None;
                    self.prompt.apply(Fact::TurnUndone(InBox::Something));
                }
            }
        } else if self.prompt.doubts_box() && found.typed.is_empty() && !self.texts.is_typing() {
            let settled = self.interrupt.last_key.map_or(now, |at| at + TYPED_AFTER);
            let settled = settled.max(self.waiting.last_output().map_or(now, |at| at + SETTLED_AFTER));
            let settled = settled.max(self.interrupt.entered.map_or(now, Entered::settled));
            match now < settled {
                true => self.interrupt.look_by(settled),
                false => {
                    self.prompt.apply(Fact::BoxEmpty);
                    (self.interrupt.left, self.interrupt.taking_out) = (None, None);
                    (self.interrupt.entered, self.interrupt.in_the_way) = (None, None);
                }
            }
        }
    }

    /// The turn is over and left no word of it but on the screen.
    fn on_turn_undone(&mut self, by: By, found: &PromptBox) {
        self.interrupt.pressed = None;
        let prompt = self.interrupt.prompt.take().filter(|prompt| found.holds(prompt));
        let ours = prompt.filter(|_| !self.interrupt.typed);
        let left = match (&ours, found.typed.is_empty()) {
            (_, true) => InBox::Nothing,
            (Some(_), false) => InBox::Prompt,
            (None, false) => InBox::Something,
        };
        self.prompt.apply(Fact::TurnUndone(left));
        self.turn_is_over();
        self.on_work_turn_over();
        if left != InBox::Nothing {
            self.note(Note::Stopped { at: (self.now)() });
        }
        self.note(Note::TurnOver);
        self.interrupt.left = ours;
        if by == By::Us {
            self.take_out_leftover();
        }
    }

    /// Takes the stopped prompt out of claude's input box, if it is the only thing there. It is held on
    /// disk first, so that it is never nowhere.
    pub(super) fn take_out_leftover(&mut self) {
        let Some(text) = self.interrupt.left.take() else { return };
        if !self.hold_returned(text) {
            return self.prompt.apply(Fact::TurnUndone(InBox::Something));
        }
        let now = Instant::now();
        self.interrupt.taking_out = Some(now + TAKE_OUT_WITHIN);
        self.interrupt.look_by(now);
    }

    fn delete_lines(&mut self, found: &PromptBox, until: Instant) {
        let lines = found.above + found.typed.lines().count();
        // Each line takes one for its text and one for its break; more follow with the next look.
        let _ = self.terminal.write(&DELETE_LINE.repeat(KEYS_MAX.min(2 * lines)));
        self.interrupt.look_by(until);
    }
}
