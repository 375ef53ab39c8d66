//! Splits a stream of bytes into lines, and drops unneeded lines before they are collected.
//!
//! Invariants: an incomplete last line is kept for the next chunk. At most [`LINE_MAX`] bytes are kept
//! between chunks. An unneeded line is dropped as soon as it is recognized.

use super::scan::{Scan, Verdict};
use memchr::memchr;

/// The maximum length of an incomplete line that is kept between chunks, in bytes. If the incomplete part is
/// longer, the line is dropped.
pub(super) const LINE_MAX: usize = 64 << 20;

/// A complete line that may be needed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The line without its newline.
    Whole(&'a [u8]),
    /// The line was dropped, because its incomplete part was longer than [`LINE_MAX`].
    TooLong,
}

#[derive(Debug, Default)]
pub(super) struct Splitter {
    held: Vec<u8>,
    scan: Scan,
    too_long: bool,
}

impl Splitter {
    /// Calls `take` with every needed line that is now complete, including its part from earlier chunks.
    pub(super) fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Line<'_>)) {
        let mut rest = bytes;
        while let Some(end) = memchr(b'\n', rest) {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            self.end_line(line, &mut take);
            rest = after;
        }
        self.hold(rest);
    }

    /// The incomplete last line.
    pub(super) fn unended(&self) -> &[u8] {
        &self.held
    }

    /// Drops the incomplete line, because its file was replaced.
    pub(super) fn forget(&mut self) {
        self.held = Vec::new();
        self.scan.reset();
        self.too_long = false;
    }

    fn end_line(&mut self, line: &[u8], take: &mut impl FnMut(Line<'_>)) {
        let noise = self.scan.push(line) == Verdict::Noise;
        self.scan.reset();
        if std::mem::take(&mut self.too_long) {
            self.held = Vec::new();
            if !noise {
                take(Line::TooLong);
            }
        } else if noise {
            self.held.clear();
        } else if self.held.is_empty() {
            take(Line::Whole(line));
        } else {
            self.held.extend_from_slice(line);
            take(Line::Whole(&self.held));
            // The buffer of a huge line is freed; a normal buffer is reused.
            if self.held.capacity() > 1 << 20 {
                self.held = Vec::new();
            }
            self.held.clear();
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        if bytes.is_empty() || self.too_long {
            return;
        }
        if self.scan.push(bytes) == Verdict::Noise {
            self.held = Vec::new();
        } else if self.held.len() + bytes.len() > LINE_MAX {
            self.held = Vec::new();
            self.too_long = true;
        } else {
            self.held.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut out = Vec::new();
        for chunk in chunks {
            splitter.push(chunk, |line| match line {
                Line::Whole(bytes) => out.push(String::from_utf8_lossy(bytes).into_owned()),
                Line::TooLong => out.push("TOO LONG".to_owned()),
            });
        }
        out
    }

    #[test]
    fn lines_do_not_depend_on_chunk_boundaries() {
        let text = b"{\"type\":\"user\"}\n{\"type\":\"progress\",\"x\":1}\n{\"a\":1}\n{\"torn\":";
        let whole = lines(&[text]);
        assert_eq!(whole, ["{\"type\":\"user\"}", "{\"a\":1}"]);
        for cut in 0..text.len() {
            assert_eq!(lines(&[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
        }
        let single: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(lines(&single), whole);
    }

    #[test]
    fn a_noise_line_of_many_megabytes_is_not_buffered() {
        let mut splitter = Splitter::default();
        splitter.push(b"{\"type\":\"progress\",\"data\":\"", |_| panic!("no line yet"));
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..100 {
            splitter.push(&chunk, |_| panic!("no line yet"));
            assert_eq!(splitter.held.capacity(), 0);
        }
        let mut seen = 0;
        splitter.push(b"\"}\n{\"type\":\"user\"}\n", |line| {
            assert_eq!(line, Line::Whole(b"{\"type\":\"user\"}"));
            seen += 1;
        });
        assert_eq!(seen, 1);
    }

    #[test]
    fn a_line_over_the_limit_is_skipped() {
        let mut splitter = Splitter::default();
        splitter.push(b"{\"type\":\"user\",\"x\":\"", |_| panic!("no line yet"));
        let chunk = vec![b'x'; 16 << 20];
        for _ in 0..5 {
            splitter.push(&chunk, |_| panic!("no line yet"));
        }
        let mut seen = Vec::new();
        splitter.push(b"\"}\n{\"a\":1}\n", |line| seen.push(line == Line::TooLong));
        assert_eq!(seen, [true, false]);
    }
}
