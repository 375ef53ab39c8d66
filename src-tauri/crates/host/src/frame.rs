//! Frames on the host's socket: `[kind u8][length u32 LE][payload]`.
//!
//! Control frames carry JSON, output frames the terminal's bytes behind their offset, input frames
//! keys. A frame is at most 4 MiB: whoever announces more is not one of ours and is cut off.

use std::io::{self, Read, Write};

/// The longest payload, in bytes.
pub const MAX: usize = 4 << 20;

/// The bytes before the payload.
const HEAD: usize = 5;

/// The bytes of an output frame before what the program printed: with its offset.
const OUTPUT_HEAD: usize = HEAD + 8;

/// What a frame carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// JSON.
    Control,
    /// The offset of its first byte in all that the program ever printed (u64 LE), then the bytes.
    Output,
    /// Bytes for the program to read.
    Input,
}

impl Kind {
    fn byte(self) -> u8 {
        match self {
            Kind::Control => b'c',
            Kind::Output => b'o',
            Kind::Input => b'i',
        }
    }

    fn of(byte: u8) -> Option<Kind> {
        [Kind::Control, Kind::Output, Kind::Input].into_iter().find(|kind| kind.byte() == byte)
    }
}

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What it carries.
    pub kind: Kind,
    /// The bytes.
    pub payload: Vec<u8>,
}

/// What is wrong with what came over the socket.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The connection failed or ended in the middle of a frame.
    #[error("the connection to the session's host broke")]
    Io(#[source] io::Error),
    /// The other side does not speak this protocol.
    #[error("what came over the session's socket is not a frame of Beads Console")]
    NotAFrame,
    /// A payload is longer than a frame may be.
    #[error("a frame of {bytes} bytes is longer than the {MAX} that are allowed")]
    TooLong {
        /// Its announced length.
        bytes: usize,
    },
    /// A control frame does not hold what is expected.
    #[error("a message of the session's host could not be read")]
    Json(#[source] serde_json::Error),
}

impl Frame {
    /// A control frame.
    pub fn control(value: &impl serde::Serialize) -> Frame {
        let payload = serde_json::to_vec(value).expect("our own messages have string keys and always encode");
        Frame { kind: Kind::Control, payload }
    }

    /// An output frame.
    pub fn output(offset: u64, bytes: &[u8]) -> Frame {
        let mut payload = Vec::with_capacity(bytes.len() + 8);
        payload.extend_from_slice(&offset.to_le_bytes());
        payload.extend_from_slice(bytes);
        Frame { kind: Kind::Output, payload }
    }

    /// An input frame.
    pub fn input(bytes: &[u8]) -> Frame {
        Frame { kind: Kind::Input, payload: bytes.to_vec() }
    }

    /// The offset and the bytes of an output frame.
    pub fn as_output(&self) -> Option<(u64, &[u8])> {
        printed(&self.payload).filter(|_| self.kind == Kind::Output)
    }

    /// As it goes over the socket.
    pub fn encoded(&self) -> Result<Vec<u8>, FrameError> {
        let bytes = self.payload.len();
        let Some(length) = u32::try_from(bytes).ok().filter(|_| bytes <= MAX) else {
            return Err(FrameError::TooLong { bytes });
        };
        let mut encoded = Vec::with_capacity(HEAD + bytes);
        encoded.push(self.kind.byte());
        encoded.extend_from_slice(&length.to_le_bytes());
        encoded.extend_from_slice(&self.payload);
        Ok(encoded)
    }

    /// What a control frame says.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, FrameError> {
        match self.kind {
            Kind::Control => serde_json::from_slice(&self.payload).map_err(FrameError::Json),
            Kind::Output | Kind::Input => Err(FrameError::NotAFrame),
        }
    }
}

/// The offset and the bytes in the payload of an output frame.
pub fn printed(payload: &[u8]) -> Option<(u64, &[u8])> {
    let (offset, bytes) = payload.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*offset), bytes))
}

/// What the program printed, in an encoded output frame.
pub(crate) fn bare_output(encoded: &[u8]) -> &[u8] {
    encoded.get(OUTPUT_HEAD..).unwrap_or_default()
}

/// Where output is read to, with room for a frame's head before it: it goes on to clients without a copy.
#[derive(Debug)]
pub struct Output {
    frame: Vec<u8>,
    read: usize,
}

impl Output {
    /// Room for so many bytes at a time.
    pub fn with_room(bytes: usize) -> Output {
        Output { frame: vec![0; OUTPUT_HEAD + bytes.min(MAX - 8)], read: 0 }
    }

    /// Reads anew: `read` fills a part of what it is given from its beginning and says how much.
    pub fn fill(&mut self, read: impl FnOnce(&mut [u8]) -> io::Result<usize>) -> io::Result<usize> {
        self.read = read(&mut self.frame[OUTPUT_HEAD..])?;
        Ok(self.read)
    }

    /// What was read.
    pub fn bytes(&self) -> &[u8] {
        &self.frame[OUTPUT_HEAD..OUTPUT_HEAD + self.read]
    }

