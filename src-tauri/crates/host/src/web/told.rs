//! What a browser is sent, and how much it may be sent: pure bookkeeping.
//!
//! Invariant: what was sent and not yet drawn stays within the window, unless a single screen is larger.

use bc_core::terminal::{HEADER, Told, WINDOW};
use bc_process::size::Size;
use tungstenite::protocol::{
    CloseFrame,
    frame::{
        Frame, FrameHeader,
        coding::{CloseCode, Data, OpCode},
    },
};

/// A frame's head at its longest.
const HEAD_MAX: usize = 10;

/// How far a browser has come.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    sent: u64,
    drawn: u64,
}

impl Progress {
    /// Whether so many bytes of the terminal may be sent now.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        let under_way = self.sent - self.drawn;
        under_way == 0 || under_way + bytes as u64 <= WINDOW as u64
    }

    /// Whether all that was sent was drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        self.sent == self.drawn
    }

    /// Everything before this offset was drawn.
    pub(crate) fn drawn(&mut self, offset: u64) {
        self.drawn = offset.clamp(self.drawn, self.sent);
    }

    /// A message with these bytes of the terminal, which come after all that were sent.
    pub(crate) fn message(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut message = Vec::with_capacity(HEAD_MAX + HEADER + bytes.len());
        let head = FrameHeader { opcode: OpCode::Data(Data::Binary), ..FrameHeader::default() };
        head.format((HEADER + bytes.len()) as u64, &mut message).expect("a vector takes everything");
        message.extend_from_slice(&self.sent.to_le_bytes());
        message.extend_from_slice(bytes);
        self.sent += bytes.len() as u64;
        message
    }
}

/// That the next message with bytes is a whole screen.
pub(crate) fn screen(size: Size) -> Vec<u8> {
    text(&Told::Screen { cols: size.cols(), rows: size.rows() })
}

/// That the program has ended.
pub(crate) fn ended() -> Vec<u8> {
    text(&Told::Ended)
}

fn text(told: &Told) -> Vec<u8> {
    framed(Frame::message(told.json(), OpCode::Data(Data::Text), true))
}

/// The message that ends the connection.
pub(crate) fn goodbye(code: CloseCode, why: &'static str) -> Vec<u8> {
    framed(Frame::close(Some(CloseFrame { code, reason: why.into() })))
}

fn framed(frame: Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame.format(&mut bytes).expect("a vector takes everything");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};
    use tungstenite::{Message, WebSocket, protocol::Role};

    /// As a browser reads it.
    fn read(bytes: Vec<u8>) -> Message {
        let mut all = Vec::new();
        Cursor::new(bytes).read_to_end(&mut all).unwrap();
        WebSocket::from_raw_socket(Cursor::new(all), Role::Client, None).read().unwrap()
    }

    #[test]
    fn bytes_have_the_offset_of_what_this_browser_was_sent_whatever_their_length() {
        let mut progress = Progress::default();
        let mut offset = 0u64;
        for length in [0usize, 1, 117, 118, 65_527, 65_528, 3 << 20] {
            let bytes = vec![b'x'; length];
            let expected = [&offset.to_le_bytes()[..], &bytes].concat();
            assert_eq!(read(progress.message(&bytes)), Message::binary(expected), "{length}");
            offset += length as u64;
        }
    }

    #[test]
    fn texts_and_the_goodbye_are_read_by_a_browser() {
        let size = Size::new(24, 80);
        assert_eq!(read(screen(size)), Message::text(r#"{"type":"screen","cols":80,"rows":24}"#));
        assert_eq!(read(ended()), Message::text(r#"{"type":"ended"}"#));
        let Message::Close(Some(frame)) = read(goodbye(CloseCode::Away, "why")) else { panic!("no close") };
        assert_eq!((frame.code, frame.reason.as_str()), (CloseCode::Away, "why"));
    }

    #[test]
    fn no_more_than_the_window_is_under_way_and_a_larger_screen_is_sent_alone() {
        let mut progress = Progress::default();
        assert!(progress.has_room(3 * WINDOW) && progress.is_drawn());
        progress.message(&vec![0; WINDOW - 1]);
        assert!(progress.has_room(1) && !progress.has_room(2) && !progress.is_drawn());
        progress.drawn(1);
        assert!(progress.has_room(2));
        // What makes no sense changes nothing.
        progress.drawn(0);
        assert!(progress.has_room(2) && !progress.has_room(3));
        progress.drawn(u64::MAX);
        assert!(progress.is_drawn() && progress.has_room(3 * WINDOW));
    }
}
