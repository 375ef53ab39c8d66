//! Decides whether claude is known to be at its prompt, without which no prompt may be typed.
//! In every other state, prompts are held, because an Enter must never answer a dialog.
//!
//! Performs no I/O: hook events, the transcript, the screen and the terminal's input are passed in as facts.

use serde::{Deserialize, Serialize};

/// Claude's activity, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// No hook of claude has reported yet.
    Starting,
    /// Claude asks a question before it starts, such as whether to trust the folder or how to log in.
    AsksAtStart,
    Idle,
    /// Claude is working on a turn.
    Working,
    /// A permission request is open.
    WaitingPermission,
    /// A dialog or another view replaces the input box in claude's terminal.
    DialogOpen,
    /// A dialog may be open, a queued prompt may be running, or the input box may not be empty.
    Unknown,
    /// Claude is exiting or has exited.
    Gone,
}

/// Why a prompt is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// No hook has reported yet.
    #[error("claude is not ready yet")]
    Starting,
    /// A turn is running.
    #[error("claude is working; the text is sent when the turn ends")]
    Working,
    /// A prompt was queued during the last turn and may be running now.
    #[error("a prompt queued in claude's terminal may be running; the text is sent after claude's next turn")]
    Queued,
    /// A permission dialog is open.
    #[error("claude waits for a permission; the text is sent when that is decided and the turn has ended")]
    Permission,
    /// Claude's input box is not on the screen.
    #[error("a dialog is open in claude's terminal; the text is sent when it is closed there")]
    DialogOpen,
    /// An attached terminal sent input since the last turn, or the input box contains a draft.
    #[error(
        "claude's terminal has new input; the text is sent when claude's input box is empty, or after its next turn"
    )]
    TerminalTyped,
    /// The host sent a `/command` or pressed Shift+Tab, and a dialog may be open.
    #[error("a /command may have opened a dialog; the text is sent when claude is at its prompt again")]
    CommandOpen,
    /// Esc was pressed during a turn: the input box may contain the stopped prompt or other text.
    #[error("the stopped prompt is in claude's input box; send it or clear it in the terminal")]
    Interrupted,
    /// Claude asks a question before it starts.
    #[error("claude asks a question in its terminal; the text is sent when it is answered")]
    AsksAtStart,
    /// The last text did not appear, was not confirmed, or could not be saved.
    #[error("the last text did not appear at claude's prompt; check the terminal")]
    PasteLost,
    /// Claude is exiting or has exited.
    #[error("claude has ended; the text is sent when the session is resumed")]
    Gone,
}

/// The cause of claude's SessionStart hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Claude started with a new or an existing conversation.
    Started,
    /// `/clear`.
    Cleared,
    /// A compaction, possibly during a turn.
    Compacted,
}

/// A fact about claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The SessionStart hook.
    SessionStarted(Source),
    /// The UserPromptSubmit hook.
    PromptSubmitted,
    /// A hook of the main agent that only runs during a turn.
    TurnGoesOn,
    /// The main agent's Stop or StopFailure hook.
    TurnEnded,
    /// The transcript reports that the user interrupted the turn.
    TurnInterrupted,
    /// After an Esc, claude shows its input box again, with this content.
    TurnUndone(InBox),
    /// Claude is at its prompt with an empty input box.
    BoxEmpty,
    /// Claude's input box is on the screen.
    BoxShown,
    /// Something other than the input box has been in its place for a moment.
    BoxHidden,
    /// Claude went quiet with content on the screen before any hook reported.
    AsksAtStart,
    /// The Notification hook: claude has been at its prompt for a minute.
    IdleNotified,
    /// The SessionEnd hook.
    SessionEnded,
    /// The PermissionRequest hook.
    PermissionAsked,
    /// A request was decided or withdrawn.
    PermissionClosed,
    /// An attached terminal sent input that was not automatic, or the input box contains a draft.
    TerminalTyped,
    /// Whether an attached terminal sent an incomplete sequence that may be typed or automatic.
    TerminalUndecided(bool),
    /// The host sent a `/command`, or a mode change that claude did not show.
    CommandSent,
    /// Esc was sent by the host, or Esc or Ctrl+C in an attached terminal.
    InterruptSent,
    /// The host's last text did not appear, was not confirmed, or could not be saved.
    PasteLost,
    Exited,
}

