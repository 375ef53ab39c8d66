//! A text on its way to claude's prompt: what may be in it, and how it is typed.

/// The longest text that is typed, in bytes.
pub const TEXT_MAX: usize = 256 * 1024;

/// A text that cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// There is nothing in it.
    #[error("there is nothing to send: the text is empty")]
    Empty,
    /// It is too long to be typed.
    #[error(
        "the text has {bytes} bytes and at most {TEXT_MAX} can be typed into claude; \
         put it into a file and send the file's name"
    )]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}

/// The text as it will be typed: no control characters but newlines and tabs, no direction marks, for
/// which claude wants a second Enter, and nothing that it would take for something else than a text or a
/// `/command`.
pub(crate) fn clean(text: &str) -> Result<String, TextError> {
    if text.len() > TEXT_MAX {
        return Err(TextError::TooLong { bytes: text.len() });
    }
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept: String = lines.chars().filter(|c| matches!(c, '\n' | '\t') || !is_left_out(*c)).collect();
    let mut text = kept.trim_start_matches('\n').trim_end().to_owned();
    if text.trim().is_empty() {
        return Err(TextError::Empty);
    }
    // A first `!` would run the line as a shell command without asking; older versions take `#` for
    // a note to be kept, and ask where.
    if text.starts_with(['!', '#']) {
        text.insert(0, ' ');
    }
    // A last backslash would make Enter a new line.
    if text.ends_with('\\') {
        text.push(' ');
    }
    Ok(text)
}

fn is_left_out(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What nobody sees in a text; claude takes it out of a prompt.
fn is_invisible(c: char) -> bool {
    is_left_out(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}'
                | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether claude takes the text for one of its commands.
pub(crate) fn is_command(text: &str) -> bool {
    text.starts_with('/')
}

/// The text as a terminal pastes it.
pub(crate) fn paste(text: &str) -> Vec<u8> {
    format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")).into_bytes()
}

/// Whether the prompt that claude reports is this text. Claude trims, expands tabs, and wraps long
/// ones, so blanks and what is invisible do not count and the beginning is enough.
pub(crate) fn is_prompt(prompt: &str, text: &str) -> bool {
    let counts = |c: &char| !c.is_whitespace() && !is_invisible(*c);
    let squeezed = |s: &str| s.chars().filter(counts).take(4000).collect::<String>();
    let wanted: String = squeezed(text).chars().take(200).collect();
    squeezed(prompt).contains(&wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(clean(text).as_deref(), Ok(expect));
    }

    #[test]
    fn sequences_and_controls_are_taken_out() {
        check("a\u{1b}[2Jb\u{7}\u{0}c\u{9b}d", "a[2Jbcd");
        check("\u{1b}[201~\rrm", "[201~\nrm");
        check("one\r\ntwo\tthree\n\n", "one\ntwo\tthree");
    }

    #[test]
    fn marks_that_turn_text_around_are_taken_out_as_claude_does() {
        check("touch a # \u{202e}txt.exe\u{2066}\u{200f}", "touch a # txt.exe");
        check("zero\u{200b}width", "zero\u{200b}width");
        assert!(is_prompt("zerowidth ❤", "zero\u{200b}width ❤\u{fe0f}"));
        assert!(!is_prompt("zerowidth", "\u{200b}another"));
    }

    #[test]
    fn families_of_emoji_stay_together() {
        check("👩‍💻 schön", "👩‍💻 schön");
    }

    #[test]
    fn what_claude_would_take_for_something_else_gets_a_blank() {
        check("!rm -rf /", " !rm -rf /");
        check("\n\n!ls", " !ls");
        check("# note", " # note");
        check("path\\", "path\\ ");
        check("/clear", "/clear");
        assert!(is_command("/clear") && !is_command(" /clear"));
    }

    #[test]
    fn nothing_and_too_much_are_refused_with_a_way_out() {
        assert_eq!(clean(" \n\u{1b}"), Err(TextError::Empty));
        let error = clean(&"x".repeat(1 << 20)).unwrap_err();
        assert!(error.to_string().contains("put it into a file"), "{error}");
    }

    #[test]
    fn a_paste_cannot_end_itself() {
        let text = clean("a\u{1b}[201~\rb").unwrap();
        let pasted = String::from_utf8(paste(&text)).unwrap();
        assert_eq!(pasted.matches('\u{1b}').count(), 2, "{pasted:?}");
    }

    #[test]
    fn a_reported_prompt_is_known_again() {
        assert!(is_prompt("tab    here", "tab\there"));
        assert!(is_prompt("\n<pasted_content id=\"1\">\nlong text\n</pasted_content>", "long text\n"));
        assert!(!is_prompt("another one", "long text"));
    }
}
