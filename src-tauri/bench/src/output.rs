//! The content of a flood: coloured lines like those of a build. Each byte is determined by its offset, so
//! that a reader notices a missing byte at once.

/// The number of different lines, after which they repeat.
const LINES: usize = 2_000;

/// The endless output from which a flood is taken.
struct Output {
    block: Vec<u8>,
}

impl Output {
    fn new() -> Output {
        let mut block = Vec::new();
        for n in 0..LINES {
            let colour = 31 + n % 6;
            let line = format!(
                "\x1b[{colour}m{n:>6}\x1b[0m compiling src/part{:03}.rs: {:<60} {:>3} ms\r\n",
                n % 997,
                "the quick brown fox jumps over the lazy dog"[..n % 40].to_owned(),
                n * 7 % 1000,
            );
            block.extend_from_slice(line.as_bytes());
        }
        Output { block }
    }

    /// At most `longest` bytes from this offset on; fewer where the repeated block of lines ends.
    fn at(&self, offset: u64, longest: usize) -> &[u8] {
        let start = (offset % self.block.len() as u64) as usize;
        let end = start.saturating_add(longest).min(self.block.len());
        &self.block[start..end]
    }
}

/// A large output for measuring throughput: `bytes` bytes of lines, then [`END`].
pub struct Flood {
    output: Output,
    bytes: u64,
}

impl Flood {
    /// A flood of this number of bytes, to which [`END`] is added.
    pub fn new(bytes: u64) -> Flood {
        Flood { output: Output::new(), bytes }
    }

    /// The number of all bytes, including [`END`].
    pub fn length(&self) -> u64 {
        self.bytes + END.len() as u64
    }

    /// The input that makes the agent or the bare server send this flood.
    pub fn request(&self) -> Vec<u8> {
        [&[FLOOD][..], self.bytes.to_string().as_bytes(), b"\n"].concat()
    }

    /// The flood that an input requests; `None` for any other input, which is to be echoed.
    pub fn parse_request(typed: &[u8]) -> Option<Flood> {
        let digits = typed.strip_prefix(&[FLOOD])?.strip_suffix(b"\n")?;
        Some(Flood::new(std::str::from_utf8(digits).ok()?.parse().ok()?))
    }

    /// At most `longest` bytes from this offset on; empty only at the end of the flood.
    pub fn at(&self, offset: u64, longest: usize) -> &[u8] {
        let most = |left: u64| usize::try_from(left).unwrap_or(usize::MAX).min(longest);
        match offset.checked_sub(self.bytes) {
            None => self.output.at(offset, most(self.bytes - offset)),
            Some(at) => {
                let end = &END[usize::try_from(at).map_or(END.len(), |at| at.min(END.len()))..];
                &end[..end.len().min(longest)]
            }
        }
    }

    /// Whether the flood has exactly these bytes at that offset.
    pub fn is_at(&self, mut offset: u64, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let wanted = self.at(offset, bytes.len());
            if wanted.is_empty() || !bytes.starts_with(wanted) {
                return false;
            }
            offset += wanted.len() as u64;
            bytes = &bytes[wanted.len()..];
        }
        true
    }
}

/// The last line of a flood. When it is on the screen, all of the flood was drawn.
pub const END: &[u8] = b"\r\n-- end of the flood --\r\n";

/// The first byte of a request for a flood. The number of bytes in decimal and a newline follow.
const FLOOD: u8 = 0x06;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flood_bytes_are_determined_by_their_offset() {
        let flood = Flood::new(1_000_000);
        let mut all = Vec::new();
        while (all.len() as u64) < flood.length() {
            let more = flood.at(all.len() as u64, 4096).to_vec();
            assert!(!more.is_empty());
            all.extend(more);
        }
        assert!(all.ends_with(END) && flood.at(flood.length(), 10).is_empty());
        assert!(flood.is_at(0, &all) && flood.is_at(12_345, &all[12_345..]) && !flood.is_at(1, &all));
        all.push(b'x');
        assert!(!flood.is_at(0, &all), "more than there is");
        all[777_777] ^= 1;
        assert!(!flood.is_at(0, &all[..1_000_000]));
    }

    #[test]
    fn flood_requests_are_distinguished_from_keys() {
        let parsed = |typed: &[u8]| Flood::parse_request(typed).map(|flood| flood.bytes);
        assert_eq!(parsed(&Flood::new(1 << 30).request()), Some(1 << 30));
        assert_eq!((parsed(b"x"), parsed(b"\x06"), parsed(b"12\n")), (None, None, None));
    }
}
