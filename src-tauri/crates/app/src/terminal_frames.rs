//! Assembles terminal frames from the frames of a session's host. A host sends a screen in several parts, and
//! a read may end within a frame.

use bc_bridge::TerminalFrame;
use bc_host::{
    frame::{self, FrameError, Kind},
    protocol::FreshScreen,
};
use bc_process::socket::Stream;
use std::io::{self, Read};

/// The usual size of the read buffer, in bytes: a host's output frame of 64 KiB fits in it.
const BUFFER_SIZE: usize = (64 << 10) + 32;

/// The reading half of a connection to a host.
pub(crate) struct TerminalFrames {
    stream: Stream,
    /// The read buffer; the bytes in `start..end` are read and not processed yet.
    read: Vec<u8>,
    start: usize,
    end: usize,
    screen: Option<Screen>,
}

/// A screen whose last parts have not arrived yet.
struct Screen {
    head: FreshScreen,
    offset: u64,
    drawn: Vec<u8>,
}

impl TerminalFrames {
    pub(crate) fn new(stream: Stream) -> TerminalFrames {
        TerminalFrames { stream, read: vec![0; BUFFER_SIZE], start: 0, end: 0, screen: None }
    }

    /// Waits for the next complete frame of the terminal.
    pub(crate) fn next(&mut self) -> io::Result<TerminalFrame> {
        loop {
            let wanted = match frame::first(&self.read[self.start..self.end]).map_err(io::Error::other)? {
                Ok((kind, payload, rest)) => {
                    self.start = self.end - rest.len();
                    match assemble(&mut self.screen, kind, payload) {
                        Some(frame) => return Ok(frame),
                        None => continue,
                    }
                }
                Err(wanted) => wanted,
            };
            self.make_room(wanted);
            match self.stream.read(&mut self.read[self.end..]) {
                Ok(0) if self.start == self.end => return Ok(TerminalFrame::Ended),
                Ok(0) => return Err(io::Error::other(FrameError::Io(io::ErrorKind::UnexpectedEof.into()))),
                Ok(n) => self.end += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Makes room for `wanted` bytes after `start`.
    fn make_room(&mut self, wanted: usize) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.start + wanted > self.read.len() {
            self.read.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        // Large screens are rare, so the buffer for a large screen is not kept.
        self.read.resize(wanted.max(BUFFER_SIZE), 0);
    }
}

/// Handles a frame from the host. Returns the terminal frame that it completes, if any. Input frames, and
/// control frames other than fresh screens, are ignored.
fn assemble(screen: &mut Option<Screen>, kind: Kind, payload: &[u8]) -> Option<TerminalFrame> {
    match kind {
        Kind::Control => {
            let head = serde_json::from_slice::<FreshScreen>(payload).ok()?;
            *screen = Some(Screen { head, offset: 0, drawn: Vec::new() });
        }
        Kind::Output => {
            let (offset, bytes) = frame::output_parts(payload)?;
            let Some(screen) = screen else {
                return Some(TerminalFrame::Output { offset, bytes: bytes.to_vec() });
            };
            screen.offset = offset;
            screen.drawn.extend_from_slice(bytes);
        }
        Kind::Input => return None,
    }
    let Screen { head, offset, drawn } =
        screen.take_if(|screen| screen.drawn.len() as u64 >= screen.head.bytes)?;
    let size = (head.fresh_screen.cols(), head.fresh_screen.rows());
    Some(TerminalFrame::Screen { offset, size, bytes: drawn })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use bc_host::frame::Frame;
    use bc_process::size::Size;
    use std::io::Write;

    fn fresh(bytes: u64) -> Frame {
        Frame::control(&FreshScreen { fresh_screen: Size::new(24, 80), bytes })
    }

    fn screen(offset: u64, text: &str) -> TerminalFrame {
        TerminalFrame::Screen { offset, size: (80, 24), bytes: text.into() }
    }

    fn output(offset: u64, bytes: &[u8]) -> TerminalFrame {
        TerminalFrame::Output { offset, bytes: bytes.into() }
    }

    #[test]
    fn screens_are_complete_and_output_is_unchanged_for_any_chunking() {
        let (mut host, ours) = Stream::pair().unwrap();
        let mut incoming = TerminalFrames::new(ours);
        let long = vec![b'x'; 200 << 10];
        let frames = [
            fresh(4),
            Frame::output(9, b"lo"),
            // Another screen begins before the first one is complete, and replaces it.
            fresh(6),
            Frame::output(9, b"scr"),
            Frame::control(&serde_json::json!({"reply": 1, "ok": null})),
            Frame::output(9, b"een"),
            Frame::output(9, b"a"),
            Frame::output(10, b"b"),
            Frame::output(11, &long),
            Frame::output(11 + long.len() as u64, b"c"),
        ];
        let all: Vec<u8> = frames.iter().flat_map(|frame| frame.encoded().unwrap()).collect();
        let writing = std::thread::spawn(move || {
            all.chunks(1021).for_each(|piece| host.write_all(piece).unwrap());
        });
        let mut frames = Vec::new();
        while frames.last() != Some(&TerminalFrame::Ended) {
            frames.push(incoming.next().unwrap());
        }
        writing.join().unwrap();
        let end = 11 + long.len() as u64;
        let whole = [
            screen(9, "screen"),
            output(9, b"a"),
            output(10, b"b"),
            output(11, &long),
            output(end, b"c"),
            TerminalFrame::Ended,
        ];
        assert!(frames == whole, "{} frames", frames.len());
        assert_eq!(incoming.read.len(), BUFFER_SIZE);
    }

    #[test]
    fn a_connection_cut_within_a_frame_is_an_error() {
        let (mut host, ours) = Stream::pair().unwrap();
        let mut incoming = TerminalFrames::new(ours);
        let frame = Frame::output(0, b"cut").encoded().unwrap();
        host.write_all(&frame[..frame.len() - 1]).unwrap();
        drop(host);
        assert!(incoming.next().is_err());
    }
}
