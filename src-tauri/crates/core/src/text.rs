//! Sanitizes text for terminals, titles and logs, because untrusted text must not control the terminal. Also
//! cuts, measures and normalizes text.
//!
//! Escape sequences are removed as a whole, so that no `[31m` remains; a sequence without an end never
//! removes text after it.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The text on one line without control, escape and bidirectional characters.
pub fn one_line(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without control, escape and bidirectional characters; line breaks and tabs are kept. Every kind
/// of line ending becomes a newline.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\u{1b}' => after_escape(after),
            '\u{9b}' => after_control_sequence(after),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => after_control_string(after),
            '\r' => {
                out.push('\n');
                after.strip_prefix('\n').unwrap_or(after)
            }
            '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push('\n');
                after
            }
            c => {
                if matches!(c, '\n' | '\t') || !is_unsafe(c) {
                    out.push(c);
                }
                after
            }
        };
    }
    out
}

/// Replaces invisible and control characters with their code points, such as `⟨U+202E⟩`, in text that a user
/// has to approve. Newlines and tabs are kept. The UI's equivalent is in `ui/src/words/text.ts`.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c if is_unsafe(c) || is_filler(c) => out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character is invisible or changes how others are displayed. Some of these characters are also in
/// [`is_unsafe`].
fn is_filler(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Truncates the text to `max` characters, the last of which is `…` if the text was too long.
pub fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    if max == 0 {
        return String::new();
    }
    let mut out: String = text.chars().take(max - 1).collect();
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// The longest prefix of at most `max` bytes that ends at a character boundary.
pub fn head(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// The text's length in UTF-16 code units, as claude counts it for its limits on injected context. It is
/// never less than the number of characters.
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The longest prefix of at most `max` [`units`].
pub fn head_of_units(text: &str, max: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.len_utf16();
        used > max
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// A number with thousands separators: `12,345`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The text in lower case, with one `-` for every run of characters other than ASCII letters and digits, and
/// none at the ends.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Whether the text has no visible character: it is empty, or has only spaces, combining marks without a base,
/// fillers and similar characters.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(shows_nothing)
}

/// Whether a character alone is invisible. The replacement character U+FFFD also counts as invisible.
pub fn shows_nothing(c: char) -> bool {
    c.is_whitespace()
        || is_unsafe(c)
        || is_combining_mark(c)
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{200C}' | '\u{200D}'
            | '\u{2800}' | '\u{3164}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}'
            | '\u{FFFD}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// The text in composed form (NFC), as terminals and claude write it.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// Returns the text after an escape character's sequence.
fn after_escape(text: &str) -> &str {
    match text.as_bytes().first() {
        Some(b'[') => after_control_sequence(&text[1..]),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => after_control_string(&text[1..]),
        Some(b' '..=b'/') => {
            let rest = text.trim_start_matches(|c| matches!(c, ' '..='/'));
            rest.strip_prefix(|c| matches!(c, '0'..='~')).unwrap_or(rest)
        }
        Some(b'0'..=b'~') => &text[1..],
        _ => text,
    }
}

/// Returns the text after the parameters and the final byte of a control sequence (CSI).
fn after_control_sequence(text: &str) -> &str {
    let rest =
        text.trim_start_matches(|c| matches!(c, '0'..='?')).trim_start_matches(|c| matches!(c, ' '..='/'));
    // Without a final byte, the text is not a control sequence, and the parameters are kept as text.
    rest.strip_prefix(|c| matches!(c, '@'..='~')).unwrap_or(text)
}

/// Returns the text after a control string (OSC, DCS and the like). A string that does not end on its line is
/// kept as text.
fn after_control_string(text: &str) -> &str {
    let line = &text[..text.find(['\n', '\r']).unwrap_or(text.len())];
    [("\u{7}", 1), ("\u{1b}\\", 2), ("\u{9c}", 2)]
        .into_iter()
        .filter_map(|(end, len)| line.find(end).map(|at| at + len))
        .min()
        .map_or(text, |end| &text[end..])
}

/// Control characters (C0, C1, DEL), and characters that reorder or hide text. The joiners U+200C and U+200D
/// are allowed, because scripts and emoji need them.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Quotes one word for a POSIX shell.
pub(crate) fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_without_visible_characters_is_blank() {
        for blank in [
            "",
            " \n\t\u{a0}",
            "\u{ad}",
            "\u{301}",
            "\u{3164}\u{115f}\u{ffa0}",
            "\u{fffd}",
            "\u{200b}\u{200d}",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for more in
            ["\u{2800}", "\u{fe0f}", "\u{e0041}", "\u{202e}\u{2066}", "\u{ffff}", "\u{fdd0}", "\u{1b}"]
        {
            assert!(is_blank(more), "{more:?}");
        }
        for text in ["a", "e\u{301}", "a\u{ad}b", "🎉", "👩\u{200d}💻", "日", ".", "\u{e000}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn escape_sequences_are_removed_completely() {
        for (input, expect) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[?25l\u{1b}[2;3Hx", "x"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}Pq#0\u{1b}\\x", "x"),
            ("\u{9b}31mred", "red"),
            ("\u{1b}(Bx\u{1b}cx", "xx"),
            ("a\u{8}b\u{0}c\u{7f}", "abc"),
        ] {
            assert_eq!(plain(input), expect, "{input:?}");
        }
    }

    #[test]
    fn an_unfinished_sequence_removes_no_other_text() {
        assert_eq!(plain("\u{1b}]0;never ended\nnext line"), "0;never ended\nnext line");
        assert_eq!(plain("\u{1b}[12äh"), "12äh");
        assert_eq!(plain("end\u{1b}"), "end");
    }

    #[test]
    fn all_line_endings_become_newlines() {
        assert_eq!(plain("a\r\nb\rc\u{2028}d\u{85}e"), "a\nb\nc\nd\ne");
        assert_eq!(one_line(" a\r\n\tb \u{2029}c "), "a b c");
    }

    #[test]
    fn reordering_and_hiding_characters_are_removed_and_joiners_kept() {
        assert_eq!(plain("a\u{202E}b\u{2066}c\u{200B}d\u{E0041}"), "abcd");
        assert_eq!(plain("👩\u{200D}💻 می\u{200C}خواهم"), "👩\u{200D}💻 می\u{200C}خواهم");
    }

    #[test]
    fn cut_ends_in_an_ellipsis_within_the_limit() {
        assert_eq!(cut("größer", 6), "größer");
        assert_eq!(cut("größer", 4), "grö…");
        assert_eq!(cut("ab cd", 4), "ab…");
        assert_eq!(cut("ab", 0), "");
    }

    #[test]
    fn counts_are_grouped_by_thousands() {
        for (n, expect) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), expect);
        }
    }

    #[test]
    fn texts_are_measured_and_cut_in_utf16_units() {
        assert_eq!((units("größe"), units("a🙂")), (5, 3));
        let heads = [("a🙂b", 2), ("a🙂b", 3), ("ab", 9)].map(|(text, max)| head_of_units(text, max));
        assert_eq!(heads, ["a", "a🙂", "ab"]);
    }

    proptest! {
        #[test]
        fn sanitized_text_contains_no_control_characters(text in any::<String>()) {
            let out = plain(&text);
            prop_assert!(out.chars().all(|c| matches!(c, '\n' | '\t') || !is_unsafe(c)), "{out:?}");
            prop_assert_eq!(plain(&out), out.clone());
            prop_assert!(one_line(&text).chars().all(|c| !is_unsafe(c)));
        }

        #[test]
        fn text_without_control_characters_is_unchanged(text in "[ -~äß漢\n\t]*") {
            prop_assert_eq!(plain(&text), text);
        }

        #[test]
        fn cut_and_head_keep_their_limits(text in any::<String>(), max in 0usize..50) {
            prop_assert!(cut(&text, max).chars().count() <= max);
            prop_assert!(head(&text, max).len() <= max);
            prop_assert!(text.starts_with(head(&text, max)));
        }
    }

    #[test]
    fn hidden_characters_are_named() {
        assert_eq!(
            visible("rm x\u{202E} # \u{1b}[2J\n\tsafe\u{200B}\u{E0041} é"),
            "rm x⟨U+202E⟩ # ⟨U+001B⟩[2J\n\tsafe⟨U+200B⟩⟨U+E0041⟩ é"
        );
    }
}