/// The content of claude's input box after an undone turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum InBox {
    /// No content, or a draft of the user that is known from other facts.
    #[default]
    Nothing,
    /// Unknown content, or content that the host cannot clear.
    Something,
    /// The stopped prompt, which is cleared before the next text is typed.
    Prompt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Turn {
    #[default]
    Starting,
    Asking,
    Idle,
    Working,
    Ending,
    Gone,
}

/// The known state of claude; see the [module](self).
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptState {
    turn: Turn,
    /// Whether claude starts with a turn for its opening prompt, which no hook has reported yet.
    opening: bool,
    permissions: usize,
    typed: bool,
    undecided: bool,
    command: bool,
    /// Whether something other than claude's input box is in its place on the screen. The end of a turn does
    /// not change this.
    hidden: bool,
    in_box: InBox,
    lost: bool,
    queue: Queue,
}

/// Prompts that a user submits while claude works. Claude reports them when they are queued, and may start
/// them without a further report when the turn has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Queue {
    #[default]
    Empty,
    Waiting,
    MayRun,
}

impl PromptState {
    /// The state before any fact about claude. `opening_prompt`: whether claude starts with a turn.
    pub(crate) fn new(opening_prompt: bool) -> PromptState {
        PromptState { opening: opening_prompt, ..PromptState::default() }
    }

    pub(crate) fn apply(&mut self, fact: Fact) {
        if self.turn == Turn::Gone {
            return;
        }
        match fact {
            Fact::SessionStarted(source) => {
                self.forget_doubts();
                self.queue = Queue::Empty;
                self.turn = match (source, self.turn) {
                    (Source::Started, _) if self.opening => Turn::Working,
                    (Source::Compacted, Turn::Working) => Turn::Working,
                    (Source::Started | Source::Cleared | Source::Compacted, _) => Turn::Idle,
                };
            }
            Fact::PromptSubmitted => {
                self.queue = match (self.turn, self.opening) {
                    (Turn::Working, false) => Queue::Waiting,
                    _ => Queue::Empty,
                };
                self.turn = Turn::Working;
                self.opening = false;
                self.in_box = InBox::Nothing;
            }
            Fact::TurnGoesOn => self.turn = Turn::Working,
            Fact::TurnEnded => {
                self.forget_doubts();
                self.turn = Turn::Idle;
                self.opening = false;
                self.queue = if self.queue == Queue::Waiting { Queue::MayRun } else { Queue::Empty };
            }
            // A queued prompt starts immediately when the preceding turn is interrupted.
            Fact::TurnInterrupted => {
                self.end_turn();
                self.in_box = InBox::Nothing;
            }
            Fact::TurnUndone(in_box) => {
                self.end_turn();
                self.in_box = in_box;
                // Only Esc was pressed since the prompt; otherwise the prompt would not have been recognized.
                self.typed &= in_box != InBox::Prompt;
            }
            Fact::BoxEmpty if self.turn == Turn::Idle => {
                self.forget_doubts();
                self.hidden = false;
                self.queue = Queue::Empty;
            }
            Fact::BoxEmpty => {}
            Fact::BoxShown => self.hidden = false,
            Fact::BoxHidden => self.hidden = true,
            Fact::AsksAtStart if self.turn == Turn::Starting => self.turn = Turn::Asking,
            Fact::AsksAtStart => {}
            Fact::IdleNotified => {
                self.turn = Turn::Idle;
                self.opening = false;
                self.queue = Queue::Empty;
            }
            Fact::SessionEnded => self.turn = Turn::Ending,
            Fact::PermissionAsked => self.permissions += 1,
            Fact::PermissionClosed => self.permissions = self.permissions.saturating_sub(1),
            Fact::TerminalTyped => {
                self.typed = true;
                if self.in_box == InBox::Prompt {
                    self.in_box = InBox::Something;
                }
            }
            Fact::TerminalUndecided(undecided) => self.undecided = undecided,
            Fact::CommandSent => self.command = true,
            // At the prompt, Esc has no effect or closes a dialog. Whether a dialog is open remains
            // uncertain.
            Fact::InterruptSent if self.turn == Turn::Working => self.in_box = InBox::Something,
            Fact::InterruptSent => {}
            Fact::PasteLost => self.lost = true,
            Fact::Exited => self.turn = Turn::Gone,
        }
    }

