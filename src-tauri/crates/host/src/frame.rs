//! Frames on the host's socket: `[kind u8][length u32 LE][payload]`.
//!
//! Control frames carry JSON. Output frames carry an offset and the terminal's output from that offset. Input
//! frames carry keys. A payload has at most 4 MiB; a peer that announces more is disconnected.

use std::io::{self, Read, Write};

/// The maximum length of a payload, in bytes.
pub const MAX: usize = 4 << 20;

/// The maximum amount of memory reserved for a payload before it arrives, in bytes.
const INITIAL_CAPACITY: usize = 64 << 10;

/// The number of bytes before the payload.
const HEADER_LEN: usize = 5;

/// The number of bytes before the program's output in an output frame: the header and the offset.
const OUTPUT_HEADER_LEN: usize = HEADER_LEN + 8;

/// The type of a frame's payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// JSON.
    Control,
    /// The offset of the first byte in the program's total output (u64 LE), then the bytes.
    Output,
    /// Keys from a terminal.
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
    pub kind: Kind,
    /// The content, at most [`MAX`] bytes.
    pub payload: Vec<u8>,
}

/// Why a frame could not be sent, read or decoded.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The connection failed, or ended within a frame.
    #[error("the connection to the session's host broke")]
    Io(#[source] io::Error),
    /// The data is not a frame, or not the expected kind of frame.
    #[error("invalid data on the session's socket: not a frame of Beads Console")]
    NotAFrame,
    /// A payload exceeds the maximum length of a frame, or the reader's lower limit.
    #[error("a frame of {bytes} bytes exceeds the limit of {MAX}")]
    TooLong {
        /// The payload's length.
        bytes: usize,
    },
    /// A control frame has unexpected content.
    #[error("cannot decode a message of the session's host")]
    Json(#[source] serde_json::Error),
}

impl Frame {
    /// A control frame with this value as JSON.
    pub fn control(value: &impl serde::Serialize) -> Frame {
        let payload = serde_json::to_vec(value).expect("our own messages have string keys and always encode");
        Frame { kind: Kind::Control, payload }
    }

    /// An output frame. `offset` is the position of `bytes` in the program's total output.
    pub fn output(offset: u64, bytes: &[u8]) -> Frame {
        let mut payload = Vec::with_capacity(bytes.len() + 8);
        payload.extend_from_slice(&offset.to_le_bytes());
        payload.extend_from_slice(bytes);
        Frame { kind: Kind::Output, payload }
    }

    /// An input frame with keys from a terminal.
    pub fn input(bytes: &[u8]) -> Frame {
        Frame { kind: Kind::Input, payload: bytes.to_vec() }
    }

    /// Returns the offset and the output of an output frame; `None` for any other frame.
    pub fn as_output(&self) -> Option<(u64, &[u8])> {
        output_parts(&self.payload).filter(|_| self.kind == Kind::Output)
    }

    /// Returns the frame's bytes on the socket. Fails if the payload exceeds [`MAX`].
    pub fn encoded(&self) -> Result<Vec<u8>, FrameError> {
        let bytes = self.payload.len();
        let Some(length) = u32::try_from(bytes).ok().filter(|_| bytes <= MAX) else {
            return Err(FrameError::TooLong { bytes });
        };
        let mut encoded = Vec::with_capacity(HEADER_LEN + bytes);
        encoded.push(self.kind.byte());
        encoded.extend_from_slice(&length.to_le_bytes());
        encoded.extend_from_slice(&self.payload);
        Ok(encoded)
    }

    /// Decodes the JSON of a control frame.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, FrameError> {
        match self.kind {
            Kind::Control => serde_json::from_slice(&self.payload).map_err(FrameError::Json),
            Kind::Output | Kind::Input => Err(FrameError::NotAFrame),
        }
    }
}

/// Splits the payload of an output frame into its offset and its output.
pub fn output_parts(payload: &[u8]) -> Option<(u64, &[u8])> {
    let (offset, bytes) = payload.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*offset), bytes))
}

/// A read buffer with space for a frame header before the output, so that the output can be sent to clients
/// without a copy.
#[derive(Debug)]
pub struct Output {
    frame: Vec<u8>,
    read: usize,
}

impl Output {
    /// Creates a buffer for this many bytes, but no more than fit in a frame.
    pub fn with_room(bytes: usize) -> Output {
        Output { frame: vec![0; OUTPUT_HEADER_LEN + bytes.min(MAX - 8)], read: 0 }
    }

    /// Replaces the content. `read` fills the beginning of the buffer and returns the length.
    pub fn fill(&mut self, read: impl FnOnce(&mut [u8]) -> io::Result<usize>) -> io::Result<usize> {
        self.read = read(&mut self.frame[OUTPUT_HEADER_LEN..])?;
        Ok(self.read)
    }

