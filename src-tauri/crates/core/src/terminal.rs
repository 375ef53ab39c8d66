//! The protocol between a session's terminal and its client, independent of the transport.
//!
//! The client receives binary frames, each with an offset (u64, little endian) and bytes, and JSON messages
//! ([`TerminalEvent`]). Offsets count the bytes sent to this client, from 0 and without gaps, independent of
//! the program's output. A client acknowledges the offset before which it has drawn everything. It sends
//! typed input as bytes, and [`TerminalMessage`]s as JSON.

use serde::{Deserialize, Serialize};

/// The length of a frame's header, in bytes.
pub const HEADER: usize = 8;

/// The maximum number of unacknowledged bytes per client, unless a single screen is larger.
pub const WINDOW: usize = 1 << 20;

/// The maximum length of a client's message over a WebSocket, in bytes. The client splits pasted text into
/// shorter messages.
pub const CLIENT_MESSAGE_MAX: usize = 1 << 20;

/// The JSON messages for the client; `E` is the sender's error type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalEvent<E = ()> {
    /// The next frame is a full screen. The client clears its terminal, takes this size and draws the frame.
    Screen { cols: u16, rows: u16 },
    /// The terminal has a new size, which applies to all following frames.
    Size { cols: u16, rows: u16 },
    /// The program has ended; this is the last message.
    Ended,
    /// The terminal is not available; this is the last message.
    Error { error: E },
}

impl<E: Serialize> TerminalEvent<E> {
    /// Serializes the event as JSON text.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("it has only text keys")
    }
}

/// A message from the client, other than typed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalMessage {
    /// The client's size. The client receives nothing before it has sent its first size.
    Resize { cols: u16, rows: u16 },
    /// Everything before this offset has been drawn.
    Ack { offset: u64 },
    /// Whether the terminal is visible. A hidden terminal receives no output and accepts no input. When it is
    /// shown again, it starts with a full screen.
    Visible { visible: bool },
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(event: TerminalEvent<&str>, expected: Expect) {
        expected.assert_eq(&event.json());
    }

    #[test]
    fn messages_to_the_client() {
        check(
            TerminalEvent::Screen { cols: 80, rows: 24 },
            expect![[r#"{"type":"screen","cols":80,"rows":24}"#]],
        );
        check(
            TerminalEvent::Size { cols: 80, rows: 24 },
            expect![[r#"{"type":"size","cols":80,"rows":24}"#]],
        );
        check(TerminalEvent::Ended, expect![[r#"{"type":"ended"}"#]]);
        check(TerminalEvent::Error { error: "gone" }, expect![[r#"{"type":"error","error":"gone"}"#]]);
    }

    #[test]
    fn messages_from_the_client() {
        let parse = |text| serde_json::from_str::<TerminalMessage>(text).ok();
        let resize = TerminalMessage::Resize { cols: 100, rows: 30 };
        assert_eq!(parse(r#"{"type":"resize","cols":100,"rows":30}"#), Some(resize));
        assert_eq!(parse(r#"{"type":"ack","offset":5}"#), Some(TerminalMessage::Ack { offset: 5 }));
        let hidden = TerminalMessage::Visible { visible: false };
        assert_eq!(parse(r#"{"type":"visible","visible":false}"#), Some(hidden));
        for bad in ["", "{}", "[]", r#"{"type":"ack"}"#, r#"{"type":"resize","cols":-1,"rows":70000}"#] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
