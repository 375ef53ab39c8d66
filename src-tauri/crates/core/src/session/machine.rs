//! The session state machine as a pure function that handles every (state, event) pair explicitly.
//!
//! The caller persists the new state first, then performs the effects.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The state of a session; [`apply`] defines the transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Created but not started.
    Draft,
    /// Claude is running.
    Active,
    /// Stopped; it can be resumed.
    Paused,
    /// Ended and read-only.
    Closed,
}

/// Why a session is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    User,
    /// Claude was idle at its prompt for too long.
    Inactivity,
    /// Claude exited, for example after `/exit`.
    Exited,
    /// The session's host died or was asked to end, or the runner failed.
    Interrupted,
    /// Another session started, and only one may be active.
    Superseded,
}

/// Why a session is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    User,
    /// The session's bead moved to in review.
    InReview,
    /// A draft that was never started.
    Abandoned,
}

/// An event of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    Start,
    /// The session stops and can be resumed.
    Pause(PauseReason),
    Resume,
    Close(CloseReason),
}

/// An action to perform once the new state is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Start claude with a new conversation.
    Launch,
    /// Start claude with its previous conversation.
    Relaunch,
    /// End claude and all of its processes.
    Stop,
    OpenInterval,
    /// End the active interval.
    CloseInterval,
}

/// An event that is not valid in a state. The error message names the possible actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a session that is {state} cannot be {}: {}", event.participle(), advice(*state))]
pub struct Refusal {
    pub state: Status,
    pub event: Event,
}

/// The result of applying an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The session is now in `state`. Perform `effects` in order once the new state is on disk.
    Accepted { state: Status, effects: &'static [Effect] },
    /// The event is not valid in this state; nothing changed.
    Refused(Refusal),
}

impl Status {
    /// Every state, in the order of a session's life cycle.
    pub const ALL: [Status; 4] = [Status::Draft, Status::Active, Status::Paused, Status::Closed];

    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Draft => "draft",
            Status::Active => "active",
            Status::Paused => "paused",
            Status::Closed => "closed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PauseReason {
    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            PauseReason::User => "user",
            PauseReason::Inactivity => "inactivity",
            PauseReason::Exited => "exited",
            PauseReason::Interrupted => "interrupted",
            PauseReason::Superseded => "superseded",
        }
    }
}

impl CloseReason {
    /// The name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            CloseReason::User => "user",
            CloseReason::InReview => "in_review",
            CloseReason::Abandoned => "abandoned",
        }
    }
}

impl Event {
    fn participle(self) -> &'static str {
        match self {
            Event::Start => "started",
            Event::Pause(_) => "paused",
            Event::Resume => "resumed",
            Event::Close(_) => "ended",
        }
    }
}

fn advice(state: Status) -> &'static str {
    match state {
        Status::Draft => "start it, or end it",
        Status::Active => "pause it, or end it",
        Status::Paused => "resume it, or end it",
        Status::Closed => "it is read-only; start a new one",
    }
}

/// Applies an event to a state.
pub fn apply(state: Status, event: Event) -> Outcome {
    use Effect::{CloseInterval, Launch, OpenInterval, Relaunch, Stop};
    let accepted = |state, effects| Outcome::Accepted { state, effects };
    let refused = || Outcome::Refused(Refusal { state, event });
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const REASONS: [PauseReason; 5] = [
        PauseReason::User,
        PauseReason::Inactivity,
        PauseReason::Exited,
        PauseReason::Interrupted,
        PauseReason::Superseded,
    ];
    const ENDS: [CloseReason; 3] = [CloseReason::User, CloseReason::InReview, CloseReason::Abandoned];

    fn events() -> Vec<Event> {
        let pauses = REASONS.into_iter().map(Event::Pause);
        let closes = ENDS.into_iter().map(Event::Close);
        [Event::Start, Event::Resume].into_iter().chain(pauses).chain(closes).collect()
    }

    #[test]
    fn every_state_has_one_answer_to_every_event() {
        use Effect::{CloseInterval, Launch, OpenInterval, Relaunch, Stop};
        type Answer = Option<(Status, &'static [Effect])>;
        // The columns are start, pause, resume and close.
        let table: [(Status, [Answer; 4]); 4] = [
            (
                Status::Draft,
                [Some((Status::Active, &[OpenInterval, Launch])), None, None, Some((Status::Closed, &[]))],
            ),
            (
                Status::Active,
                [
                    None,
                    Some((Status::Paused, &[Stop, CloseInterval])),
                    None,
                    Some((Status::Closed, &[Stop, CloseInterval])),
                ],
            ),
            (
                Status::Paused,
                [None, None, Some((Status::Active, &[OpenInterval, Relaunch])), Some((Status::Closed, &[]))],
            ),
            (Status::Closed, [None; 4]),
        ];
        for (state, answers) in table {
            for event in events() {
                let column = match event {
                    Event::Start => 0,
                    Event::Pause(_) => 1,
                    Event::Resume => 2,
                    Event::Close(_) => 3,
                };
                let expect = match answers[column] {
                    Some((state, effects)) => Outcome::Accepted { state, effects },
                    None => Outcome::Refused(Refusal { state, event }),
                };
                assert_eq!(apply(state, event), expect, "{state} and {event:?}");
            }
        }
    }

    #[test]
    fn a_refusal_names_the_possible_actions() {
        let refusal = Refusal { state: Status::Closed, event: Event::Resume };
        assert_eq!(
            refusal.to_string(),
            "a session that is closed cannot be resumed: it is read-only; start a new one"
        );
        let refusal = Refusal { state: Status::Paused, event: Event::Pause(PauseReason::User) };
        assert_eq!(refusal.to_string(), "a session that is paused cannot be paused: resume it, or end it");
    }

    #[test]
    fn state_names_match_the_file_format() {
        let word = |value: serde_json::Value| value.as_str().unwrap().to_owned();
        for status in Status::ALL {
            assert_eq!(word(serde_json::to_value(status).unwrap()), status.as_str());
        }
        for reason in REASONS {
            assert_eq!(word(serde_json::to_value(reason).unwrap()), reason.as_str());
        }
        for reason in ENDS {
            assert_eq!(word(serde_json::to_value(reason).unwrap()), reason.as_str());
        }
    }

    proptest! {
        /// After any sequence of events, claude runs exactly while the session is active, and its intervals
        /// open and close alternately.
        #[test]
        fn effects_match_the_state(steps in prop::collection::vec(prop::sample::select(events()), 0..40)) {
            let (mut state, mut runs, mut open) = (Status::Draft, false, false);
            for event in steps {
                let Outcome::Accepted { state: next, effects } = apply(state, event) else { continue };
                prop_assert!(state != Status::Closed, "a closed session accepted {:?}", event);
                for effect in effects {
                    let (slot, to) = match effect {
                        Effect::Launch | Effect::Relaunch => (&mut runs, true),
                        Effect::Stop => (&mut runs, false),
                        Effect::OpenInterval => (&mut open, true),
                        Effect::CloseInterval => (&mut open, false),
                    };
                    prop_assert_eq!(*slot, !to, "{:?} came twice", effect);
                    *slot = to;
                }
                state = next;
                prop_assert_eq!((runs, open), (state == Status::Active, state == Status::Active));
            }
        }
    }
}
