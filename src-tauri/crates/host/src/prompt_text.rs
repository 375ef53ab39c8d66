//! The text of a prompt: its permitted content, the input that types it, and its recognition in claude's
//! report.

use bc_core::text;

/// The maximum length of a prompt, in bytes.
pub const TEXT_MAX: usize = 256 * 1024;

/// The reason that a prompt cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The text is empty, or has only whitespace and removed characters.
    #[error("nothing to send: the text is empty")]
    Empty,
    /// The text consists only of invisible characters, which claude would silently drop.
    #[error("nothing to send: the text has no visible characters")]
    Invisible,
    /// The text is too long to type.
    #[error(
        "the text has {bytes} bytes; at most {TEXT_MAX} can be typed into claude; \
         put it into a file and send the file's name"
    )]
    TooLong { bytes: usize },
}

/// Returns the text to type. Control characters other than newlines and tabs are removed, and so are
/// direction marks, for which claude would ask for a second Enter. Added spaces keep claude from
/// treating a leading `!` or `#`, or a trailing backslash or `@file`, specially.
pub(crate) fn clean(raw: &str) -> Result<String, TextError> {
    if raw.len() > TEXT_MAX {
        return Err(TextError::TooLong { bytes: raw.len() });
    }
    let lines = raw.replace("\r\n", "\n").replace('\r', "\n");
    let printable: String = lines.chars().filter(|c| matches!(c, '\n' | '\t') || !is_stripped(*c)).collect();
    let mut text = printable.trim_start_matches('\n').trim_end().to_owned();
    if text.trim().is_empty() {
        return Err(TextError::Empty);
    }
    if text::is_blank(&text) {
        return Err(TextError::Invisible);
    }
    // A leading `!` would run the line as a shell command without asking. Older versions treat a leading `#`
    // as a note and ask where to save it.
    if text.starts_with(['!', '#']) {
        text.insert(0, ' ');
    }
    // After a trailing backslash, Enter would insert a line break. After a trailing `@file`, Enter would
    // accept claude's completion instead of sending the text.
    let ends_with_mention = text.rsplit(char::is_whitespace).next().is_some_and(|word| word.starts_with('@'))
        || (text.ends_with('"') && text.contains("@\""));
    if text.ends_with('\\') || ends_with_mention {
        text.push(' ');
    }
    Ok(text)
}

fn is_stripped(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether claude treats the text as one of its commands.
pub(crate) fn is_command(text: &str) -> bool {
    text.starts_with('/')
}

pub(crate) fn paste(text: &str) -> Vec<u8> {
    format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")).into_bytes()
}

/// Whether a prompt reported by claude is this text. Claude trims text, expands tabs, wraps long lines,
/// removes invisible characters and composes letters with their marks. These differences are ignored, and
/// only the beginning is compared.
pub(crate) fn is_prompt(prompt: &str, text: &str) -> bool {
    let squeezed = |s: &str, most: usize| {
        text::composed(s).chars().filter(|c| !text::shows_nothing(*c)).take(most).collect::<String>()
    };
    squeezed(prompt, 4000).contains(&squeezed(text, 200))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(clean(text).as_deref(), Ok(expect));
    }

    #[test]
    fn escape_sequences_and_control_characters_are_stripped() {
        check("a\u{1b}[2Jb\u{7}\u{0}c\u{9b}d", "a[2Jbcd");
        check("\u{1b}[201~\rrm", "[201~\nrm");
        check("one\r\ntwo\tthree\n\n", "one\ntwo\tthree");
    }

    #[test]
    fn direction_marks_are_stripped_as_claude_does() {
        check("touch a # \u{202e}txt.exe\u{2066}\u{200f}", "touch a # txt.exe");
        check("zero\u{200b}width", "zero\u{200b}width");
        assert!(is_prompt("zerowidth ❤", "zero\u{200b}width ❤\u{fe0f}"));
        assert!(!is_prompt("zerowidth", "\u{200b}another"));
    }

    #[test]
    fn joined_emoji_stay_together() {
        check("👩‍💻 schön", "👩‍💻 schön");
    }

    #[test]
    fn text_with_a_special_meaning_for_claude_gets_a_space() {
        check("!rm -rf /", " !rm -rf /");
        check("\n\n!ls", " !ls");
        check("# note", " # note");
        check("path\\", "path\\ ");
        check("see @src/a.rs", "see @src/a.rs ");
        check("see @\"a b.rs\"", "see @\"a b.rs\" ");
        check("to me@example.org", "to me@example.org");
        check("/clear", "/clear");
        assert!(is_command("/clear") && !is_command(" /clear"));
    }

    #[test]
    fn empty_and_oversized_texts_are_refused() {
        assert_eq!(clean(" \n\u{1b}"), Err(TextError::Empty));
        let error = clean(&"x".repeat(1 << 20)).unwrap_err();
        assert!(error.to_string().contains("put it into a file"), "{error}");
    }

    #[test]
    fn a_text_of_invisible_characters_is_refused() {
        for text in
            ["\u{ad}", "\u{301}", "\u{3164}", "\u{fffd}", "\u{200b}\u{200d}", "\u{202e}\u{2066}", "\u{fe0f}"]
        {
            assert!(matches!(clean(text), Err(TextError::Invisible | TextError::Empty)), "{text:?}");
        }
        check("e\u{301}", "e\u{301}");
    }

    #[test]
    fn texts_that_claude_normalizes_are_recognized() {
        assert!(is_prompt("\u{e9}t\u{e9}", "e\u{301}te\u{301}"));
        assert!(is_prompt("ab", "a\u{3164}b"));
        assert!(!is_prompt("ac", "a\u{3164}b"));
    }

    #[test]
    fn a_paste_cannot_contain_its_own_end() {
        let text = clean("a\u{1b}[201~\rb").unwrap();
        let pasted = String::from_utf8(paste(&text)).unwrap();
        assert_eq!(pasted.matches('\u{1b}').count(), 2, "{pasted:?}");
    }

    #[test]
    fn a_reported_prompt_is_recognized() {
        assert!(is_prompt("tab    here", "tab\there"));
        assert!(is_prompt("\n<pasted_content id=\"1\">\nlong text\n</pasted_content>", "long text\n"));
        assert!(!is_prompt("another one", "long text"));
    }
}
