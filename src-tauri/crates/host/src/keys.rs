//! Distinguishes the user's input from automatic answers of a terminal.
//!
//! Focus reports, answers to queries and mouse motion without a button are automatic. All other input counts
//! as typed.

/// The maximum length of an incomplete sequence, in bytes. A longer one counts as typed.
const UNFINISHED_MAX: usize = 64 * 1024;

/// The kind of an input chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyKind {
    /// Only automatic answers.
    Automatic,
    Typed,
    /// Automatic, except for an incomplete sequence at the end that may be typed or automatic.
    Undecided,
}

/// Classifies the input of one terminal, including sequences that are split across chunks.
#[derive(Debug, Default)]
pub(crate) struct KeyClassifier {
    unfinished: Vec<u8>,
}

enum Token {
    Automatic(usize),
    Typed,
    Unfinished,
}

impl KeyClassifier {
    /// Classifies the next chunk.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> KeyKind {
        let mut all = std::mem::take(&mut self.unfinished);
        all.extend_from_slice(bytes);
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            match token(rest) {
                Token::Automatic(length) => rest = &rest[length..],
                Token::Typed => return KeyKind::Typed,
                Token::Unfinished if rest.len() > UNFINISHED_MAX => return KeyKind::Typed,
                Token::Unfinished => {
                    self.unfinished = rest.to_vec();
                    return KeyKind::Undecided;
                }
            }
        }
        KeyKind::Automatic
    }
}

fn token(bytes: &[u8]) -> Token {
    match bytes {
        // A lone ESC at the end of a chunk counts as the Escape key, because an answer is hardly ever split
        // there.
        [0x1b, b'[', rest @ ..] => csi(rest),
        [0x1b, b']' | b'P' | b'_' | b'^', rest @ ..] => text(rest),
        _ => Token::Typed,
    }
}

/// Classifies a sequence by its part after `ESC [`.
fn csi(rest: &[u8]) -> Token {
    if let [b'M', report @ ..] = rest {
        // The oldest mouse encoding, with the button and the position as one byte each.
        return match report {
            [button, _, _, ..] if button.wrapping_sub(32) & 0b0110_0011 == 0b0010_0011 => Token::Automatic(6),
            [_, _, _, ..] => Token::Typed,
            _ => Token::Unfinished,
        };
    }
    let Some(end) = rest.iter().position(|b| !(0x20..=0x3f).contains(b)) else { return Token::Unfinished };
    let (middle, last) = (&rest[..end], rest[end]);
    let numbers: Vec<u32> = middle
        .split(|b| !b.is_ascii_digit())
        .filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
        .collect();
    let automatic = match (middle.first(), last) {
        (None, b'I' | b'O') => true,
        // Device attributes, keyboard flags, modes, the cursor's position, the colour scheme. No key's
        // sequence starts with `?` or `>`.
        (Some(b'?' | b'>'), b'c' | b'u' | b'R' | b'n' | b'y') => true,
        (_, b'y') => middle.last() == Some(&b'$'),
        (_, b'n' | b't') => !middle.is_empty(),
        // The cursor's position. In the first line, it could also be F3 with a modifier.
        (_, b'R') => numbers.len() == 2 && numbers[0] > 1,
        // Motion without a button.
        (Some(b'<'), b'M' | b'm') => numbers.first().is_some_and(|b| b & 0b0110_0011 == 0b0010_0011),
        _ => false,
    };
    if automatic { Token::Automatic(2 + end + 1) } else { Token::Typed }
}

/// Classifies a string by its part after the introducer. Colours, terminal names and graphics answers are
/// automatic.
fn text(rest: &[u8]) -> Token {
    let Some(at) = rest.iter().position(|byte| matches!(byte, 0x07 | 0x1b)) else { return Token::Unfinished };
    match (rest[at], rest.get(at + 1)) {
        (0x07, _) => Token::Automatic(2 + at + 1),
        (_, Some(b'\\')) => Token::Automatic(2 + at + 2),
        (_, Some(_)) => Token::Typed,
        (_, None) => Token::Unfinished,
    }
}

/// Whether these keys may contain Enter.
pub(crate) fn enters(bytes: &[u8]) -> bool {
    bytes.contains(&b'\r')
        || bytes.contains(&b'\n')
        || bytes.windows(5).any(|keys| keys.starts_with(b"\x1b[13"))
}

/// Whether the input is a single key that stops claude's turn: Escape or Ctrl+C, also in the encodings of
/// newer keyboard protocols.
pub(crate) fn stops(bytes: &[u8]) -> bool {
    let keys: [&[u8]; 6] = [b"\x1b", b"\x03", b"\x1b[27u", b"\x1b[27;1u", b"\x1b[99;5u", b"\x1b[27;5;99~"];
    keys.contains(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], expect: KeyKind) {
        assert_eq!(KeyClassifier::default().feed(input), expect, "{:?}", String::from_utf8_lossy(input));
    }

    #[test]
    fn terminal_reports_are_automatic() {
        for reply in [
            &b"\x1b[I"[..],
            b"\x1b[O",
            b"\x1b[?62;4c",
            b"\x1b[>1;4000;29c",
            b"\x1b[?1u",
            b"\x1b[?2026;2$y",
            b"\x1b[24;80R",
            b"\x1b[?24;80R",
            b"\x1b[0n",
            b"\x1b[?997;1n",
            b"\x1b[8;24;80t",
            b"\x1b[<35;10;20M",
            b"\x1b[MC!!",
            b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
            b"\x1b]10;rgb:ff/ff/ff\x07",
            b"\x1bP>|xterm(370)\x1b\\",
            b"\x1b_Gi=31;OK\x1b\\",
            b"\x1b[I\x1b[?62c\x1b]11;rgb:0/0/0\x07",
            b"",
        ] {
            check(reply, KeyKind::Automatic);
        }
    }

    #[test]
    fn keys_and_mouse_buttons_count_as_typed() {
        for keys in [
            &b"a"[..],
            b"\r",
            b"\x1b",
            b"\x1b[A",
            b"\x1bOP",
            b"\x1b[1;2R",
            b"\x1b[200~text\x1b[201~",
            b"\x1b[97;5u",
            b"\x1b[<0;10;20M",
            b"\x1b[<32;10;20M",
            b"\x1b[<64;10;20M",
            b"\x1b[M !!",
            b"\x1bx",
            b"\x1b[Iy",
            b"\x03",
            "ü".as_bytes(),
        ] {
            check(keys, KeyKind::Typed);
        }
    }

    #[test]
    fn an_answer_split_across_two_chunks_is_classified_by_the_second() {
        for at in 2..8 {
            let reply = b"\x1b[?62;4c";
            let mut keys = KeyClassifier::default();
            assert_eq!(keys.feed(&reply[..at]), KeyKind::Undecided, "cut at {at}");
            assert_eq!(keys.feed(&reply[at..]), KeyKind::Automatic, "cut at {at}");
        }
        let mut keys = KeyClassifier::default();
        assert_eq!(keys.feed(b"\x1b["), KeyKind::Undecided);
        assert_eq!(keys.feed(b"A"), KeyKind::Typed);
    }

    #[test]
    fn an_endless_string_is_not_waited_for() {
        let mut keys = KeyClassifier::default();
        keys.feed(b"\x1b]");
        assert_eq!(keys.feed(&vec![b'x'; 100_000]), KeyKind::Typed);
    }
}