    /// The content that the last [`Output::fill`] read.
    pub fn bytes(&self) -> &[u8] {
        &self.frame[OUTPUT_HEADER_LEN..OUTPUT_HEADER_LEN + self.read]
    }

    /// Returns the content as an encoded frame.
    pub fn encoded(&mut self, offset: u64) -> &[u8] {
        let length = u32::try_from(8 + self.read).expect("the buffer is no larger than a frame");
        self.frame[0] = Kind::Output.byte();
        self.frame[1..HEADER_LEN].copy_from_slice(&length.to_le_bytes());
        self.frame[HEADER_LEN..OUTPUT_HEADER_LEN].copy_from_slice(&offset.to_le_bytes());
        &self.frame[..OUTPUT_HEADER_LEN + self.read]
    }
}

/// Writes one frame in a single write, so that the reader is woken once.
pub fn write(to: &mut impl Write, frame: &Frame) -> Result<(), FrameError> {
    to.write_all(&frame.encoded()?).map_err(FrameError::Io)
}

/// A frame in a read buffer: its kind, its payload and the bytes after it. `Err`: the frame is incomplete,
/// and the buffer needs at least this many bytes.
pub type FirstFrame<'a> = Result<(Kind, &'a [u8], &'a [u8]), usize>;

/// Parses the first frame in a read buffer.
pub fn first(read: &[u8]) -> Result<FirstFrame<'_>, FrameError> {
    let Some((&[kind, ref length @ ..], rest)) = read.split_first_chunk::<HEADER_LEN>() else {
        return Ok(Err(HEADER_LEN));
    };
    let kind = Kind::of(kind).ok_or(FrameError::NotAFrame)?;
    let bytes = u32::from_le_bytes(*length) as usize;
    if bytes > MAX {
        return Err(FrameError::TooLong { bytes });
    }
    Ok(rest.split_at_checked(bytes).map(|(payload, rest)| (kind, payload, rest)).ok_or(HEADER_LEN + bytes))
}

/// Reads one frame. Returns `None` if the peer closed the connection between two frames.
pub fn read(from: &mut impl Read) -> Result<Option<Frame>, FrameError> {
    read_up_to(from, MAX)
}

/// Like [`read`], but for a payload of at most `most` bytes.
pub fn read_up_to(from: &mut impl Read, most: usize) -> Result<Option<Frame>, FrameError> {
    let mut head = [0; HEADER_LEN];
    let head_read = loop {
        match from.read(&mut head) {
            Ok(0) => return Ok(None),
            Ok(n) => break n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FrameError::Io(error)),
        }
    };
    let kind = Kind::of(head[0]).ok_or(FrameError::NotAFrame)?;
    from.read_exact(&mut head[head_read..]).map_err(FrameError::Io)?;
    let [_, length @ ..] = head;
    let bytes = u32::from_le_bytes(length) as usize;
    if bytes > most {
        return Err(FrameError::TooLong { bytes });
    }
    // The buffer grows as bytes arrive, so that an announced length alone reserves little memory.
    let mut payload = Vec::with_capacity(bytes.min(INITIAL_CAPACITY));
    let read = from.take(bytes as u64).read_to_end(&mut payload).map_err(FrameError::Io)?;
    match read == bytes {
        true => Ok(Some(Frame { kind, payload })),
        false => Err(FrameError::Io(io::ErrorKind::UnexpectedEof.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_frames_are_read_back() {
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
    fn frames_are_found_in_a_buffer_cut_anywhere() {
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
    fn an_output_buffer_encodes_the_same_frame() {
        let mut output = Output::with_room(16);
        for (offset, bytes) in [(7, &b"a longer piece"[..]), (21, b"short")] {
            let read = |room: &mut [u8]| (&mut &bytes[..]).read(room);
            assert_eq!(output.fill(read).unwrap(), bytes.len());
            assert_eq!(output.bytes(), bytes);
            assert_eq!(output.encoded(offset), Frame::output(offset, bytes).encoded().unwrap());
        }
    }

    #[test]
    fn invalid_frames_are_refused_before_allocation() {
        assert!(matches!(read(&mut &b"GET / HTTP/1.1"[..]), Err(FrameError::NotAFrame)));
        let endless = [&b"c"[..], &u32::MAX.to_le_bytes()].concat();
        assert!(matches!(read(&mut endless.as_slice()), Err(FrameError::TooLong { .. })));
        assert!(matches!(read(&mut &b"c\x05\0\0\0ab"[..]), Err(FrameError::Io(_))));
        let long = Frame::input(&[7; 100]).encoded().unwrap();
        assert!(matches!(read_up_to(&mut long.as_slice(), 99), Err(FrameError::TooLong { bytes: 100 })));
        assert!(read_up_to(&mut long.as_slice(), 100).unwrap().is_some());
    }
}
