//! Types one prompt: a bracketed paste, its echo on the screen, Enter, and claude's confirmation.
//!
//! Performs no I/O. Enter is pressed only after the text appeared in claude's input box, because a dialog
//! that no hook reports may show a paste in its own field. Text that did not appear or was not confirmed is
//! reported as lost, and the user decides whether to send it again.

use crate::{prompt_box::PromptBox, prompt_images, prompt_text};
use std::time::{Duration, Instant};

/// The time limit for the text to appear. A paste of 256 KiB takes claude about a second.
const ECHO_WITHIN: Duration = Duration::from_secs(6);

/// The longer time limit while claude shows an empty box: on a busy machine, claude may not have read the
/// paste yet.
const ECHO_AT_MOST: Duration = Duration::from_secs(60);

/// The time limit for claude's confirmation, including its UserPromptSubmit hooks.
const CONFIRM_WITHIN: Duration = Duration::from_secs(20);

/// The longest delay of the sender's answer while a text cannot be typed for a moment, for example because
/// another one is being typed.
pub(crate) const ANSWER_DELAY_MAX: Duration = Duration::from_secs(10);

/// The longest time until the sender of a text without images gets an answer. In the worst case, the text
/// waits, is pasted, gets one more check just before the limit, and is not confirmed.
pub(crate) const ANSWERED_WITHIN: Duration =
    ANSWER_DELAY_MAX.saturating_add(ECHO_AT_MOST).saturating_add(ECHO_WITHIN).saturating_add(CONFIRM_WITHIN);

/// The text that is being typed, if any.
#[derive(Debug, Default)]
pub(crate) struct PromptTyping {
    attempt: Option<Attempt>,
}

#[derive(Debug)]
struct Attempt {
    id: String,
    text: String,
    stage: Stage,
    started: Instant,
    deadline: Instant,
}

#[derive(Debug)]
enum Stage {
    /// The paths of the images are being pasted one by one, before the text.
    Attaching {
        /// The images that have not been pasted yet.
        left: Vec<String>,
        /// The number of pasted images.
        pasted: usize,
    },
    Pasted,
    Entered {
        /// Whether other keys were typed since Enter, so that the next reported prompt may come from these
        /// keys.
        disturbed: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The image has appeared: the caller writes these bytes next.
    Paste(Vec<u8>),
    /// The text has appeared: the caller presses Enter.
    PressEnter {
        /// Whether the text is a `/command`.
        command: bool,
    },
    Confirmed {
        id: String,
    },
    /// The text did not appear or was not confirmed, or its typing was stopped.
    Lost {
        id: String,
        entered: bool,
    },
}

impl PromptTyping {
    /// Whether no text is being typed.
    pub(crate) fn is_idle(&self) -> bool {
        self.attempt.is_none()
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.attempt.as_ref().map(|attempt| attempt.id.as_str())
    }

    /// The time at which to call [`PromptTyping::on_deadline`].
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.attempt.as_ref().map(|attempt| attempt.deadline)
    }

    /// Starts typing into an empty input box. Returns the bytes to write. `images` are the paths of attached
    /// images.
    pub(crate) fn begin(
        &mut self,
        id: String,
        text: String,
        mut images: Vec<String>,
        now: Instant,
    ) -> Vec<u8> {
        let (bytes, stage) = match images.is_empty() {
            true => (prompt_text::paste(&text), Stage::Pasted),
            false => {
                let first = images.remove(0);
                (prompt_text::paste(&first), Stage::Attaching { left: images, pasted: 1 })
            }
        };
        self.attempt = Some(Attempt { id, text, stage, started: now, deadline: now + ECHO_WITHIN });
        bytes
    }

    /// Called when the screen has changed and shows this box, or `None` if something else is in its place.
    /// `may_enter`: whether Enter may still be pressed.
    pub(crate) fn on_screen(
        &mut self,
        found: Option<&PromptBox>,
        may_enter: bool,
        now: Instant,
    ) -> Option<Progress> {
        let attempt = self.attempt.as_mut()?;
        let is_there = found.is_some_and(|found| found.shows(&attempt.text));
        match &mut attempt.stage {
            Stage::Attaching { .. } | Stage::Pasted if !may_enter => self.lose(false),
            Stage::Attaching { left, pasted } => {
                let found = found.filter(|found| found.focused)?;
                if prompt_images::shown(&found.typed) < *pasted {
                    return None;
                }
                attempt.deadline = now + ECHO_WITHIN;
                if !left.is_empty() {
                    *pasted += 1;
                    return Some(Progress::Paste(prompt_text::paste(&left.remove(0))));
                }
                if attempt.text.is_empty() {
                    attempt.stage = Stage::Entered { disturbed: false };
                    attempt.deadline = now + CONFIRM_WITHIN;
                    return Some(Progress::PressEnter { command: false });
                }
                attempt.stage = Stage::Pasted;
                Some(Progress::Paste(prompt_text::paste(&attempt.text)))
            }
            Stage::Pasted if is_there => {
                attempt.stage = Stage::Entered { disturbed: false };
                attempt.deadline = now + CONFIRM_WITHIN;
                Some(Progress::PressEnter { command: prompt_text::is_command(&attempt.text) })
            }
            // Claude's own commands do not trigger a hook; the disappearance of the line confirms them.
            Stage::Entered { .. } if prompt_text::is_command(&attempt.text) && !is_there => self.confirm(),
            Stage::Pasted | Stage::Entered { .. } => None,
        }
    }