    /// What was read as a frame, as it goes over the socket.
    pub fn encoded(&mut self, offset: u64) -> &[u8] {
        let length = u32::try_from(8 + self.read).expect("there is no room for more than a frame may have");
        self.frame[0] = Kind::Output.byte();
        self.frame[1..HEAD].copy_from_slice(&length.to_le_bytes());
        self.frame[HEAD..OUTPUT_HEAD].copy_from_slice(&offset.to_le_bytes());
        &self.frame[..OUTPUT_HEAD + self.read]
    }
}

/// Writes one frame, in one piece: whoever reads is woken once.
pub fn write(to: &mut impl Write, frame: &Frame) -> Result<(), FrameError> {
    to.write_all(&frame.encoded()?).map_err(FrameError::Io)
}

/// A frame in what was read, its kind, its payload and what follows it; or how many bytes there must be at
/// least for there to be one.
pub type First<'a> = Result<(Kind, &'a [u8], &'a [u8]), usize>;

/// The first frame in what was read of a connection.
pub fn first(read: &[u8]) -> Result<First<'_>, FrameError> {
    let Some((&[kind, ref length @ ..], rest)) = read.split_first_chunk::<HEAD>() else {
        return Ok(Err(HEAD));
    };
    let kind = Kind::of(kind).ok_or(FrameError::NotAFrame)?;
    let bytes = u32::from_le_bytes(*length) as usize;
    if bytes > MAX {
        return Err(FrameError::TooLong { bytes });
    }
    Ok(rest.split_at_checked(bytes).map(|(payload, rest)| (kind, payload, rest)).ok_or(HEAD + bytes))
}

/// Reads one frame; `None` when the other side closed the connection between two frames.
pub fn read(from: &mut impl Read) -> Result<Option<Frame>, FrameError> {
    let mut head = [0; HEAD];
    let begun = loop {
        match from.read(&mut head) {
            Ok(0) => return Ok(None),
            Ok(n) => break n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FrameError::Io(error)),
        }
    };
    let kind = Kind::of(head[0]).ok_or(FrameError::NotAFrame)?;
    from.read_exact(&mut head[begun..]).map_err(FrameError::Io)?;
    let [_, length @ ..] = head;
    let bytes = u32::from_le_bytes(length) as usize;
    if bytes > MAX {
        return Err(FrameError::TooLong { bytes });
    }
    let mut payload = vec![0; bytes];
    from.read_exact(&mut payload).map_err(FrameError::Io)?;
    Ok(Some(Frame { kind, payload }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_as_they_were_written() {
        let frames =
            [Frame::control(&serde_json::json!({"a": 1})), Frame::output(7, b"out"), Frame::input(b"")];
        let mut bytes = Vec::new();
        frames.iter().for_each(|frame| write(&mut bytes, frame).unwrap());
        let mut from = bytes.as_slice();
        for frame in &frames {
            assert_eq!(read(&mut from).unwrap().as_ref(), Some(frame));
        }
        assert_eq!(read(&mut from).unwrap(), None);
        assert_eq!(frames[1].as_output(), Some((7, &b"out"[..])));
    }

    #[test]
    fn frames_are_found_in_what_was_read_wherever_that_was_cut() {
        let frames = [Frame::control(&1), Frame::output(7, b"out"), Frame::input(b"")];
        let all = frames.iter().flat_map(|frame| frame.encoded().unwrap()).collect::<Vec<_>>();
        let mut rest = all.as_slice();
        for frame in &frames {
            let length = frame.encoded().unwrap().len();
            for cut in 0..length {
                let wanted = first(&rest[..cut]).unwrap().unwrap_err();
                assert!(cut < wanted && wanted <= length, "{cut} of {length}: {wanted}");
            }
            let (kind, payload, after) = first(rest).unwrap().unwrap();
            assert_eq!((kind, payload), (frame.kind, frame.payload.as_slice()));
            rest = after;
        }
        assert!(rest.is_empty());
        assert!(matches!(first(b"GET / HTTP/1.1"), Err(FrameError::NotAFrame)));
        assert!(matches!(first(b"c\xff\xff\xff\xff"), Err(FrameError::TooLong { .. })));
    }

    #[test]
    fn output_that_was_read_is_the_frame_of_the_same_bytes() {
        let mut output = Output::with_room(16);
        for (offset, bytes) in [(7, &b"a longer piece"[..]), (21, b"short")] {
            let read = |room: &mut [u8]| (&mut &bytes[..]).read(room);
            assert_eq!(output.fill(read).unwrap(), bytes.len());
            assert_eq!(output.bytes(), bytes);
            assert_eq!(output.encoded(offset), Frame::output(offset, bytes).encoded().unwrap());
        }
    }

    #[test]
    fn what_is_no_frame_is_refused_before_it_is_stored() {
        assert!(matches!(read(&mut &b"GET / HTTP/1.1"[..]), Err(FrameError::NotAFrame)));
        let endless = [&b"c"[..], &u32::MAX.to_le_bytes()].concat();
        assert!(matches!(read(&mut endless.as_slice()), Err(FrameError::TooLong { .. })));
        assert!(matches!(read(&mut &b"c\x05\0\0\0ab"[..]), Err(FrameError::Io(_))));
    }
}
