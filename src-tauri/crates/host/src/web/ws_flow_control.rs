//! A browser's messages and flow control. Pure.
//!
//! Invariant: sent and undrawn bytes stay within the window, unless a single screen is larger.

use bc_core::terminal::{HEADER, TerminalEvent, WINDOW};
use bc_process::size::Size;
use tungstenite::protocol::{
    CloseFrame,
    frame::{
        Frame, FrameHeader,
        coding::{CloseCode, Data, OpCode},
    },
};

/// The longest WebSocket header, in bytes.
const HEAD_MAX: usize = 10;

/// The sent and drawn bytes of a browser.
#[derive(Debug, Default)]
pub(crate) struct FlowControl {
    sent: u64,
    drawn: u64,
}

impl FlowControl {
    /// Whether this many bytes of terminal output may be sent now.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        let in_flight = self.sent - self.drawn;
        in_flight == 0 || in_flight + bytes as u64 <= WINDOW as u64
    }

    /// Whether everything was drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        self.sent == self.drawn
    }

    /// The browser has drawn everything before this offset.
    pub(crate) fn on_drawn(&mut self, offset: u64) {
        self.drawn = offset.clamp(self.drawn, self.sent);
    }

    /// A message with the next bytes of terminal output.
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

/// Announces that the next binary message is a whole screen.
pub(crate) fn screen(size: Size) -> Vec<u8> {
    text(&TerminalEvent::Screen { cols: size.cols(), rows: size.rows() })
}

/// Announces that the program has ended.
pub(crate) fn ended() -> Vec<u8> {
    text(&TerminalEvent::Ended)
}

fn text(event: &TerminalEvent) -> Vec<u8> {
    framed(Frame::message(event.json(), OpCode::Data(Data::Text), true))
}

/// A close frame.
pub(crate) fn close(code: CloseCode, why: &'static str) -> Vec<u8> {
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

    /// Decodes as a browser does.
    fn read(bytes: Vec<u8>) -> Message {
        let mut all = Vec::new();
        Cursor::new(bytes).read_to_end(&mut all).unwrap();
        WebSocket::from_raw_socket(Cursor::new(all), Role::Client, None).read().unwrap()
    }

    #[test]
    fn messages_carry_the_offset_of_this_browser_for_every_length() {
        let mut flow = FlowControl::default();
        let mut offset = 0u64;
        for length in [0usize, 1, 117, 118, 65_527, 65_528, 3 << 20] {
            let bytes = vec![b'x'; length];
            let expected = [&offset.to_le_bytes()[..], &bytes].concat();
            assert_eq!(read(flow.message(&bytes)), Message::binary(expected), "{length}");
            offset += length as u64;
        }
    }

    #[test]
    fn text_messages_and_the_close_frame_are_read_by_a_browser() {
        let size = Size::new(24, 80);
        assert_eq!(read(screen(size)), Message::text(r#"{"type":"screen","cols":80,"rows":24}"#));
        assert_eq!(read(ended()), Message::text(r#"{"type":"ended"}"#));
        let Message::Close(Some(frame)) = read(close(CloseCode::Away, "why")) else { panic!("no close") };
        assert_eq!((frame.code, frame.reason.as_str()), (CloseCode::Away, "why"));
    }

    #[test]
    fn at_most_the_window_is_in_flight_and_a_larger_screen_is_sent_alone() {
        let mut flow = FlowControl::default();
        assert!(flow.has_room(3 * WINDOW) && flow.is_drawn());
        flow.message(&vec![0; WINDOW - 1]);
        assert!(flow.has_room(1) && !flow.has_room(2) && !flow.is_drawn());
        flow.on_drawn(1);
        assert!(flow.has_room(2));
        // Invalid offsets change nothing.
        flow.on_drawn(0);
        assert!(flow.has_room(2) && !flow.has_room(3));
        flow.on_drawn(u64::MAX);
        assert!(flow.is_drawn() && flow.has_room(3 * WINDOW));
    }
}
