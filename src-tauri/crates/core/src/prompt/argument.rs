//! Makes text safe as claude's prompt argument.

use crate::text;

/// The maximum length of a prompt argument, in bytes. Linux refuses an argument of 131,072 bytes or more.
pub const ARGUMENT_MAX: usize = 102_400;

const CUT: &str = "\n\n[The text was cut here: it was longer than 100 KB.]";

/// Returns the text as an argument that claude always reads as a prompt: at most [`ARGUMENT_MAX`] bytes,
/// without terminal escapes and control characters other than newlines and tabs. A single word gets a
/// trailing space, because claude would interpret it as a subcommand. Text that starts with `!` gets a
/// leading space, because claude would run it as a shell command. Pass the result after `--`.
pub fn safe_argument(text: &str) -> String {
    let mut out = text::plain(text);
    if out.starts_with('!') {
        out.insert(0, ' ');
    }
    let bare_word = !out.is_empty() && !out.contains(char::is_whitespace);
    if out.len() + usize::from(bare_word) > ARGUMENT_MAX {
        out.truncate(text::head(&out, ARGUMENT_MAX - CUT.len()).len());
        out.push_str(CUT);
    } else if bare_word {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_single_word_is_never_a_subcommand() {
        assert_eq!(safe_argument("mcp"), "mcp ");
        assert_eq!(safe_argument("mcp\u{0}"), "mcp ");
        assert_eq!(safe_argument("fix it"), "fix it");
        assert_eq!(safe_argument(""), "");
    }

    #[test]
    fn a_prompt_is_never_a_shell_command() {
        assert_eq!(safe_argument("!rm -rf x"), " !rm -rf x");
        assert_eq!(safe_argument("\u{1b}[0m!ls -l"), " !ls -l");
        assert_eq!(safe_argument("wow!"), "wow! ");
    }

    #[test]
    fn overlong_prompts_are_cut_between_characters_with_a_notice() {
        let out = safe_argument(&"ä ".repeat(80_000));
        assert!(out.len() <= ARGUMENT_MAX && out.len() > ARGUMENT_MAX - 4, "{}", out.len());
        assert!(out.ends_with("longer than 100 KB.]"));
        let fits = "a ".repeat(ARGUMENT_MAX / 2);
        assert_eq!(safe_argument(&fits), fits);
        assert!(safe_argument(&"x".repeat(ARGUMENT_MAX)).len() <= ARGUMENT_MAX);
    }

    proptest! {
        #[test]
        fn the_argument_keeps_its_invariants(text in any::<String>()) {
            let out = safe_argument(&text);
            prop_assert!(out.len() <= ARGUMENT_MAX);
            prop_assert!(out.is_empty() || out.contains(char::is_whitespace));
            prop_assert!(!out.starts_with('!'));
            prop_assert!(!out.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
            prop_assert_eq!(safe_argument(&out), out.clone());
        }
    }
}
