//! Finds words in shell text that may be file names, without parsing the shell's grammar. A word ends at
//! every character that file names rarely contain. A false match only costs a lookup on disk.

use std::{
    ops::Range,
    path::{Component, Path, PathBuf},
};

/// The maximum length of a word, in bytes.
const LONGEST: usize = 1024;

/// The byte ranges of the words that may be file names.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let of_word = c.is_alphanumeric() || "_./@+:%~-,".contains(c);
        match (of_word, begin) {
            (true, None) => begin = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    found.retain(|word| {
        let text = &text[word.clone()];
        text.len() <= LONGEST && text.contains(char::is_alphanumeric)
    });
    found
}

/// Whether a word is a separate argument that can be replaced: it is surrounded by spaces or command
/// separators, not in quotes, and not part of a longer word.
pub(crate) fn stands_alone(text: &str, word: &Range<usize>) -> bool {
    let before = text[..word.start].chars().next_back();
    let after = text[word.end..].chars().next();
    before.is_none_or(|c| c.is_whitespace() || ";&|(".contains(c))
        && after.is_none_or(|c| c.is_whitespace() || ";&|)<>".contains(c))
        && !in_quotes(&text[..word.start])
}

/// Whether a quote or an escape is open at the end of this text.
fn in_quotes(text: &str) -> bool {
    let (mut quote, mut escaped) = (None, false);
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            _ => {}
        }
    }
    quote.is_some() || escaped
}

/// The path without `.` and `..`, which are removed without reading the disk. Symbolic links are not
/// resolved.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        words(text).into_iter().map(|word| &text[word]).collect()
    }

    #[test]
    fn possible_file_names_are_words() {
        assert_eq!(found("./a.sh --x=1 && größe/b"), ["./a.sh", "--x", "1", "größe/b"]);
        assert_eq!(found(r#". "$(dirname "$0")/lib.sh""#), ["dirname", "0", "/lib.sh"]);
        assert_eq!(found("... - /"), [""; 0]);
    }

    #[test]
    fn only_a_whole_word_may_be_replaced() {
        let alone = |text: &str, word: &str| {
            let at = text.find(word).unwrap();
            stands_alone(text, &(at..at + word.len()))
        };
        assert!(alone("./a.sh", "./a.sh") && alone("x; ./a.sh|y", "./a.sh") && alone("(./a.sh)", "./a.sh"));
        assert!(!alone("'./a.sh'", "./a.sh") && !alone("\"$X\"/a.sh", "/a.sh"));
        assert!(!alone("echo 'run ./a.sh now'", "./a.sh") && !alone("echo \"x ./a.sh \"", "./a.sh"));
        assert!(alone("echo 'it' ./a.sh", "./a.sh") && alone(r"echo \' ./a.sh", "./a.sh"));
    }

    #[test]
    fn a_normal_path_has_no_steps_back() {
        assert_eq!(normal(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(normal(Path::new("/../../x")), Path::new("/x"));
    }
}
