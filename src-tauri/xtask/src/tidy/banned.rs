//! Checks for retired names and phrases that docs/STYLE.md bans. Each has a replacement.
//!
//! The list is `banned.txt`, with `phrase | replacement` on each line; `#` starts a comment. A lower-case
//! phrase matches case-insensitively at word boundaries, and also as part of a name such as `made_anew`. A
//! phrase after `^` matches only at the start of a comment. A phrase with a capital letter, `_` or `::` is a
//! name and matches exactly.

use super::source::{SourceFile, Violation};
use std::sync::LazyLock;

/// The kinds of files that are checked, by file extension.
const KINDS: &[&str] = &["rs", "svelte", "ts", "md", "js"];

/// Folders and files with history, third-party text, or the phrases themselves.
const EXEMPT: &[&str] = &[
    "CHANGELOG.md",
    "docs/STYLE.md",
    "docs/decisions/",
    "src-tauri/crates/redact/gitleaks/",
    "src-tauri/xtask/src/tidy/banned.rs",
];

/// The positions in which a phrase is refused.
enum Matches {
    /// Anywhere, in any case.
    Words,
    /// At the start of a comment, in any case.
    CommentStart,
    /// Anywhere, in exactly this case.
    Name,
}

struct Banned {
    phrase: &'static str,
    replacement: &'static str,
    matches: Matches,
}

static BANNED: LazyLock<Vec<Banned>> = LazyLock::new(|| parse(include_str!("banned.txt")));

/// Parses a list. A line without a separator becomes a row without a replacement, which a test refuses.
fn parse(list: &'static str) -> Vec<Banned> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = lines.map(|line| line.split_once('|').unwrap_or((line, "")));
    rows.map(|(phrase, replacement)| {
        let phrase = phrase.trim();
        let is_name = phrase.contains(|c: char| c.is_uppercase() || c == '_') || phrase.contains("::");
        let (phrase, matches) = match phrase.strip_prefix('^') {
            Some(start) => (start, Matches::CommentStart),
            None if is_name => (phrase, Matches::Name),
            None => (phrase, Matches::Words),
        };
        Banned { phrase, replacement: replacement.trim(), matches }
    })
    .collect()
}

pub(super) fn check(file: &SourceFile) -> Vec<Violation> {
    check_with(file, &BANNED)
}

fn check_with(file: &SourceFile, banned: &[Banned]) -> Vec<Violation> {
    let kind = file.path.rsplit('.').next().unwrap_or_default();
    let exempt = EXEMPT.iter().any(|path| file.path.starts_with(path)) || file.path.contains("/generated/");
    if !KINDS.contains(&kind) || exempt {
        return Vec::new();
    }
    let mut broken = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let lower = line.to_lowercase();
        let words = lower.replace('_', " ");
        for row in banned {
            let found = match row.matches {
                Matches::Words => has_phrase(&lower, row.phrase) || has_phrase(&words, row.phrase),
                Matches::CommentStart => comment(&lower).is_some_and(|text| starts_with(text, row.phrase)),
                Matches::Name => has_phrase(line, row.phrase),
            };
            if found {
                let message = format!("`{}`: write `{}`", row.phrase, row.replacement);
                broken.push(Violation::new(format!("{}:{}", file.path, number + 1), message));
            }
        }
    }
    broken
}

/// Returns the text of a line that is or starts a comment.
fn comment(line: &str) -> Option<&str> {
    const MARKS: &[&str] = &["///", "//!", "//", "/**", "<!--"];
    let line = line.trim_start();
    MARKS.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim_start)
}

/// Whether the text starts with the phrase, followed by a word boundary.
fn starts_with(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase).is_some_and(|rest| {
        phrase.ends_with('.') || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

/// Whether the phrase occurs at word boundaries. `_` counts as part of a word.
fn has_phrase(line: &str, phrase: &str) -> bool {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(phrase).any(|(at, _)| {
        let starts = phrase.starts_with(char::is_alphanumeric) && in_word(line[..at].chars().next_back());
        let ends =
            phrase.ends_with(char::is_alphanumeric) && in_word(line[at + phrase.len()..].chars().next());
        !starts && !ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str =
        "# a comment\nas many as may | the maximum number\nKnownSessions | RecordCache\n^what is | a noun\n";

    fn broken(path: &str, text: &str) -> Vec<String> {
        check_with(&SourceFile::new(path, text), &parse(LIST)).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_banned_phrase_is_reported_with_its_line_and_replacement() {
        let messages = broken("a.rs", "fn a() {}\n// As many as may work.");
        assert_eq!(messages, ["a.rs:2: `as many as may`: write `the maximum number`"]);
    }

    #[test]
    fn a_phrase_is_matched_at_word_boundaries() {
        assert_eq!(broken("a.md", "as many as maybe"), Vec::<String>::new());
        assert_eq!(broken("a.ts", "x.as many as may."), broken("a.ts", "as many as may"));
    }

    #[test]
    fn a_phrase_is_matched_within_a_name() {
        assert_eq!(broken("a.rs", "fn as_many_as_may_run() {}").len(), 1);
    }

    #[test]
    fn a_start_of_a_comment_is_matched_only_there() {
        for line in ["/// What is open.", "//! what is open", "  // What is it?", "<!-- What is open. -->"] {
            assert_eq!(broken("a.rs", line).len(), 1, "{line}");
        }
        for line in ["/// Reports what is missing.", "let text = \"What is open?\";", "// What isolates it."]
        {
            assert_eq!(broken("a.rs", line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn a_name_is_matched_exactly() {
        assert_eq!(broken("a.rs", "let known: KnownSessions;").len(), 1);
        assert_eq!(broken("a.rs", "let knownsessions: MyKnownSessions;"), Vec::<String>::new());
    }

    #[test]
    fn history_generated_and_other_files_are_exempt() {
        for path in ["CHANGELOG.md", "docs/decisions/0001-a.md", "ui/src/generated/api.ts", "Cargo.lock"] {
            assert_eq!(broken(path, "KnownSessions"), Vec::<String>::new(), "{path}");
        }
        for path in ["a.rs", "ui/src/A.svelte", "ui/src/a.ts", "docs/a.md", "tests/e2e/a.js"] {
            assert_eq!(broken(path, "KnownSessions").len(), 1, "{path}");
        }
    }

    #[test]
    fn every_row_of_the_list_has_a_replacement() {
        for row in BANNED.iter() {
            assert!(!row.phrase.is_empty() && !row.replacement.is_empty(), "{}", row.phrase);
        }
    }
}
