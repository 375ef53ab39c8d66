//! Prepares text for the full-text index, and turns the user's input into an expression for it.

use std::borrow::Cow;

/// The maximum number of search words. More words do not improve a search.
const WORDS: usize = 32;
/// The maximum number of characters of a word.
const WORD: usize = 200;
/// A zero-width space: invisible, and a word boundary for the tokenizer.
const BREAK: char = '\u{200b}';

/// Adds a break around each character of scripts that do not separate words with spaces. Each such character
/// is then a word, and several characters are a phrase.
pub(crate) fn segmented(text: &str) -> Cow<'_, str> {
    if !text.chars().any(stands_alone) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if stands_alone(c) {
            out.extend([BREAK, c, BREAK]);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Removes the breaks of [`segmented`].
pub(crate) fn joined(text: &str) -> String {
    text.replace(BREAK, "")
}

/// Whether the character is of a script without spaces between words: Han, kana, Thai, Lao, Khmer or Myanmar.
fn stands_alone(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// The user's input, as expressions for the index.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    /// The expression that matches text with all words.
    pub(crate) all: String,
    /// The expression that matches text with any of the words, for snippets.
    pub(crate) any: String,
    /// The first letters and digits of each word as typed, for [`match_window`](crate::match_window).
    pub(crate) begins: Vec<String>,
    /// The words and phrases, if all of them are ASCII.
    pub(crate) plain: Option<Vec<Phrase>>,
    /// Whether words were omitted or shortened, because there are too many or they are too long.
    pub(crate) cut: bool,
}

/// A word, or several consecutive words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    pub(crate) words: Vec<String>,
    /// Whether the last word is a prefix.
    pub(crate) beginning: bool,
}

/// The expression for the input; `None` if the input has no letter or digit.
pub(crate) fn expression(typed: &str) -> Option<Expression> {
    let mut words = Vec::new();
    let mut begins = Vec::new();
    let mut phrases = Vec::new();
    let mut cut = false;
    // Every second part is in quotes. An unclosed quote is ignored.
    let parts: Vec<&str> = typed.split('"').collect();
    let quoted = |at: usize| at % 2 == 1 && at + 1 < parts.len();
    for (at, part) in parts.iter().enumerate() {
        let pieces: Vec<&str> = if quoted(at) { vec![part] } else { part.split_whitespace().collect() };
        for piece in pieces {
            if !piece.chars().any(char::is_alphanumeric) {
                continue;
            }
            if words.len() == WORDS {
                cut = true;
                break;
            }
            let short: String = piece.chars().filter(|c| *c != '\0').take(WORD).collect();
            cut |= short.len() < piece.len();
            let first = short.split(|c: char| !c.is_alphanumeric()).find(|run| !run.is_empty());
            begins.extend(first.map(str::to_owned));
            let runs = short.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
            phrases.push(Phrase { words: runs.map(str::to_owned).collect(), beginning: false });
            words.push(format!("\"{}\"", segmented(&short)));
        }
    }
    let typing = !typed.ends_with(|c: char| c.is_whitespace() || c == '"');
    if let Some(last) = words.last_mut().filter(|_| typing) {
        last.push('*');
        phrases.last_mut().expect("there is one for each word").beginning = true;
    }
    let plain = typed.is_ascii().then_some(phrases);
    let (all, any) = (words.join(" AND "), words.join(" OR "));
    (!words.is_empty()).then_some(Expression { all, any, begins, plain, cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(typed: &str) -> Option<String> {
        expression(typed).map(|e| e.all)
    }

    #[test]
    fn all_words_are_required_and_the_last_may_be_a_prefix() {
        assert_eq!(all("fix log").as_deref(), Some("\"fix\" AND \"log\"*"));
        assert_eq!(all("fix log ").as_deref(), Some("\"fix\" AND \"log\""));
    }

    #[test]
    fn closed_quotes_make_a_phrase() {
        assert_eq!(all("\"exit code\" bash").as_deref(), Some("\"exit code\" AND \"bash\"*"));
        assert_eq!(all("say \"exit code").as_deref(), Some("\"say\" AND \"exit\" AND \"code\"*"));
    }

    #[test]
    fn query_operators_are_literal_text() {
        assert_eq!(
            all("a.*b NOT (c OR d:e)").as_deref(),
            Some("\"a.*b\" AND \"NOT\" AND \"(c\" AND \"OR\" AND \"d:e)\"*")
        );
        assert_eq!(all("^$ .* [] \\ -"), None);
        assert_eq!(all(""), None);
    }

    #[test]
    fn ten_thousand_characters_are_cut() {
        let long = expression(&"word ".repeat(2000)).expect("there are words");
        assert!(long.cut && long.all.matches("AND").count() == WORDS - 1);
        assert!(expression(&"x".repeat(10_000)).expect("a word").cut);
    }

    #[test]
    fn characters_of_scripts_without_spaces_are_words_and_restored() {
        assert_eq!(segmented("漢字 ab").matches(BREAK).count(), 4);
        assert_eq!(joined(&segmented("漢字 ab ไทย")), "漢字 ab ไทย");
        assert!(matches!(segmented("größer שלום"), Cow::Borrowed(_)));
    }
}
