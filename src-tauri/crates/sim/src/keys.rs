//! Decodes a terminal's input into keys, without I/O. Sequences that are split between chunks are joined.

/// One key or one paste.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    Text(String),
    Paste(String),
    Enter,
    Newline,
    Backspace,
    Escape,
    BackTab,
    /// Ctrl with a letter, in lower case.
    Ctrl(char),
}

const PASTE_END: &[u8] = b"\x1b[201~";

/// Decodes the input chunk by chunk.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    rest: Vec<u8>,
    paste: Option<Vec<u8>>,
}

impl Decoder {
    /// Decodes the next chunk. `more` is true if the chunk filled the buffer, so that a sequence may continue
    /// in the next chunk. Otherwise, a lone ESC at the end is the Escape key.
    pub(crate) fn feed(&mut self, bytes: &[u8], more: bool) -> Vec<Key> {
        self.rest.extend_from_slice(bytes);
        let mut keys = Vec::new();
        loop {
            let taken = match self.paste.is_some() {
                true => self.pasted(&mut keys),
                false => self.typed(more, &mut keys),
            };
            if taken == 0 {
                return keys;
            }
            self.rest.drain(..taken);
        }
    }

    fn pasted(&mut self, keys: &mut Vec<Key>) -> usize {
        let paste = self.paste.get_or_insert_default();
        if let Some(end) = self.rest.windows(PASTE_END.len()).position(|window| window == PASTE_END) {
            paste.extend_from_slice(&self.rest[..end]);
            let text = String::from_utf8_lossy(paste).replace("\r\n", "\n").replace('\r', "\n");
            keys.push(Key::Paste(text));
            self.paste = None;
            return end + PASTE_END.len();
        }
        // The end marker may be split between chunks, so bytes that may belong to it are not taken yet.
        let sure = self.rest.len().saturating_sub(PASTE_END.len() - 1);
        paste.extend_from_slice(&self.rest[..sure]);
        sure
    }

    /// Decodes one key from the front and returns its length in bytes. Returns 0 if no key is complete.
    fn typed(&mut self, more: bool, keys: &mut Vec<Key>) -> usize {
        let Some(&first) = self.rest.first() else { return 0 };
        let (key, taken) = match first {
            0x1b => return self.escape(more, keys),
            b'\r' => (Key::Enter, 1),
            b'\n' => (Key::Newline, 1),
            0x7f | 0x08 => (Key::Backspace, 1),
            0..0x20 => (Key::Ctrl(char::from(first | 0x60)), 1),
            _ => return self.text(keys),
        };
        keys.push(key);
        taken
    }

    fn text(&mut self, keys: &mut Vec<Key>) -> usize {
        let end = self.rest.iter().position(|&b| b < 0x20 || b == 0x7f).unwrap_or(self.rest.len());
        let (text, taken) = match std::str::from_utf8(&self.rest[..end]) {
            Ok(text) => (text.to_owned(), end),
            // A character split at the end of the chunk waits for its other bytes.
            Err(error) if error.error_len().is_none() && end == self.rest.len() => {
                let good = error.valid_up_to();
                (String::from_utf8_lossy(&self.rest[..good]).into_owned(), good)
            }
            Err(_) => (String::from_utf8_lossy(&self.rest[..end]).into_owned(), end),
        };
        if !text.is_empty() {
            keys.push(Key::Text(text));
        }
        taken
    }

    fn escape(&mut self, more: bool, keys: &mut Vec<Key>) -> usize {
        match self.rest.get(1) {
            None if more => 0,
            None | Some(0x1b) => {
                keys.push(Key::Escape);
                1
            }
            Some(b'\r') => {
                keys.push(Key::Newline);
                2
            }
            Some(b'[') => {
                let Some(end) = self.rest.iter().skip(2).position(|b| (0x40..=0x7e).contains(b)) else {
                    return 0;
                };
                if self.rest.starts_with(b"\x1b[200~") {
                    self.paste = Some(Vec::new());
                } else if self.rest.starts_with(b"\x1b[Z") {
                    keys.push(Key::BackTab);
                }
                end + 3
            }
            Some(b'O') if self.rest.len() < 3 => 0,
            Some(b'O') => 3,
            // A terminal's answer to a query, up to BEL or ST.
            Some(b']' | b'P' | b'_') => {
                let end = self.rest.iter().position(|&b| b == 7).map(|at| at + 1);
                let st = self.rest.windows(2).skip(2).position(|w| w == b"\x1b\\").map(|at| at + 4);
                end.or(st).unwrap_or(0)
            }
            Some(_) => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&[u8]], wanted: &[Key]) {
        let mut decoder = Decoder::default();
        let keys: Vec<Key> = chunks.iter().flat_map(|chunk| decoder.feed(chunk, false)).collect();
        assert_eq!(keys, wanted, "{chunks:?}");
    }

    fn text(text: &str) -> Key {
        Key::Text(text.to_owned())
    }

    #[test]
    fn keys_are_distinguished() {
        check(&[b"hi\r"], &[text("hi"), Key::Enter]);
        check(&[b"\x7f\n\x03\x1b"], &[Key::Backspace, Key::Newline, Key::Ctrl('c'), Key::Escape]);
        check(&[b"\x1b[Zx"], &[Key::BackTab, text("x")]);
        check(&[b"\x1b[A\x1bOB\x1b[<0;3;4Mx"], &[text("x")]);
        check(&[b"\x1b]11;rgb:0/0/0\x07y\x1b\r"], &[text("y"), Key::Newline]);
        check(&[b"\x1b]11;rgb:0/0/0\x1b\\y"], &[text("y")]);
    }

    #[test]
    fn a_paste_is_one_key_for_any_chunking() {
        let wanted = [Key::Paste("one\ntwo \u{1b}[A".into()), Key::Enter];
        check(&[b"\x1b[200~one\rtwo \x1b[A\x1b[201~\r"], &wanted);
        check(&[b"\x1b[200~one", b"\rtwo \x1b[A\x1b[20", b"1~\r"], &wanted);
    }

    #[test]
    fn split_characters_and_sequences_wait_for_the_rest() {
        check(&[b"gr\xc3", b"\xb6\xc3\x9fe"], &[text("gr"), text("öße")]);
        check(&[b"\x1b[1;", b"2Ax"], &[text("x")]);
        let mut decoder = Decoder::default();
        assert_eq!(decoder.feed(b"\x1b", true), []);
        assert_eq!(decoder.feed(b"[200~x\x1b[201~", false), [Key::Paste("x".into())]);
    }
}
