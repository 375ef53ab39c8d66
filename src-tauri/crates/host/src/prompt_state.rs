//! Whether claude is known to be at its prompt: the one place that decides if a text may be typed.
//!
//! Pure: hooks, the transcript and what we typed come in as facts. Everything that is not surely "at
//! the prompt" holds a text back, for an Enter must never answer a dialog.

use serde::{Deserialize, Serialize};

/// What claude is doing, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It has not said anything yet.
    Starting,
    /// It asks something in its terminal before it begins: whether the folder is trusted, for a login.
    AsksAtStart,
    /// At its prompt.
    Idle,
    /// In a turn.
    Working,
    /// It asks for a permission.
    WaitingPermission,
    /// A dialog may be open, or something stands in its input box.
    Unknown,
    /// It has ended.
    Gone,
}

/// Why a text is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// No hook was heard yet.
    #[error("claude has not reported itself ready yet")]
    Starting,
    /// A turn runs.
    #[error("claude is working; the text goes out when the turn is over")]
    Working,
    /// A prompt was queued during the turn that has ended and may be running now.
    #[error(
        "a prompt that was queued in claude's terminal may be running; the text goes out after claude's next turn"
    )]
    Queued,
    /// A permission dialog is open.
    #[error("claude waits for a permission; the text goes out when that is decided and the turn is over")]
    Permission,
    /// An attached terminal wrote since the last turn.
    #[error(
        "somebody typed into claude's terminal; the text goes out once claude's input box is empty, or after its next turn"
    )]
    TerminalTyped,
    /// A command was sent, and nothing says that its dialog is closed.
    #[error(
        "a /command was sent and may have opened a dialog; the text goes out once claude is at its prompt again"
    )]
    CommandOpen,
    /// Esc was pressed before claude had answered anything: the prompt is in the input box again.
    #[error("the stopped prompt stands in claude's input box; send it or clear it in the terminal")]
    Interrupted,
    /// It has not begun: something is asked first.
    #[error("claude asks something in its terminal first; the text goes out when that is answered")]
    AsksAtStart,
    /// A pasted text did not show up.
    #[error("the last text did not show up at claude's prompt; look at the terminal")]
    PasteLost,
    /// Claude ends or has ended.
    #[error("claude has ended; the text goes out when the session is resumed")]
    Gone,
}

/// Why claude's SessionStart hook ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The program started, with a new or an earlier conversation.
    Started,
    /// `/clear`.
    Cleared,
    /// A compaction, in the middle of a turn or not.
    Compacted,
}

/// What can be learned about claude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Hook SessionStart.
    SessionStarted(Source),
    /// Hook UserPromptSubmit.
    PromptSubmitted,
    /// A hook of the main agent that only runs within a turn.
    TurnGoesOn,
    /// Hooks Stop and StopFailure of the main agent.
    TurnEnded,
    /// The transcript says that the person interrupted the turn.
    TurnInterrupted,
    /// After an Esc claude draws its input box again, with this in it.
    TurnUndone(InBox),
    /// Claude is seen at its prompt with nothing in its input box.
    BoxEmpty,
    /// It went quiet with something on the screen before any hook was heard.
    AsksAtStart,
    /// Hook Notification: claude has been at its prompt for a minute.
    IdleNotified,
    /// Hook SessionEnd.
    SessionEnded,
    /// Hook PermissionRequest.
    PermissionAsked,
    /// A request was decided or withdrawn.
    PermissionClosed,
    /// An attached terminal wrote what was not automatic.
    TerminalTyped,
    /// An attached terminal wrote the beginning of what may be either.
    TerminalUndecided(bool),
    /// We sent a text that begins with `/`.
    CommandSent,
    /// Esc was sent, by us or in an attached terminal.
    InterruptSent,
    /// We pasted a text and it did not show up.
    PasteLost,
    /// The program ended.
    Exited,
}

/// What stands in claude's input box after a turn was undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InBox {
    /// Nothing, or what a person typed there, which is known by itself.
    Nothing,
    /// Nobody knows yet, or what nobody of ours can take out.
    Something,
    /// The prompt that was stopped; it is taken out before the next text is typed.
    Prompt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Starting,
    Asking,
    Idle,
    Working,
    Ending,
    Gone,
}

/// What is known about claude; see the module.
#[derive(Debug, Clone)]
pub(crate) struct PromptState {
    turn: Turn,
    /// An opening prompt was passed as an argument: the start is the beginning of a turn.
    opening: bool,
    permissions: usize,
    typed: bool,
    undecided: bool,
    command: bool,
    left: InBox,
    lost: bool,
    queue: Queue,
}

