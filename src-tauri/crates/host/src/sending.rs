//! Typing one text: a bracketed paste, its echo on the screen, Enter on its own, claude's word for it.
//!
//! Pure. Enter follows only when the text was seen to appear, for a dialog that no hook tells of shows
//! nothing of a paste. A text that did not appear, or that claude did not confirm, is lost to this
//! module: whether it is sent again is a person's decision.

use crate::outgoing;
use std::time::{Duration, Instant};

/// How long the text may take to appear; a paste of 256 KiB takes claude about a second.
const ECHO_WITHIN: Duration = Duration::from_secs(6);

/// How long it may take while claude's box stands there empty: on a busy machine claude has not read it yet.
const ECHO_AT_MOST: Duration = Duration::from_secs(60);

/// How long claude may take to confirm; its UserPromptSubmit hooks may take their time.
const CONFIRM_WITHIN: Duration = Duration::from_secs(20);

/// How long an answer waits for what lasts a moment only: claude drawing its first prompt, another
/// text being typed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// How long it may take until whoever sends a text is told what became of it: in the worst case it waits, is pasted
/// and looked for once more just before the last moment, and is not confirmed.
pub(crate) const ANSWERED_WITHIN: Duration =
    PATIENCE.saturating_add(ECHO_AT_MOST).saturating_add(ECHO_WITHIN).saturating_add(CONFIRM_WITHIN);

/// What is being typed.
#[derive(Debug, Default)]
pub(crate) struct Sending {
    step: Option<Step>,
}

#[derive(Debug)]
struct Step {
    id: String,
    text: String,
    stage: Stage,
    began: Instant,
    deadline: Instant,
}

#[derive(Debug)]
enum Stage {
    Pasted { before: Sight },
    Entered,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The text is there: press Enter now.
    PressEnter {
        /// Whether it is a `/command`.
        command: bool,
    },
    /// Claude has it.
    Confirmed {
        /// Which text.
        id: String,
    },
    /// It did not appear, or was not confirmed.
    Lost {
        /// Which text.
        id: String,
        /// Whether Enter was pressed.
        entered: bool,
    },
}

/// What is visible.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// All of it.
    pub(crate) screen: &'a str,
    /// The same without what only hints at what could be typed: claude suggests prompts, and a text may begin as one.
    pub(crate) without_hints: &'a str,
}

/// How often a text, or claude's stand-in for a long one, is on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sight {
    text: usize,
    stand_in: usize,
    at_prompt: bool,
}

impl Sending {
    /// Whether nothing is being typed.
    pub(crate) fn is_idle(&self) -> bool {
        self.step.is_none()
    }

    /// Which text is being typed.
    pub(crate) fn id(&self) -> Option<&str> {
        self.step.as_ref().map(|step| step.id.as_str())
    }

    /// When [`Sending::on_deadline`] wants to be called.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.step.as_ref().map(|step| step.deadline)
    }

    /// Begins; returns the bytes to write. `shown` is what is visible before.
    pub(crate) fn begin(&mut self, id: String, text: String, shown: Shown<'_>, now: Instant) -> Vec<u8> {
        let bytes = outgoing::paste(&text);
        let before = sight(shown, &text);
        let stage = Stage::Pasted { before };
        self.step = Some(Step { id, text, stage, began: now, deadline: now + ECHO_WITHIN });
        bytes
    }

    /// The screen has changed. `may_enter`: nothing spoke against typing since the paste.
    pub(crate) fn on_screen(&mut self, shown: Shown<'_>, may_enter: bool, now: Instant) -> Option<Progress> {
        let step = self.step.as_mut()?;
        match &step.stage {
            Stage::Pasted { .. } if !may_enter => self.lose(false),
            Stage::Pasted { before } => {
                let sight = sight(shown, &step.text);
                let appeared = sight.text > before.text
                    || sight.stand_in > before.stand_in
                    || (sight.at_prompt && !before.at_prompt);
                if !appeared {
                    return None;
                }
                step.stage = Stage::Entered;
                step.deadline = now + CONFIRM_WITHIN;
                Some(Progress::PressEnter { command: outgoing::is_command(&step.text) })
            }
            // Commands of claude's own run without a hook: that the line is gone says that it went.
            Stage::Entered if outgoing::is_command(&step.text) && !sight(shown, &step.text).at_prompt => {
                self.confirm()
            }
            Stage::Entered => None,
        }
    }

    /// Claude reports a submitted prompt.
    pub(crate) fn on_prompt(&mut self, prompt: &str) -> Option<Progress> {
        let step = self.step.as_ref()?;
        match step.stage {
            Stage::Entered if outgoing::is_prompt(prompt, &step.text) => self.confirm(),
            Stage::Entered | Stage::Pasted { .. } => None,
        }
    }

    /// Claude did something that only a `/command` makes it do: it cleared or compacts.
    pub(crate) fn on_command_effect(&mut self) -> Option<Progress> {
        let step = self.step.as_ref()?;
        match step.stage {
            Stage::Entered if outgoing::is_command(&step.text) => self.confirm(),
            Stage::Entered | Stage::Pasted { .. } => None,
        }
    }

    /// The deadline may have passed. `box_empty`: claude's input box is on the screen with nothing in it, so
    /// no dialog has swallowed the paste.
    pub(crate) fn on_deadline(&mut self, now: Instant, box_empty: impl FnOnce() -> bool) -> Option<Progress> {
        let step = self.step.as_mut().filter(|step| step.deadline <= now)?;
        let entered = matches!(step.stage, Stage::Entered);
        if !entered && now < step.began + ECHO_AT_MOST && box_empty() {
            step.deadline = now + ECHO_WITHIN;
            return None;
        }
        self.lose(entered)
    }

    /// The terminal is gone or somebody typed into it: no Enter of ours may follow. `None` where it
    /// was pressed already or nothing is being typed.
    pub(crate) fn on_disturbed(&mut self) -> Option<Progress> {
        match self.step.as_ref()?.stage {
            Stage::Pasted { .. } => self.lose(false),
            Stage::Entered => None,
        }
    }

    fn confirm(&mut self) -> Option<Progress> {
        self.step.take().map(|step| Progress::Confirmed { id: step.id })
    }

    fn lose(&mut self, entered: bool) -> Option<Progress> {
        self.step.take().map(|step| Progress::Lost { id: step.id, entered })
    }
}

