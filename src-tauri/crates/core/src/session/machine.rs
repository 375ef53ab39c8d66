//! The session state machine as a pure function: every (state, event) pair is named.
//!
//! Whoever drives it persists the new state first, then performs the effects.

use serde::{Deserialize, Serialize};

/// The four states of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Made, not started.
    Draft,
    /// Claude runs.
    Active,
    /// Stopped, to be resumed.
    Paused,
    /// Ended, read-only.
    Closed,
}

/// Why a session is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// The person paused it.
    User,
    /// Claude sat idle at its prompt for too long.
    Inactivity,
    /// Claude ended by itself, `/exit` for instance.
    Exited,
    /// The process died without a pause.
    Interrupted,
    /// Another session was started where only one may be active.
    Superseded,
}

/// Why a session is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// The person ended it.
    User,
    /// Its bead moved to in review.
    InReview,
    /// A draft that nobody started.
    Abandoned,
}

/// What can happen to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// The person starts it.
    Start,
    /// It stops, to be resumed.
    Pause(PauseReason),
    /// The person resumes it.
    Resume,
    /// It ends.
    Close(CloseReason),
}

/// What is to be done once the new state is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Start claude with a new conversation.
    Launch,
    /// Start claude with the conversation that it had.
    Relaunch,
    /// End claude and every process that it left.
    Stop,
    /// Open an active interval.
    OpenInterval,
    /// End the active interval.
    CloseInterval,
}

/// The answer to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The session is now in `state`; do `effects`, in order, after that is on disk.
    Accepted {
        /// The new state.
        state: Status,
        /// What to do.
        effects: &'static [Effect],
    },
    /// The event has no place in this state; nothing changed.
    Refused {
        /// The state that refused.
        state: Status,
        /// What was refused.
        event: Event,
    },
}

/// The one answer for each state and event.
pub fn apply(state: Status, event: Event) -> Outcome {
    use Effect::{CloseInterval, Launch, OpenInterval, Relaunch, Stop};
    let accepted = |state, effects| Outcome::Accepted { state, effects };
    let refused = || Outcome::Refused { state, event };
    match (state, event) {
        (Status::Draft, Event::Start) => accepted(Status::Active, &[OpenInterval, Launch]),
        (Status::Draft, Event::Pause(_)) => refused(),
        (Status::Draft, Event::Resume) => refused(),
        (Status::Draft, Event::Close(_)) => accepted(Status::Closed, &[]),

        (Status::Active, Event::Start) => refused(),
        (Status::Active, Event::Pause(_)) => accepted(Status::Paused, &[Stop, CloseInterval]),
        (Status::Active, Event::Resume) => refused(),
        (Status::Active, Event::Close(_)) => accepted(Status::Closed, &[Stop, CloseInterval]),

        (Status::Paused, Event::Start) => refused(),
        (Status::Paused, Event::Pause(_)) => refused(),
        (Status::Paused, Event::Resume) => accepted(Status::Active, &[OpenInterval, Relaunch]),
        (Status::Paused, Event::Close(_)) => accepted(Status::Closed, &[]),

        (Status::Closed, Event::Start | Event::Pause(_) | Event::Resume | Event::Close(_)) => refused(),
    }
}