/// Prompts that a person submits while claude works: claude announces them when they are queued and
/// may begin them, without a word, when the turn has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Queue {
    Empty,
    Waiting,
    MayRun,
}

impl PromptState {
    /// Before the program has said anything.
    pub(crate) fn new(opening_prompt: bool) -> PromptState {
        PromptState {
            turn: Turn::Starting,
            opening: opening_prompt,
            permissions: 0,
            typed: false,
            undecided: false,
            command: false,
            left: InBox::Nothing,
            lost: false,
            queue: Queue::Empty,
        }
    }

    /// Learns a fact.
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
                self.left = InBox::Nothing;
            }
            Fact::TurnGoesOn => self.turn = Turn::Working,
            Fact::TurnEnded => {
                self.forget_doubts();
                self.turn = Turn::Idle;
                self.opening = false;
                self.queue = if self.queue == Queue::Waiting { Queue::MayRun } else { Queue::Empty };
            }
            // What was queued runs at once when the turn before it is interrupted.
            Fact::TurnInterrupted => {
                self.end_of_turn();
                self.left = InBox::Nothing;
            }
            Fact::TurnUndone(left) => {
                self.end_of_turn();
                self.left = left;
                // Nothing but Esc was pressed since, or it would not be known as the prompt.
                self.typed &= left != InBox::Prompt;
            }
            Fact::BoxEmpty if self.turn == Turn::Idle => {
                self.forget_doubts();
                self.queue = Queue::Empty;
            }
            Fact::BoxEmpty => {}
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
                if self.left == InBox::Prompt {
                    self.left = InBox::Something;
                }
            }
            Fact::TerminalUndecided(undecided) => self.undecided = undecided,
            Fact::CommandSent => self.command = true,
            // At the prompt it does nothing, or closes a dialog that is doubted anyway.
            Fact::InterruptSent if self.turn == Turn::Working => self.left = InBox::Something,
            Fact::InterruptSent => {}
            Fact::PasteLost => self.lost = true,
            Fact::Exited => self.turn = Turn::Gone,
        }
    }

    fn end_of_turn(&mut self) {
        self.turn = Turn::Idle;
        self.opening = false;
        if self.queue == Queue::Waiting {
            self.queue = Queue::MayRun;
        }
    }

    fn forget_doubts(&mut self) {
        self.typed = false;
        self.command = false;
        self.left = InBox::Nothing;
        self.lost = false;
    }

    /// Whether a turn runs.
    pub(crate) fn works(&self) -> bool {
        self.turn == Turn::Working
    }

    /// Whether the last turn is over and no other one can have begun.
    pub(crate) fn is_between_turns(&self) -> bool {
        self.turn == Turn::Idle && self.permissions == 0 && self.queue == Queue::Empty
    }

    /// Whether claude is at its prompt but for what a look at its input box could settle.
    pub(crate) fn doubts_box(&self) -> bool {
        self.turn == Turn::Idle && self.permissions == 0 && self.may_type().is_err()
    }

    /// Whether a text may be typed now, and if not, why.
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
            (self.queue == Queue::MayRun, Hold::Queued),
            (self.left != InBox::Nothing, Hold::Interrupted),
            (self.lost, Hold::PasteLost),
            (self.command, Hold::CommandOpen),
            (self.typed || self.undecided, Hold::TerminalTyped),
        ];
        match holds.into_iter().find(|(applies, _)| *applies) {
            Some((_, hold)) => Err(hold),
            None => Ok(()),
        }
    }

    /// Why a text that is sent now would be held; `None` where it would go out, if only after the
    /// stopped prompt was taken out of claude's input box.
    pub(crate) fn hold(&self) -> Option<Hold> {
        let ours = self.left == InBox::Prompt;
        self.may_type().err().filter(|hold| !(ours && *hold == Hold::Interrupted))
    }

    /// What claude is doing.
    pub(crate) fn activity(&self) -> Activity {
        match (self.turn, self.hold()) {
            (Turn::Gone | Turn::Ending, _) => Activity::Gone,
            (Turn::Starting, _) => Activity::Starting,
            (Turn::Asking, _) => Activity::AsksAtStart,
            (_, Some(Hold::Permission)) => Activity::WaitingPermission,
            (_, Some(Hold::Working)) => Activity::Working,
            (_, Some(_)) => Activity::Unknown,
            (_, None) => Activity::Idle,
        }
    }
}

#[cfg(test)]
mod tests;