    /// Called when claude reports a submitted prompt. If no other keys were typed since Enter, the prompt is
    /// this text, even if claude has rewritten it.
    pub(crate) fn on_prompt(&mut self, prompt: &str) -> Option<Progress> {
        let attempt = self.attempt.as_ref()?;
        match attempt.stage {
            Stage::Entered { disturbed } if !disturbed || prompt_text::is_prompt(prompt, &attempt.text) => {
                self.confirm()
            }
            Stage::Entered { .. } | Stage::Pasted | Stage::Attaching { .. } => None,
        }
    }

    /// Called when claude has cleared or compacts the conversation, which confirms an entered `/command`.
    pub(crate) fn on_command_effect(&mut self) -> Option<Progress> {
        let attempt = self.attempt.as_ref()?;
        match attempt.stage {
            Stage::Entered { .. } if prompt_text::is_command(&attempt.text) => self.confirm(),
            Stage::Entered { .. } | Stage::Pasted | Stage::Attaching { .. } => None,
        }
    }

    /// Checks the deadline. `box_empty`: whether claude's input box is on the screen and empty, so that no
    /// dialog has received the paste.
    pub(crate) fn on_deadline(&mut self, now: Instant, box_empty: impl FnOnce() -> bool) -> Option<Progress> {
        let attempt = self.attempt.as_mut().filter(|attempt| attempt.deadline <= now)?;
        let entered = matches!(attempt.stage, Stage::Entered { .. });
        if !entered && now < attempt.started + ECHO_AT_MOST && box_empty() {
            attempt.deadline = now + ECHO_WITHIN;
            return None;
        }
        self.lose(entered)
    }

    /// Called when the terminal gets other input or accepts none, or when the session ends, so that Enter
    /// must not be pressed. Returns `None` if Enter was already pressed or no text is being typed.
    pub(crate) fn on_disturbed(&mut self) -> Option<Progress> {
        match &mut self.attempt.as_mut()?.stage {
            Stage::Pasted | Stage::Attaching { .. } => self.lose(false),
            Stage::Entered { disturbed } => {
                *disturbed = true;
                None
            }
        }
    }

    fn confirm(&mut self) -> Option<Progress> {
        self.attempt.take().map(|attempt| Progress::Confirmed { id: attempt.id })
    }

