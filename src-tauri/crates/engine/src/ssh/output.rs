//! Reads the output of another machine, with size limits.

use std::io::{BufRead, Read};

/// The maximum length of a line, and of the retained tail of standard error, in bytes.
const TEXT_MAX: u64 = 64 * 1024;

/// Reads the next line, and returns it without trailing whitespace. `None` if the output ended, or if the
/// line is incomplete or too long.
pub fn next_line(out: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let length = out.by_ref().take(TEXT_MAX).read_until(b'\n', &mut line).ok()?;
    (length > 0 && line.last() == Some(&b'\n')).then(|| String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// Reads the stream until it ends, and returns its tail of at most [`TEXT_MAX`] bytes.
pub fn tail(mut stderr: impl Read) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..length]);
        let over = kept.len().saturating_sub(TEXT_MAX as usize);
        kept.drain(..over);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_output_is_not_kept() {
        assert_eq!(next_line(&mut &b"one\ntwo"[..]).as_deref(), Some("one"));
        let endless = vec![b'x'; 2 * TEXT_MAX as usize];
        assert_eq!(next_line(&mut &endless[..]), None);
        let said = [&endless[..], b"the end"].concat();
        let kept = tail(&said[..]);
        assert!(kept.len() as u64 == TEXT_MAX && kept.ends_with("the end"));
    }
}
