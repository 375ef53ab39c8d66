//! Splits a query line into parts, and a part into its field, comparison and values.

use super::comparison::Comparison;

/// One part of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The part as typed.
    pub(super) raw: &'a str,
    /// Whether the part begins with `-`.
    pub(super) negated: bool,
    /// The part without `-`.
    pub(super) rest: &'a str,
}

impl<'a> Word<'a> {
    /// The lower-cased field, the comparison and the values; `None` for text.
    pub(super) fn field(&self) -> Option<(String, Comparison, &'a str)> {
        let at = self.rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '_' || c == '-'))?;
        let (name, rest) = self.rest.split_at(at);
        if name.is_empty() {
            return None;
        }
        let (colon, rest) = match rest.strip_prefix(':') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (comparison, values) = Comparison::read(rest);
        let comparison = comparison.or(colon.then_some(Comparison::Equal))?;
        Some((name.to_ascii_lowercase(), comparison, values))
    }
}

/// A value, and whether it was quoted: `label:"none"` means the label "none", and `label:none` means no
/// label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// The parts of a line. An unclosed quote ends with the line.
pub(super) fn words(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let end = end_of(rest, char::is_whitespace);
        let (raw, after) = rest.split_at(end);
        let (negated, body) = match raw.strip_prefix('-') {
            Some(body) if !body.is_empty() => (true, body),
            _ => (false, raw),
        };
        words.push(Word { raw, negated, rest: body });
        rest = after.trim_start();
    }
    words
}

/// The values between unquoted commas, except empty values.
pub(super) fn values(text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = text;
    loop {
        let end = end_of(rest, |c| c == ',');
        let (value, after) = rest.split_at(end);
        let value = unquoted(value);
        if !value.text.is_empty() {
            values.push(value);
        }
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None => return values,
        }
    }
}

/// The text without its quotes. Within quotes, `\` escapes the next character.
pub(super) fn unquoted(text: &str) -> Value {
    let mut value = Value { text: String::with_capacity(text.len()), quoted: false };
    let (mut inside, mut chars) = (false, text.chars());
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                inside = !inside;
                value.quoted = true;
            }
            '\\' if inside => value.text.extend(chars.next()),
            _ => value.text.push(c),
        }
    }
    value
}

/// The position of the first unquoted character for which `is_end` holds, or the end of the text.
fn end_of(text: &str, is_end: impl Fn(char) -> bool) -> usize {
    let (mut inside, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ if !inside && is_end(c) => return at,
            _ => {}
        }
    }
    text.len()
}
