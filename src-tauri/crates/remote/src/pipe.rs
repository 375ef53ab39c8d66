//! Reads and writes the messages on the pipe between a link and a place.

use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, BufRead, Read, Write};

/// The maximum length of a message, in bytes. A message with lines of the record can contain a large tool
/// result.
const LINE_MAX: u64 = 256 << 20;

/// The reason that the next message cannot be read.
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
    let mut line = Vec::new();
    from.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)?;
    if !line.ends_with(b"\n") {
        return Err(PipeError::Ended);
    }
    Ok(serde_json::from_slice(&line)?)
}

#[cfg(test)]
mod tests {
    use super::*;

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
