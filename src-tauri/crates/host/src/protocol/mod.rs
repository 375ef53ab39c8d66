//! The protocol of the host's socket: the messages in its control frames.
//!
//! The first frame is a [`Hello`], which the host answers with a [`Welcome`]. A hook then sends claude's JSON
//! and gets the answer for claude. A control client sends [`Request`]s, gets [`Reply`]s and, once subscribed,
//! [`Event`]s. An attached terminal gets output frames, sends input frames and can send requests.

mod events;
pub mod replies;

pub use crate::permissions::{Card, Verdict};
pub use events::{Event, Happening};
pub use replies::{
    ApiRetry, ContextUse, Delivery, HeldState, HeldText, HostStatus, Readiness, Sent, StartQuestion, Stopped,
    TurnFailure,
};

use bc_core::{
    ids::SessionId,
    mode::PermissionMode,
    session::{CloseReason, PauseReason},
};
use bc_process::size::Size;
use serde::{Deserialize, Serialize};

/// The version of this protocol. Hooks of every version are accepted.
pub const PROTOCOL_VERSION: u32 = 1;

/// The first frame of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The sender's [`PROTOCOL_VERSION`].
    pub version: u32,
    #[serde(flatten)]
    pub role: Role,
}

/// The purpose of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Role {
    /// A claude hook, which sends one control frame with its JSON and gets one with the answer.
    Hook {
        /// The event's name in the hook's command line.
        event: String,
        /// The index among several hooks for the same event.
        #[serde(default)]
        index: usize,
    },
    /// A client for requests and events.
    Control,
    Attach {
        size: Size,
        /// The part of the terminal's state that fresh screens contain.
        view: View,
    },
}

/// The part of the terminal's state that a snapshot contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// The main screen, and the alternate screen if it is shown, for a terminal emulator.
    Whole,
    /// The visible screen, for a terminal whose main screen must be preserved.
    Visible,
}

/// The answer to a [`Hello`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "welcome", rename_all = "snake_case")]
pub enum Welcome {
    /// Accepted.
    Yes {
        /// The host's [`PROTOCOL_VERSION`].
        version: u32,
        session: SessionId,
    },
    /// The versions do not match; the connection is closed.
    OtherVersion {
        /// The host's [`PROTOCOL_VERSION`].
        version: u32,
    },
}

/// A request. The reply carries its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// A number chosen by the client.
    pub request: u64,
    #[serde(flatten)]
    pub call: Call,
}

/// A call to a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Call {
    /// Returns [`HostStatus`].
    Status,
    /// Types a prompt, or holds it in the prompt queue. Returns [`Sent`] when the outcome is known.
    Send { text: String },
    /// Removes a prompt from the queue.
    Forget { id: String },
    /// Queues a prompt again that was not confirmed or that claude returned.
    Retry { id: String },
    /// Replaces the wording of a queued prompt.
    EditText { id: String, text: String },
    MoveText {
        id: String,
        /// The id of the prompt that follows in the new order; absent for the end of the queue.
        #[serde(default)]
        before: Option<String>,
    },
    /// Makes a queued prompt the next one, and presses Esc if a turn is running. Refused while a permission
    /// request is open, because Esc would refuse it.
    SendNow { id: String },
    /// Presses Esc, which ends the turn or refuses the open permission request. Does nothing at the prompt,
    /// or just after another Esc.
    Interrupt,
    /// Decides a permission request.
    Permission { id: String, verdict: Verdict },
    /// Presses Shift+Tab at claude's prompt until claude shows the target mode. Returns that
    /// [`PermissionMode`].
    Mode {
        /// The target mode; absent for claude's next mode, except Bypass.
        #[serde(default)]
        to: Option<PermissionMode>,
    },
    /// Ends claude gracefully and changes the session's state. Then returns [`Stopped`].
    Stop {
        /// The session's next state.
        then: StopKind,
    },
    /// Subscribes to all further [`Event`]s.
    Subscribe,
    /// Reports the new size of this connection's terminal.
    Resize { size: Size },
    /// Returns [`Readiness`] when the outcome of claude's start is known.
    WaitReady,
    /// Returns the visible lines of the terminal as plain text.
    Screen,
    /// Reports that beads may have changed. The host then checks its session's beads, as it does at the end
    /// of each turn.
    BeadsChanged,
    /// Reports that files of lifecycle hooks may have changed. The host then reloads them.
    ReloadHooks,
    /// Sets how long claude may be idle.
    IdleAfter {
        /// Milliseconds; absent for no limit.
        #[serde(default)]
        ms: Option<u64>,
    },
}

/// The session's state after claude has exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopKind {
    Pause(PauseReason),
    Close(CloseReason),
}

/// The reply to the request with the number `reply`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub reply: u64,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Ok(serde_json::Value),
    Error(Refused),
}

/// Why a request was refused or failed. The message is text for users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    pub code: RefusedCode,
    pub message: String,
}

impl Refused {
    /// Creates a refusal with a message for users.
    pub fn new(code: RefusedCode, message: impl Into<String>) -> Refused {
        Refused { code, message: message.into() }
    }
}

/// The reason for a refusal, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedCode {
    /// The item does not exist, or no longer exists.
    NotFound,
    /// The text cannot be sent.
    BadText,
    /// The answer does not fit the request, which remains open.
    BadAnswer,
    /// The state of the session, of claude or of the prompt queue does not allow the request.
    State,
    DiskFull,
    /// Another disk or system error.
    Failed,
    /// The session's place cannot be reached. Only a link returns this code.
    Unreachable,
}

/// Announces the terminal's complete state, which follows in output frames. It replaces everything drawn so
/// far, including an earlier incomplete fresh screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshScreen {
    pub fresh_screen: Size,
    /// The size of the state in the following output frames, in bytes. All these frames carry the offset at
    /// which live output continues.
    pub bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt_state::Activity;

    fn round_trip<T: Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) {
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }

    #[test]
    fn messages_survive_a_round_trip() {
        round_trip(Hello { version: 1, role: Role::Hook { event: "Stop".into(), index: 2 } });
        round_trip(Hello { version: 1, role: Role::Attach { size: Size::default(), view: View::Whole } });
        round_trip(Request { request: 1, call: Call::Stop { then: StopKind::Pause(PauseReason::User) } });
        round_trip(Request { request: 2, call: Call::Status });
        round_trip(Reply { reply: 1, outcome: Outcome::Ok(serde_json::json!({"a": 1})) });
        round_trip(Reply { reply: 1, outcome: Outcome::Error(Refused::new(RefusedCode::State, "no")) });
        round_trip(Event { seq: 3, what: Happening::Activity { activity: Activity::Idle } });
        round_trip(Readiness::Quiet { screen: "trust?".into() });
    }
}