    fn end_turn(&mut self) {
        self.turn = Turn::Idle;
        self.opening = false;
        if self.queue == Queue::Waiting {
            self.queue = Queue::MayRun;
        }
    }

    fn forget_doubts(&mut self) {
        self.typed = false;
        self.command = false;
        self.in_box = InBox::Nothing;
        self.lost = false;
    }

    /// Whether a turn is running.
    pub(crate) fn works(&self) -> bool {
        self.turn == Turn::Working
    }

    /// Whether the last turn has ended and no other turn can have begun.
    pub(crate) fn is_between_turns(&self) -> bool {
        self.turn == Turn::Idle && self.permissions == 0 && self.queue == Queue::Empty
    }

    /// Whether only a check of the input box can determine that claude is at its prompt.
    pub(crate) fn doubts_box(&self) -> bool {
        self.turn == Turn::Idle && self.permissions == 0 && self.may_type().is_err()
    }

    /// Checks whether a prompt may be typed now. Returns the reason if it must be held.
    pub(crate) fn may_type(&self) -> Result<(), Hold> {
        match self.turn {
            Turn::Ending | Turn::Gone => return Err(Hold::Gone),
            Turn::Starting => return Err(Hold::Starting),
            Turn::Asking => return Err(Hold::AsksAtStart),
            Turn::Idle | Turn::Working => {}
        }
        let holds = [
            (self.permissions > 0, Hold::Permission),
            (self.turn == Turn::Working, Hold::Working),
            (self.hidden, Hold::DialogOpen),
            (self.queue == Queue::MayRun, Hold::Queued),
            (self.in_box != InBox::Nothing, Hold::Interrupted),
            (self.lost, Hold::PasteLost),
            (self.command, Hold::CommandOpen),
            (self.typed || self.undecided, Hold::TerminalTyped),
        ];
        holds.into_iter().find(|(applies, _)| *applies).map_or(Ok(()), |(_, hold)| Err(hold))
    }

    /// The reason for holding a prompt now. `None` if it would be sent, possibly after the stopped prompt
    /// is cleared from claude's input box.
    pub(crate) fn hold(&self) -> Option<Hold> {
        let ours = self.in_box == InBox::Prompt;
        self.may_type().err().filter(|hold| !(ours && *hold == Hold::Interrupted))
    }

    pub(crate) fn activity(&self) -> Activity {
        match (self.turn, self.hold()) {
            (Turn::Gone | Turn::Ending, _) => Activity::Gone,
            (Turn::Starting, _) => Activity::Starting,
            (Turn::Asking, _) => Activity::AsksAtStart,
            (_, Some(Hold::Permission)) => Activity::WaitingPermission,
            (_, Some(Hold::Working)) => Activity::Working,
            (_, Some(Hold::DialogOpen)) => Activity::DialogOpen,
            (_, Some(_)) => Activity::Unknown,
            (_, None) => Activity::Idle,
        }
    }
}

#[cfg(test)]
mod tests;
