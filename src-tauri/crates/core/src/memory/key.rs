//! Names for memories: the key, the row's id, and a title for text without one.

use crate::{
    Timestamp,
    ids::{BeadId, base_36},
    text::{cut, one_line, slug},
};

/// The maximum length of a key's slug in characters, as in bd.
const SLUG_MAX: usize = 60;
/// The maximum length of a key's slug in words, as in bd.
const SLUG_WORDS: usize = 8;
/// The maximum length of a title made from text, in characters.
const TITLE_MAX: usize = 100;
const ID_DIGITS: usize = 10;

/// Derives a key from the text: its first words, as in bd. If words are cut off or the text is not ASCII, a
/// hash of the whole text follows, so that other text with the same beginning gets another key.
pub fn derived_key(text: &str) -> String {
    let whole = slug(text);
    let words: Vec<&str> = whole.split('-').collect();
    let mut key = words[..words.len().min(SLUG_WORDS)].join("-");
    key.truncate(SLUG_MAX);
    let key = key.trim_end_matches('-');
    let digits = base_36(hash(text.trim()), 6);
    match key {
        "" => format!("memory-{digits}"),
        key if key == whole && text.is_ascii() => key.to_owned(),
        key => format!("{key}-{digits}"),
    }
}

/// The id of a key's row. It depends only on the prefix and the key, so that no lookup is needed.
pub fn memory_id(prefix: &str, key: &str) -> BeadId {
    let digits = base_36(hash(key), ID_DIGITS);
    format!("{prefix}-{digits}")
        .parse()
        .or_else(|_| format!("mem-{digits}").parse())
        .expect("mem- and digits are a bead id")
}

/// FNV-1a: for names only, not for security.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Derives a title from the text: its first line with content, cut to 100 characters.
pub fn title_of(text: &str) -> String {
    let line =
        text.lines().map(one_line).find(|line| !line.trim_start_matches(['#', '-', '*', ' ']).is_empty());
    let line = line.unwrap_or_default();
    cut(line.trim_start_matches(['#', ' ']), TITLE_MAX)
}

/// The session name for memories outside any session: `session_20260131_120000`.
pub fn session_name(now: Timestamp) -> String {
    now.format("session_%Y%m%d_%H%M%S").to_string()
}
