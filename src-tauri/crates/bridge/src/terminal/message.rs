//! What passes between a host and its client about one terminal: the same for every transport.
//!
//! To the client go binary frames, an offset (u64, little endian) and bytes, and texts of JSON. Offsets
//! count what this client was sent, from 0 and without a gap, whatever becomes of the program's output;
//! a client acknowledges the offset before which it has drawn everything.

use bc_wire::ApiError;
use serde::{Deserialize, Serialize};

/// The bytes of a frame before its payload.
pub(super) const HEADER: usize = 8;

/// One message to the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A frame: the offset of its first byte (u64, little endian), then the bytes.
    Frame(Vec<u8>),
    /// JSON: see [`Told`].
    Text(String),
}

/// What the texts say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Told<'a> {
    /// The next frame is a whole screen: forget what was drawn, take this size, draw it.
    Screen { cols: u16, rows: u16 },
    /// The terminal has this size from here on.
    Size { cols: u16, rows: u16 },
    /// The program has ended; nothing follows.
    Ended,
    /// The terminal cannot be had; nothing follows.
    Error { error: &'a ApiError },
}

impl Told<'_> {
    pub(super) fn message(&self) -> Outgoing {
        Outgoing::Text(serde_json::to_string(self).expect("it has only text keys"))
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
    use bc_wire::ErrorCode;
    use expect_test::{Expect, expect};

    fn check(told: Told, expected: Expect) {
        let Outgoing::Text(text) = told.message() else { panic!("not a text") };
        expected.assert_eq(&text);
    }

    #[test]
    fn texts_to_the_client() {
        check(Told::Screen { cols: 80, rows: 24 }, expect![[r#"{"type":"screen","cols":80,"rows":24}"#]]);
        check(Told::Size { cols: 80, rows: 24 }, expect![[r#"{"type":"size","cols":80,"rows":24}"#]]);
        check(Told::Ended, expect![[r#"{"type":"ended"}"#]]);
        let error = ApiError::new(ErrorCode::SessionNotFound, "there is no such session");
        check(
            Told::Error { error: &error },
            expect![[
                r#"{"type":"error","error":{"code":"session_not_found","message":"there is no such session"}}"#
            ]],
        );
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
