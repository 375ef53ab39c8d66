//! What comes from a session's host, put together again: the pieces of a whole screen, and frames that were
//! cut wherever the system cut them.

use bc_bridge::TerminalFrame;
use bc_host::{
    frame::{self, FrameError, Kind},
    protocol::FreshScreen,
};
use bc_process::socket::{self, Stream};
use std::io::{self, Read};

/// What is read at a time: the longest output frames of a host.
const READ: usize = (64 << 10) + 32;

/// The reading half of a connection.
pub(crate) struct Incoming {
    stream: Stream,
    /// What was read; from `start` to `end` it is still to be looked at.
    read: Vec<u8>,
    start: usize,
    end: usize,
    screen: Option<Screen>,
}

/// A screen that was announced and has not come whole yet.
struct Screen {
    head: FreshScreen,
    offset: u64,
    drawn: Vec<u8>,
}

/// Whether there may be waited for more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Yes,
    No,
}

impl Incoming {
    pub(crate) fn new(stream: Stream) -> Incoming {
        Incoming { stream, read: vec![0; READ], start: 0, end: 0, screen: None }
    }

    /// The next thing that the terminal says; `None` when it is not there yet and may not be waited for.
    pub(crate) fn next(&mut self, wait: Wait) -> io::Result<Option<TerminalFrame>> {
        loop {
            let wanted = match frame::first(&self.read[self.start..self.end]).map_err(io::Error::other)? {
                Ok((kind, payload, rest)) => {
                    self.start = self.end - rest.len();
                    match self.screen.said(kind, payload) {
                        Some(said) => return Ok(Some(said)),
                        None => continue,
                    }
                }
                Err(wanted) => wanted,
            };
            self.make_room(wanted);
            let room = &mut self.read[self.end..];
            let read = match wait {
                Wait::Yes => Some(self.stream.read(room)),
                Wait::No => socket::read_now(&self.stream, room).transpose(),
            };
            match read {
                None => return Ok(None),
                Some(Ok(0)) if self.start == self.end => return Ok(Some(TerminalFrame::Ended)),
                Some(Ok(0)) => {
                    return Err(io::Error::other(FrameError::Io(io::ErrorKind::UnexpectedEof.into())));
                }
                Some(Ok(n)) => self.end += n,
                Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Some(Err(error)) => return Err(error),
            }
        }
    }

    /// Room for a frame of so many bytes from `start` on.
    fn make_room(&mut self, wanted: usize) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.start + wanted > self.read.len() {
            self.read.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        // A large screen is rare, and its room is not kept.
        self.read.resize(wanted.max(READ), 0);
    }
}

trait Gathering {
    fn said(&mut self, kind: Kind, payload: &[u8]) -> Option<TerminalFrame>;
}

impl Gathering for Option<Screen> {
    /// What a frame of the host says to a client, once that is whole. Replies to our own requests, and what
    /// other versions say, are passed over.
    fn said(&mut self, kind: Kind, payload: &[u8]) -> Option<TerminalFrame> {
        match kind {
            Kind::Control => {
                let head = serde_json::from_slice::<FreshScreen>(payload).ok()?;
                *self = Some(Screen { head, offset: 0, drawn: Vec::new() });
            }
            Kind::Output => {
                let (offset, bytes) = frame::printed(payload)?;
                let Some(screen) = self else {
                    return Some(TerminalFrame::Output { offset, bytes: bytes.to_vec() });
                };
                screen.offset = offset;
                screen.drawn.extend_from_slice(bytes);
            }
            Kind::Input => return None,
        }
        let Screen { head, offset, drawn } =
            self.take_if(|screen| screen.drawn.len() as u64 >= screen.head.bytes)?;
        let size = (head.fresh_screen.cols(), head.fresh_screen.rows());
        Some(TerminalFrame::Screen { offset, size, bytes: drawn })
    }
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
    fn a_screen_comes_whole_and_output_as_it_was_sent_however_it_is_cut() {
        let (mut host, ours) = Stream::pair().unwrap();
        let mut incoming = Incoming::new(ours);
        let long = vec![b'x'; 200 << 10];
        let frames = [
            fresh(4),
            Frame::output(9, b"lo"),
            // Another one takes its place before it is whole.
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
        let mut said = Vec::new();
        for piece in all.chunks(1021) {
            host.write_all(piece).unwrap();
            while let Some(frame) = incoming.next(Wait::No).unwrap() {
                said.push(frame);
            }
        }
        let end = 11 + long.len() as u64;
        let whole =
            [screen(9, "screen"), output(9, b"a"), output(10, b"b"), output(11, &long), output(end, b"c")];
        assert!(said == whole, "{} frames", said.len());
        assert_eq!(incoming.read.len(), READ);
        drop(host);
        assert_eq!(incoming.next(Wait::Yes).unwrap(), Some(TerminalFrame::Ended));
    }

    #[test]
    fn a_connection_that_breaks_within_a_frame_has_not_ended() {
        let (mut host, ours) = Stream::pair().unwrap();
        let mut incoming = Incoming::new(ours);
        let frame = Frame::output(0, b"cut").encoded().unwrap();
        host.write_all(&frame[..frame.len() - 1]).unwrap();
        assert_eq!(incoming.next(Wait::No).unwrap(), None);
        drop(host);
        assert!(incoming.next(Wait::Yes).is_err());
    }
}
