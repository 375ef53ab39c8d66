//! Finds words in text that look like file names. `find` checks whether the files exist.

use std::path::{Component, Path};

/// An inclusive range of lines, numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A file that the text mentions, with the line numbers if it names any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The path as written, with `/`. [`mentions`] returns only relative paths without `..`.
    pub(super) path: String,
    pub(super) lines: Option<Lines>,
}

/// The maximum number of mentions; limited because each mention is looked up on disk.
const MENTIONS: usize = 400;
/// The maximum length of a word that can be a path, in bytes.
const PATH: usize = 200;
/// The number of lines shown before and after a single named line.
const AROUND: u32 = 20;
/// The file names that are recognized although they contain neither a dot nor a slash.
const PLAIN_NAMES: &[&str] =
    &["makefile", "dockerfile", "justfile", "rakefile", "gemfile", "procfile", "license"];

/// The words that look like paths, in order, without duplicates.
pub(super) fn mentions<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for mention in texts.into_iter().flat_map(words).filter_map(mention) {
        if found.len() == MENTIONS {
            break;
        }
        if !found.contains(&mention) {
            found.push(mention);
        }
    }
    found
}

/// The candidate words, from splitting the text in three ways: between backticks (can contain spaces), at
/// whitespace (can contain brackets), and at punctuation.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let bare = text.split_whitespace();
    let apart = text.split(|c: char| c.is_whitespace() || "`\"'()[]{}<>,;|*=".contains(c));
    quoted.chain(bare).chain(apart)
}

fn mention(word: &str) -> Option<Mention> {
    let word = word.trim_start_matches(|c| "([{<\"'`*".contains(c));
    let word = word.trim_end_matches(|c: char| c.is_whitespace() || ")]}>\"'`*.,:;!?".contains(c));
    if word.len() > PATH {
        return None;
    }
    let Mention { path, lines } = parse(word);
    let path = path.trim().replace('\\', "/");
    let names_file =
        path.contains(['/', '.']) || PLAIN_NAMES.iter().any(|name| path.eq_ignore_ascii_case(name));
    // Do not look up a path that leads out of the folder, because on some systems a path can reach another machine.
    let parts: Option<Vec<&str>> = Path::new(&path)
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| if let Component::Normal(name) = part { name.to_str() } else { None })
        .collect();
    let path = parts?.join("/");
    (names_file && !path.is_empty()).then_some(Mention { path, lines })
}

/// Splits a word into a path and the lines after `:` or `#`, if any. The path is not checked.
pub(super) fn parse(word: &str) -> Mention {
    let (path, lines) = match word.split_once('#').or_else(|| word.split_once(':')) {
        Some((path, range)) => (path, lines(range)),
        None => (word, None),
    };
    Mention { path: path.to_owned(), lines }
}

/// Parses `12-40`, `12`, `12:5` (line and column) and `L12-L40`.
fn lines(range: &str) -> Option<Lines> {
    let range = range.split(':').next().unwrap_or(range);
    let number = |text: &str| text.trim_start_matches(['L', 'l']).parse().ok().filter(|&line: &u32| line > 0);
    match range.split_once(['-', '–']) {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some(Lines { first, last })
        }
        None => {
            let line = number(range)?;
            Some(Lines { first: line.saturating_sub(AROUND).max(1), last: line.saturating_add(AROUND) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, Option<(u32, u32)>)]) {
        let found = mentions([text]);
        let found: Vec<_> =
            found.iter().map(|m| (m.path.as_str(), m.lines.map(|l| (l.first, l.last)))).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn path_like_words_are_found_without_surrounding_punctuation() {
        check("Fix src/main.rs, then (./docs/a.md).", &[("src/main.rs", None), ("docs/a.md", None)]);
        check("the Makefile and nothing else", &[("Makefile", None)]);
        check(r"see src\main.rs", &[("src/main.rs", None)]);
        check("[plan](docs/plan.md)", &[("plan](docs/plan.md", None), ("docs/plan.md", None)]);
    }

    #[test]
    fn brackets_can_be_in_a_path_and_spaces_if_it_is_in_backticks() {
        for (text, expect) in
            [("see `my notes/to do.md`", "my notes/to do.md"), ("app/[id]/page.tsx", "app/[id]/page.tsx")]
        {
            assert_eq!(mentions([text])[0], Mention { path: expect.to_owned(), lines: None });
        }
    }

    #[test]
    fn common_notations_for_lines_are_read() {
        check("src/a.rs:12-40", &[("src/a.rs", Some((12, 40)))]);
        check("src/a.rs:100:5: error", &[("src/a.rs", Some((80, 120)))]);
        check("src/a.rs:3.", &[("src/a.rs", Some((1, 23)))]);
        check("src/a.rs#L12-L40", &[("src/a.rs", Some((12, 40)))]);
        check("docs/a.md#usage src/a.rs::run", &[("docs/a.md", None), ("src/a.rs", None)]);
        check("src/a.rs:40-12 src/b.rs:0", &[("src/a.rs", None), ("src/b.rs", None)]);
    }

    #[test]
    fn a_path_out_of_the_folder_is_never_opened() {
        check("/etc/passwd ../x.rs a/../../x.rs \\\\host\\share\\x https://a.b/c ~ . .. ./", &[]);
    }

    #[test]
    fn a_file_is_found_once_per_line_range_and_the_number_of_names_is_limited() {
        check("a.rs a.rs `a.rs` a.rs:1-2", &[("a.rs", None), ("a.rs", Some((1, 2)))]);
        let flood: String = (0..2_000).map(|n| format!("f{n}.rs ")).collect();
        assert_eq!(mentions([flood.as_str()]).len(), MENTIONS);
    }
}