fn sight(shown: Shown<'_>, text: &str) -> Sight {
    let wanted = squeezed(text.lines().find(|line| !squeezed(line, 1).is_empty()).unwrap_or(""), 24);
    let typed = squeezed(shown.without_hints, usize::MAX);
    let prompt = shown.without_hints.lines().rev().map(str::trim_start).find_map(|line| {
        let line = line.strip_prefix('│').unwrap_or(line).trim_start();
        line.strip_prefix('❯').or_else(|| line.strip_prefix('>'))
    });
    let prompt = prompt.unwrap_or("").trim();
    let begun = squeezed(prompt, 24);
    let at_prompt = match wanted.is_empty() {
        // Nothing but pictures, which every terminal draws in its own way: something must be there.
        true => !prompt.is_empty(),
        false => !begun.is_empty() && (wanted.starts_with(&begun) || begun.starts_with(&wanted)),
    };
    let text = if wanted.is_empty() { 0 } else { typed.matches(&wanted).count() };
    let stand_in = squeezed(shown.screen, usize::MAX).matches("[Pastedtext#").count();
    Sight { text, stand_in, at_prompt }
}

/// Letters, digits and common signs only: wrapping, frames and the drawing of emoji do not matter.
fn squeezed(text: &str, most: usize) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || c.is_ascii_punctuation()).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "● Reply\n────\n❯\n────\n  manual mode on";

    /// Without any hint.
    fn plain(screen: &str) -> Shown<'_> {
        Shown { screen, without_hints: screen }
    }

    fn typed(text: &str) -> (Sending, Instant) {
        let now = Instant::now();
        let mut sending = Sending::default();
        assert!(!sending.begin("1".into(), text.into(), plain(EMPTY), now).is_empty());
        (sending, now)
    }

    fn confirmed() -> Option<Progress> {
        Some(Progress::Confirmed { id: "1".into() })
    }

    fn press(command: bool) -> Option<Progress> {
        Some(Progress::PressEnter { command })
    }

    fn lost(entered: bool) -> Option<Progress> {
        Some(Progress::Lost { id: "1".into(), entered })
    }

    #[test]
    fn enter_follows_the_echo_and_the_hook_confirms() {
        let (mut sending, now) = typed("fix the tests");
        assert_eq!(sending.on_screen(plain(EMPTY), true, now), None);
        let shown = "● Reply\n────\n❯ fix the tests\n────";
        assert_eq!(sending.on_screen(plain(shown), true, now), press(false));
        assert_eq!(sending.on_screen(plain(EMPTY), true, now), None, "an empty box is no confirmation");
        assert_eq!(sending.on_prompt("something else"), None);
        assert_eq!(sending.on_prompt("fix the tests"), confirmed());
        assert!(sending.is_idle());
    }

    #[test]
    fn a_dialog_that_shows_nothing_of_the_paste_gets_no_enter() {
        let (mut sending, now) = typed("fix the tests");
        let dialog = "Select model\n❯ 1. Default\n  2. Other";
        assert_eq!(sending.on_screen(plain(dialog), true, now), None);
        assert_eq!(sending.on_deadline(now, || false), None);
        assert_eq!(sending.on_deadline(now + ECHO_WITHIN, || false), lost(false));
    }

    #[test]
    fn a_claude_that_is_slow_to_read_is_waited_for() {
        let (mut sending, now) = typed("fix the tests");
        let late = now + ECHO_WITHIN;
        assert_eq!(sending.on_deadline(late, || true), None);
        assert_eq!(sending.on_screen(plain("❯ fix the tests"), true, late), press(false));
        let (mut sending, now) = typed("fix the tests");
        assert_eq!(sending.on_deadline(now + ECHO_AT_MOST, || true), lost(false));
    }

    #[test]
    fn a_permission_that_is_asked_for_meanwhile_stops_the_enter() {
        let (mut sending, now) = typed("fix the tests");
        assert_eq!(sending.on_screen(plain("❯ fix the tests"), false, now), lost(false));
    }

    #[test]
    fn a_long_text_appears_as_its_stand_in() {
        let (mut sending, now) = typed(&"line\n".repeat(3000));
        let shown = "❯ [Pasted text #1 +3000 lines]";
        assert_eq!(sending.on_screen(plain(shown), true, now), press(false));
    }

    #[test]
    fn the_same_text_again_is_seen_at_the_prompt_although_the_first_scrolled_away() {
        let now = Instant::now();
        let mut sending = Sending::default();
        sending.begin("1".into(), "again".into(), plain("❯ again\n● Reply to: again\n❯\n──"), now);
        assert_eq!(sending.on_screen(plain("● Reply to: again\n❯ again\n──"), true, now), press(false));
    }

    #[test]
    fn a_text_that_claude_suggests_is_seen_once_it_is_typed() {
        let suggested = "❯ fix the tests and commit\n──";
        for text in ["fix the tests and commit", "fix the tests"] {
            let (mut sending, now) = (Sending::default(), Instant::now());
            let hint = Shown { screen: suggested, without_hints: "❯\n──" };
            sending.begin("1".into(), text.into(), hint, now);
            assert_eq!(sending.on_screen(hint, true, now), None, "the hint is no echo");
            // What is left of the suggestion behind the text stays a hint.
            let without_hints = format!("❯ {text}\n──");
            let typed = Shown { screen: suggested, without_hints: &without_hints };
            assert_eq!(sending.on_screen(typed, true, now), press(false), "{text}");
        }
    }

    #[test]
    fn a_wrapped_text_in_a_frame_is_seen() {
        let (mut sending, now) = typed("a rather long text");
        let shown = "╭────╮\n│ > a rather │\n│ long text  │\n╰────╯";
        assert_eq!(sending.on_screen(plain(shown), true, now), press(false));
    }

    #[test]
    fn pictures_are_seen_however_they_are_drawn() {
        let (mut sending, now) = typed("👩‍💻 größe");
        assert_eq!(sending.on_screen(plain("❯ 👩 größe\n──"), true, now), press(false));
        let (mut sending, now) = typed("🎉🎉");
        assert_eq!(sending.on_screen(plain(EMPTY), true, now), None);
        assert_eq!(sending.on_screen(plain("❯ 🎉🎉\n──"), true, now), press(false));
    }

    #[test]
    fn a_command_is_confirmed_by_its_line_going_away_or_by_its_effect() {
        let (mut sending, now) = typed("/status");
        assert_eq!(sending.on_screen(plain("  ❯ /status  Show\n❯ /status\n──"), true, now), press(true));
        assert_eq!(sending.on_screen(plain("❯ /status\n──"), true, now), None);
        assert_eq!(sending.on_screen(plain("Settings  Status\nEsc to close"), true, now), confirmed());

        let (mut sending, now) = typed("/clear");
        assert_eq!(sending.on_screen(plain("❯ /clear\n──"), true, now), press(true));
        assert_eq!(sending.on_command_effect(), confirmed());
    }

    #[test]
    fn what_claude_does_not_confirm_is_lost_and_not_repeated() {
        let (mut sending, now) = typed("fix the tests");
        sending.on_screen(plain("❯ fix the tests"), true, now);
        assert_eq!(sending.on_disturbed(), None);
        assert_eq!(sending.on_deadline(now + CONFIRM_WITHIN, || true), lost(true));
        assert!(sending.is_idle());
    }

    #[test]
    fn somebody_who_types_in_between_stops_the_enter() {
        let (mut sending, _) = typed("fix the tests");
        assert_eq!(sending.on_disturbed(), lost(false));
    }
}
