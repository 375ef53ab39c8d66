//! What is printed in a flood: lines as a build prints them, with colours, whose every byte is known from
//! its offset. Whoever reads them sees at once whether one is missing.

/// The lines before they begin anew.
const LINES: usize = 2_000;

/// What a program in a terminal prints, without end.
pub struct Output {
    block: Vec<u8>,
}

impl Default for Output {
    fn default() -> Self {
        Output::new()
    }
}

impl Output {
    /// Makes the lines.
    pub fn new() -> Output {
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

    /// The bytes from an offset to the end of the lines, at most `longest`; never empty unless that is 0.
    pub fn at(&self, offset: u64, longest: usize) -> &[u8] {
        let start = (offset % self.block.len() as u64) as usize;
        let end = start.saturating_add(longest).min(self.block.len());
        &self.block[start..end]
    }

    /// Whether these are the bytes of that offset.
    pub fn is_at(&self, offset: u64, mut bytes: &[u8]) -> bool {
        let mut offset = offset;
        while !bytes.is_empty() {
            let wanted = self.at(offset, bytes.len());
            let (given, rest) = bytes.split_at(wanted.len());
            if given != wanted {
                return false;
            }
            offset += wanted.len() as u64;
            bytes = rest;
        }
        true
    }
}

/// What begins the request for a flood, typed into the agent or sent to the bare server: this, the number of
/// bytes in decimals, a newline. Everything else that is typed is echoed.
pub const FLOOD: u8 = 0x06;

/// The request for a flood.
pub fn flood_request(bytes: u64) -> Vec<u8> {
    [&[FLOOD][..], bytes.to_string().as_bytes(), b"\n"].concat()
}

/// Takes a request for a flood out of what was typed; the rest is to be echoed.
pub fn asked(typed: &[u8]) -> Option<u64> {
    let digits = typed.strip_prefix(&[FLOOD])?.strip_suffix(b"\n")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_known_from_its_offset() {
        let output = Output::new();
        let mut all = Vec::new();
        while all.len() < 1_000_000 {
            let more = output.at(all.len() as u64, 4096).to_vec();
            all.extend(more);
        }
        assert!(output.is_at(0, &all) && output.is_at(12_345, &all[12_345..]));
        assert!(!output.is_at(1, &all));
        all[777_777] ^= 1;
        assert!(!output.is_at(0, &all));
    }

    #[test]
    fn a_request_is_known_again_and_keys_are_none() {
        assert_eq!(asked(&flood_request(1 << 30)), Some(1 << 30));
        assert_eq!((asked(b"x"), asked(b"\x06"), asked(b"12\n")), (None, None, None));
    }
}
