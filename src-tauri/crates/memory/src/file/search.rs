//! Narrows the file down to the memories that may contain the given words, usually without parsing every
//! line.

use super::fold::{Folded, fold, fold_lines, lines};
use regex::bytes::{Regex, RegexBuilder};
use std::collections::HashSet;

/// The rows that may contain all of these words. Every matching row is included; most other lines are skipped without
/// being parsed.
pub(crate) fn candidates(bytes: &[u8], words: &[String]) -> Folded {
    // Search only for ASCII words, because another program may have written other letters as escape sequences.
    let plain = |word: &&String| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some(rarest) = words.iter().filter(plain).max_by_key(|word| word.len()) else { return fold(bytes) };
    let Some(finder) = expression(rarest) else { return fold(bytes) };
    let mut found: HashSet<&[u8]> = HashSet::new();
    let mut at = 0;
    while let Some(hit) = finder.find_at(bytes, at) {
        let start =
            bytes[..hit.start()].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let end =
            bytes[hit.end()..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| hit.end() + n);
        match id_of(&bytes[start..end]) {
            Some(id) => drop(found.insert(id)),
            // Another program wrote this line in another format, so fold the whole file.
            None => return fold(bytes),
        }
        at = end;
    }
    let of_found = |line: &&[u8]| id_of(line).is_none_or(|id| found.contains(id));
    fold_lines(lines(bytes).enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| of_found(line)))
}

fn expression(word: &str) -> Option<Regex> {
    RegexBuilder::new(&regex::escape(word)).case_insensitive(true).unicode(false).build().ok()
}

/// The id of a line in this program's format, in which it is the first field; `None` for other formats.
fn id_of(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"{\"id\":\"")?;
    rest.iter()
        .position(|byte| matches!(byte, b'"' | b'\\'))
        .filter(|&at| rest[at] == b'"')
        .map(|at| &rest[..at])
}
