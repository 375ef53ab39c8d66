//! Reads and writes the messages on the pipe between a link and a place. Lines of the record follow their
//! message unescaped, because escaping them in JSON would take most of the time of a copy.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, BufRead, Read, Write};

/// The maximum length of a message or of the text after it, in bytes. A line of the record can contain a large
/// tool result.
const LENGTH_MAX: u64 = 256 << 20;

/// Text after a message, which itself contains only the text's length in bytes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RawText {
    bytes: u64,
    #[serde(skip)]
    text: String,
}

impl From<String> for RawText {
    fn from(text: String) -> RawText {
        RawText { bytes: text.len() as u64, text }
    }
}

impl std::ops::Deref for RawText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// A message that text may follow.
pub(crate) trait Message {
    fn text(&self) -> Option<&RawText>;
    fn text_mut(&mut self) -> Option<&mut RawText>;
}

/// The reason that a message cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PipeError {
    #[error("the connection ended")]
    Ended,
    #[error("the connection broke: {0}")]
    Io(#[from] io::Error),
    #[error("the other end sent an unknown message: {0}")]
    Unknown(#[from] serde_json::Error),
}

pub(crate) fn write(to: &mut impl Write, message: &impl Serialize) -> Result<(), PipeError> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)?;
    Ok(to.flush()?)
}

pub(crate) fn read<T: DeserializeOwned>(from: &mut impl BufRead) -> Result<T, PipeError> {
    Ok(serde_json::from_slice(&read_line(from, LENGTH_MAX)?)?)
}

fn read_line(from: &mut impl BufRead, length_max: u64) -> Result<Vec<u8>, PipeError> {
    let mut line = Vec::new();
    from.by_ref().take(length_max).read_until(b'\n', &mut line)?;
    match line.ends_with(b"\n") {
        true => Ok(line),
        false if line.len() as u64 == length_max => Err(invalid("a message is too long")),
        false => Err(PipeError::Ended),
    }
}

/// Writes a message and its text.
pub(crate) fn send(to: &mut impl Write, message: &(impl Serialize + Message)) -> Result<(), PipeError> {
    write(to, message)?;
    let Some(raw) = message.text() else { return Ok(()) };
    to.write_all(raw.text.as_bytes())?;
    Ok(to.flush()?)
}

/// Reads a message and its text.
pub(crate) fn receive<T: DeserializeOwned + Message>(from: &mut impl BufRead) -> Result<T, PipeError> {
    let mut message: T = read(from)?;
    if let Some(raw) = message.text_mut() {
        if raw.bytes > LENGTH_MAX {
            return Err(invalid("the announced text is too long"));
        }
        let mut bytes = Vec::new();
        from.by_ref().take(raw.bytes).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < raw.bytes {
            return Err(PipeError::Ended);
        }
        raw.text = String::from_utf8(bytes).map_err(|_| invalid("the text is not UTF-8"))?;
    }
    Ok(message)
}

fn invalid(why: &str) -> PipeError {
    io::Error::new(io::ErrorKind::InvalidData, why).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Lines {
        lines: RawText,
    }

    impl Message for Lines {
        fn text(&self) -> Option<&RawText> {
            Some(&self.lines)
        }

        fn text_mut(&mut self) -> Option<&mut RawText> {
            Some(&mut self.lines)
        }
    }

    #[test]
    fn text_follows_its_message_unchanged() {
        let text = "{\"a\": \"\u{e4}\"}\ntwo\n";
        let mut bytes = Vec::new();
        send(&mut bytes, &Lines { lines: text.to_owned().into() }).unwrap();
        write(&mut bytes, &"next").unwrap();
        assert!(bytes.windows(text.len()).any(|part| part == text.as_bytes()));
        let mut from = &bytes[..];
        assert_eq!(&*receive::<Lines>(&mut from).unwrap().lines, text);
        assert_eq!(read::<String>(&mut from).unwrap(), "next");
    }

    #[test]
    fn a_text_that_is_cut_off_or_invalid_ends_the_connection() {
        let broken = |bytes: &[u8]| receive::<Lines>(&mut &bytes[..]).unwrap_err();
        assert!(matches!(broken(b"{\"lines\":{\"bytes\":5}}\nfour"), PipeError::Ended));
        for bytes in [&b"{\"lines\":{\"bytes\":2}}\n\xff\n"[..], b"{\"lines\":{\"bytes\":268435457}}\n"] {
            assert!(matches!(broken(bytes), PipeError::Io(_)));
        }
    }

    #[test]
    fn a_message_that_is_too_long_is_not_taken_for_the_end() {
        assert_eq!(read_line(&mut &b"abc\n"[..], 4).unwrap(), b"abc\n");
        assert!(matches!(read_line(&mut &b"abcd\n"[..], 4), Err(PipeError::Io(_))));
    }

    #[test]
    fn a_message_that_was_cut_off_is_the_end() {
        let mut bytes = Vec::new();
        write(&mut bytes, &"one\ntwo").unwrap();
        let mut whole = &bytes[..];
        assert_eq!(read::<String>(&mut whole).unwrap(), "one\ntwo");
        assert!(matches!(read::<String>(&mut whole), Err(PipeError::Ended)));
        let mut cut = &bytes[..bytes.len() - 1];
        assert!(matches!(read::<String>(&mut cut), Err(PipeError::Ended)));
    }
}
