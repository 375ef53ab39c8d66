//! What passes between a session's terminal and the client that draws it: the same for every transport.
//!
//! To the client go binary frames, an offset (u64, little endian) and bytes, and texts of JSON ([`Told`]).
//! Offsets count what this client was sent, from 0 and without a gap, whatever becomes of the program's output;
//! a client acknowledges the offset before which it has drawn everything. It sends what was typed as bytes and
//! [`TerminalMessage`]s as JSON.

use serde::{Deserialize, Serialize};

/// The bytes of a frame before its payload.
pub const HEADER: usize = 8;

/// Bytes that may be under way to a client: sent and not acknowledged.
pub const WINDOW: usize = 1 << 20;

/// The longest message that a client may send, in bytes: more is not typed or pasted at once.
pub const CLIENT_MESSAGE_MAX: usize = 1 << 20;

/// What the texts say; `E` is the error of whoever can tell one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Told<E = ()> {
    /// The next frame is a whole screen: forget what was drawn, take this size, draw it.
    Screen {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// The terminal has this size from here on.
    Size {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// The program has ended; nothing follows.
    Ended,
    /// The terminal cannot be had; nothing follows.
    Error {
        /// Why.
        error: E,
    },
}

impl<E: Serialize> Told<E> {
    /// As it is sent.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("it has only text keys")
    }
}

/// One message from the client, beside the bytes that the user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalMessage {
    /// Its size. Nothing is sent before the first one.
    Resize {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// Everything before this offset has been drawn.
    Ack {
        /// Of the frames' offsets.
        offset: u64,
    },
    /// Whether anybody can see it. A hidden one is sent nothing and takes no input; shown again it
    /// begins with a fresh screen.
    Visible {
        /// Whether.
        visible: bool,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(told: Told<&str>, expected: Expect) {
        expected.assert_eq(&told.json());
    }

    #[test]
    fn texts_to_the_client() {
        check(Told::Screen { cols: 80, rows: 24 }, expect![[r#"{"type":"screen","cols":80,"rows":24}"#]]);
        check(Told::Size { cols: 80, rows: 24 }, expect![[r#"{"type":"size","cols":80,"rows":24}"#]]);
        check(Told::Ended, expect![[r#"{"type":"ended"}"#]]);
        check(Told::Error { error: "gone" }, expect![[r#"{"type":"error","error":"gone"}"#]]);
    }

    #[test]
    fn texts_from_the_client() {
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
