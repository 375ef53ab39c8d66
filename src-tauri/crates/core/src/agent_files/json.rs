//! Locates values in JSON text, so that one value can be changed while all others keep their bytes.
//!
//! The caller must have validated the JSON text.

use std::ops::Range;

/// A member of an object or an element of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The item's range in bytes, including the key.
    pub(super) whole: Range<usize>,
    pub(super) value: Range<usize>,
    /// The member's name; empty in an array.
    pub(super) key: String,
}

/// The items of the object or array at `place`.
pub(super) fn items(text: &str, place: &Range<usize>) -> Vec<Item> {
    let bytes = text.as_bytes();
    let is_object = bytes[place.start] == b'{';
    let mut items = Vec::new();
    let mut at = blank(bytes, place.start + 1);
    while at < place.end - 1 {
        let start = at;
        let mut key = String::new();
        if is_object {
            let end = value_end(bytes, at);
            key = serde_json::from_str(&text[at..end]).unwrap_or_default();
            at = blank(bytes, blank(bytes, end) + 1);
        }
        let end = value_end(bytes, at);
        items.push(Item { whole: start..end, value: at..end, key });
        at = blank(bytes, end);
        if bytes[at] == b',' {
            at = blank(bytes, at + 1);
        }
    }
    items
}

/// The range of the top-level value.
pub(super) fn root(text: &str) -> Range<usize> {
    let start = blank(text.as_bytes(), 0);
    start..value_end(text.as_bytes(), start)
}

/// The member with this name, if any. Of several members with this name, the last one counts, as in JSON
/// parsers.
pub(super) fn member(text: &str, object: &Range<usize>, key: &str) -> Option<Item> {
    items(text, object).into_iter().rev().find(|item| item.key == key)
}

/// The text with another item appended to the object or array at `place`. `depth` is the nesting depth of its
/// items.
pub(super) fn with(
    text: &str,
    place: &Range<usize>,
    item: &str,
    depth: usize,
    formatting: &Formatting,
) -> String {
    let (at, before, after) = match items(text, place).as_slice() {
        [] => (place.start + 1..place.end - 1, formatting.line(depth), formatting.line(depth - 1)),
        // The new item gets the white space that precedes the last item, or a space.
        [.., last] => {
            let gap = &text[blank_back(text.as_bytes(), last.whole.start)..last.whole.start];
            let gap = if gap.is_empty() { " " } else { gap };
            (last.whole.end..last.whole.end, format!(",{gap}"), String::new())
        }
    };
    format!("{}{before}{item}{after}{}", &text[..at.start], &text[at.end..])
}

/// The text without this item of the object or array at `place`.
pub(super) fn without(text: &str, place: &Range<usize>, item: &Item) -> String {
    let items = items(text, place);
    let index = items.iter().position(|other| other == item).expect("it is one of them");
    let gone = match (index, items.len()) {
        (0, 1) => place.start + 1..place.end - 1,
        (0, _) => item.whole.start..items[1].whole.start,
        _ => items[index - 1].whole.end..item.whole.end,
    };
    format!("{}{}", &text[..gone.start], &text[gone.end..])
}

pub(super) struct Formatting {
    /// One step of indentation.
    pub(super) indent: String,
    /// The line ending.
    pub(super) eol: &'static str,
}

impl Formatting {
    /// A line break with the indentation of this depth.
    pub(super) fn line(&self, depth: usize) -> String {
        format!("{}{}", self.eol, self.indent.repeat(depth))
    }
}

fn blank(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

fn blank_back(bytes: &[u8], mut at: usize) -> usize {
    while at > 0 && bytes[at - 1].is_ascii_whitespace() {
        at -= 1;
    }
    at
}

fn value_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            b',' | b':' if depth == 0 => return at,
            byte if byte.is_ascii_whitespace() && depth == 0 => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 && matches!(bytes[at - 1], b'"' | b'}' | b']') {
            return at;
        }
    }
    at
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}
