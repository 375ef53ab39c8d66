//! What is said on the host's socket, in control frames.
//!
//! The first frame is a [`Hello`]; the host answers with a [`Welcome`]. A hook then sends claude's
//! JSON and gets the answer for claude; a control client sends [`Request`]s and gets [`Reply`]s and,
//! once subscribed, [`Event`]s; an attached terminal gets output frames and sends input frames, and
//! may send requests as well. A server sends one input frame, with the descriptor of a browser's connection beside
//! it, and nothing more.

pub mod answers;
mod events;

pub use crate::permissions::{Card, Verdict};
pub use answers::{ContextUse, Delivery, HeldState, HeldText, HostStatus, Readiness, Sent, Stopped};
pub use events::{Event, Happening};

use bc_core::{
    ids::SessionId,
    mode::PermissionMode,
    session::{CloseReason, PauseReason},
};
use bc_process::size::Size;
use serde::{Deserialize, Serialize};

/// The version of this protocol. Hooks are heard in any version.
pub const PROTOCOL_VERSION: u32 = 1;

/// The first frame of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL_VERSION`] of the speaker.
    pub version: u32,
    /// What it wants to be.
    #[serde(flatten)]
    pub role: Role,
}

/// What a connection is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Role {
    /// A hook of claude: one control frame with its JSON follows, one with the answer comes back.
    Hook {
        /// The event's name as the hook's command line has it.
        event: String,
        /// Which of several entries of the same event this is.
        #[serde(default)]
        index: usize,
    },
    /// Requests and events.
    Control,
    /// A terminal.
    Attach {
        /// Its size.
        size: Size,
        /// Which part of the terminal's state it wants at first and after it fell behind.
        view: View,
    },
    /// A server that hands over the connection of a browser, and by its own lets the host know how long it is
    /// there: see [`crate::web`].
    Browser,
}

/// Which part of the terminal's state a snapshot has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// Main and alternate screen: for an emulator of its own.
    Whole,
    /// What is visible: for a terminal whose main screen belongs to somebody else.
    Visible,
}

/// The answer to a [`Hello`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "welcome", rename_all = "snake_case")]
pub enum Welcome {
    /// Go on.
    Yes {
        /// The host's [`PROTOCOL_VERSION`].
        version: u32,
        /// Which session it is.
        session: SessionId,
    },
    /// The versions do not fit; the connection is closed.
    OtherVersion {
        /// The host's [`PROTOCOL_VERSION`].
        version: u32,
    },
}

/// A request; the reply carries its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The client's own numbering.
    pub request: u64,
    /// What is wanted.
    #[serde(flatten)]
    pub call: Call,
}

/// What can be asked of a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Call {
    /// [`HostStatus`].
    Status,
    /// Types a text or holds it; [`Sent`], once that is known.
    Send {
        /// The text.
        text: String,
    },
    /// Drops a text that is held or was not confirmed.
    Forget {
        /// Its id.
        id: String,
    },
    /// Holds a text that was not confirmed for another try.
    Retry {
        /// Its id.
        id: String,
    },
    /// Presses Esc.
    Interrupt,
    /// Decides a permission request.
    Permission {
        /// Its id.
        id: String,
        /// What is decided.
        verdict: Verdict,
    },
    /// Presses Shift+Tab at claude's prompt, once or until this mode is there; the
    /// [`PermissionMode`] that claude shows then.
    Mode {
        /// The mode that is wanted; without one it is claude's next, but never Bypass.
        #[serde(default)]
        to: Option<PermissionMode>,
    },
    /// Ends claude in order, then the session's state changes, then comes the reply ([`Stopped`]).
    Stop {
        /// What becomes of the session.
        then: StopKind,
    },
    /// Sends [`Event`]s from now on.
    Subscribe,
    /// The terminal of this connection has a new size.
    Resize {
        /// The size.
        size: Size,
    },
    /// [`Readiness`], once it is known.
    WaitReady,
    /// The visible lines of the terminal as plain text.
    Screen,
    /// Beads may have changed: the host looks what became of its session's. It does so by itself when
    /// a turn is over.
    BeadsChanged,
    /// Files with lifecycle hooks may have changed: they are read anew.
    ReloadHooks,
    /// How long claude may sit at its prompt, from now on.
    IdleAfter {
        /// Milliseconds; absent for ever.
        #[serde(default)]
        ms: Option<u64>,
    },
}

/// What becomes of a session whose claude is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopKind {
    /// It is paused.
    Pause(PauseReason),
    /// It is closed.
    Close(CloseReason),
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The request's number.
    pub reply: u64,
    /// What was wanted, or why not.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a request went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Done.
    Ok(serde_json::Value),
    /// Not done.
    Error(Refused),
}

/// Why a request was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// For programs.
    pub code: RefusedCode,
    /// For people.
    pub message: String,
}

/// Why a request was not done, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedCode {
    /// What it names is not there (any more).
    NotFound,
    /// The text cannot be sent.
    BadText,
    /// The session's state forbids it, or claude is being ended.
    State,
    /// Something failed on disk or in the system.
    Failed,
}

/// The terminal's whole state follows in output frames and replaces what was drawn before, an earlier
/// fresh screen that was not complete yet included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshScreen {
    /// The size that it is drawn for.
    pub fresh_screen: Size,
    /// How many bytes of the following output frames it takes; they all carry the offset from which
    /// the live output goes on.
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
    fn what_is_said_is_understood() {
        round_trip(Hello { version: 1, role: Role::Hook { event: "Stop".into(), index: 2 } });
        round_trip(Hello { version: 1, role: Role::Attach { size: Size::default(), view: View::Whole } });
        round_trip(Request { request: 1, call: Call::Stop { then: StopKind::Pause(PauseReason::User) } });
        round_trip(Request { request: 2, call: Call::Status });
        round_trip(Reply { reply: 1, outcome: Outcome::Ok(serde_json::json!({"a": 1})) });
        let refused = Refused { code: RefusedCode::State, message: "no".into() };
        round_trip(Reply { reply: 1, outcome: Outcome::Error(refused) });
        round_trip(Event { seq: 3, what: Happening::Activity { activity: Activity::Idle } });
        round_trip(Readiness::Quiet { screen: "trust?".into() });
    }
}