    fn lose(&mut self, entered: bool) -> Option<Progress> {
        self.attempt.take().map(|attempt| Progress::Lost { id: attempt.id, entered })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(typed: &str) -> Option<PromptBox> {
        Some(PromptBox { typed: typed.to_owned(), above: 0, mode: None, focused: true })
    }

    fn typed(text: &str) -> (PromptTyping, Instant) {
        let now = Instant::now();
        let mut typing = PromptTyping::default();
        assert!(!typing.begin("1".into(), text.into(), vec![], now).is_empty());
        (typing, now)
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
        let (mut typing, now) = typed("fix the tests");
        assert_eq!(typing.on_screen(shown("").as_ref(), true, now), None);
        assert_eq!(typing.on_prompt("fix the tests"), None, "Enter was not pressed yet");
        assert_eq!(typing.on_screen(shown("fix the tests").as_ref(), true, now), press(false));
        assert_eq!(typing.on_screen(shown("").as_ref(), true, now), None, "an empty box is no confirmation");
        assert_eq!(typing.on_prompt("fix the tests"), confirmed());
        assert!(typing.is_idle());
    }

    #[test]
    fn a_dialog_in_the_place_of_the_box_gets_no_enter_even_if_it_shows_the_paste() {
        let (mut typing, now) = typed("fix the tests");
        assert_eq!(typing.on_screen(None, true, now), None);
        let other = shown("fix the tests").map(|found| PromptBox { focused: false, ..found });
        assert_eq!(typing.on_screen(other.as_ref(), true, now), None);
        assert_eq!(typing.on_deadline(now, || false), None);
        assert_eq!(typing.on_deadline(now + ECHO_WITHIN, || false), lost(false));
    }

    #[test]
    fn a_slow_claude_is_waited_for() {
        let (mut typing, now) = typed("fix the tests");
        let late = now + ECHO_WITHIN;
        assert_eq!(typing.on_deadline(late, || true), None);
        assert_eq!(typing.on_screen(shown("fix the tests").as_ref(), true, late), press(false));
        let (mut typing, now) = typed("fix the tests");
        assert_eq!(typing.on_deadline(now + ECHO_AT_MOST, || true), lost(false));
    }

    #[test]
    fn a_permission_request_before_enter_stops_it() {
        let (mut typing, now) = typed("fix the tests");
        assert_eq!(typing.on_screen(shown("fix the tests").as_ref(), false, now), lost(false));
    }

    #[test]
    fn a_command_is_confirmed_when_its_line_disappears_or_it_takes_effect() {
        let (mut typing, now) = typed("/status");
        assert_eq!(typing.on_screen(shown("/status").as_ref(), true, now), press(true));
        assert_eq!(typing.on_screen(shown("/status").as_ref(), true, now), None);
        assert_eq!(typing.on_screen(None, true, now), confirmed());

        let (mut typing, now) = typed("/clear");
        assert_eq!(typing.on_screen(shown("/clear").as_ref(), true, now), press(true));
        assert_eq!(typing.on_command_effect(), confirmed());
    }

    #[test]
    fn a_prompt_rewritten_by_claude_confirms_unless_other_keys_were_typed() {
        let (mut typing, now) = typed("fix the tests");
        typing.on_screen(shown("fix the tests").as_ref(), true, now);
        assert_eq!(typing.on_prompt("in other words"), confirmed());
        let (mut typing, now) = typed("fix the tests");
        typing.on_screen(shown("fix the tests").as_ref(), true, now);
        assert_eq!(typing.on_disturbed(), None);
        assert_eq!(typing.on_prompt("in other words"), None);
        assert_eq!(typing.on_prompt("fix the tests"), confirmed());
    }

    #[test]
    fn an_unconfirmed_text_is_lost_and_not_repeated() {
        let (mut typing, now) = typed("fix the tests");
        typing.on_screen(shown("fix the tests").as_ref(), true, now);
        assert_eq!(typing.on_disturbed(), None);
        assert_eq!(typing.on_deadline(now + CONFIRM_WITHIN, || true), lost(true));
        assert!(typing.is_idle());
    }

    #[test]
    fn a_key_before_enter_stops_it() {
        let (mut typing, _) = typed("fix the tests");
        assert_eq!(typing.on_disturbed(), lost(false));
    }

    #[test]
    fn images_are_pasted_one_by_one_before_the_text() {
        let now = Instant::now();
        let mut typing = PromptTyping::default();
        let images = vec!["/s/1.png".to_owned(), "/s/2.png".to_owned()];
        let first = typing.begin("1".into(), "compare them".into(), images, now);
        assert_eq!(first, prompt_text::paste("/s/1.png"));
        assert_eq!(typing.on_screen(shown("").as_ref(), true, now), None);
        assert_eq!(typing.on_screen(shown("/s/1.png").as_ref(), true, now), None);
        let paste = |text: &str| Some(Progress::Paste(prompt_text::paste(text)));
        assert_eq!(typing.on_screen(shown("[Image #3]").as_ref(), true, now), paste("/s/2.png"));
        assert_eq!(typing.on_screen(shown("[Image #3]").as_ref(), true, now), None);
        assert_eq!(
            typing.on_screen(shown("[Image #3] [Image #4]").as_ref(), true, now),
            paste("compare them")
        );
        assert_eq!(typing.on_screen(shown("[Image #3] [Image #4]").as_ref(), true, now), None);
        let all = shown("[Image #3] [Image #4] compare them");
        assert_eq!(typing.on_screen(all.as_ref(), true, now), press(false));
        assert_eq!(typing.on_prompt("[Image #3] [Image #4] compare them"), confirmed());
    }

    #[test]
    fn the_path_of_an_image_that_does_not_appear_is_never_sent_as_text() {
        let now = Instant::now();
        let mut typing = PromptTyping::default();
        typing.begin("1".into(), String::new(), vec!["/s/1.png".to_owned()], now);
        assert_eq!(typing.on_screen(shown("/s/1.png").as_ref(), true, now), None);
        assert_eq!(typing.on_deadline(now + ECHO_WITHIN, || false), lost(false));
        typing.begin("1".into(), String::new(), vec!["/s/1.png".to_owned()], now);
        assert_eq!(typing.on_screen(None, false, now), lost(false));
        typing.begin("1".into(), String::new(), vec!["/s/1.png".to_owned()], now);
        assert_eq!(typing.on_screen(shown("[Image #1]").as_ref(), true, now), press(false));
    }
}
