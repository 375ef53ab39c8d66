//! Finds the intact values in a line of a JSON Lines file, which may be damaged.

use serde::de::DeserializeOwned;
use std::ops::Range;

/// Returns the values in a line with their byte ranges, and the error for the invalid rest, if any.
///
/// An intact line has one value. If a newline was damaged, the line continues with the next one and contains
/// both values. NUL bytes after a value remain from a write that a power cut interrupted.
pub fn in_line<T: DeserializeOwned>(line: &[u8]) -> (Vec<(Range<usize>, T)>, Option<serde_json::Error>) {
    let len =
        line.iter().rposition(|b| !matches!(b, 0 | b'\n' | b'\r' | b' ' | b'\t')).map_or(0, |last| last + 1);
    let line = &line[..len];
    let mut values = Vec::new();
    let mut at = 0;
    while at < len {
        let mut rest = serde_json::Deserializer::from_slice(&line[at..]).into_iter::<T>();
        match rest.next() {
            Some(Ok(value)) => {
                let end = at + rest.byte_offset();
                values.push((at..end, value));
                // Skips the byte that replaced the newline.
                at = end + 1;
            }
            Some(Err(error)) => return (values, Some(error)),
            None => break,
        }
    }
    (values, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, Value, json};

    #[track_caller]
    fn check(line: &[u8], found: &[Value], whole: bool) {
        let (values, error) = in_line::<Map<String, Value>>(line);
        for (range, value) in &values {
            assert_eq!(&serde_json::from_slice::<Map<String, Value>>(&line[range.clone()]).unwrap(), value);
        }
        let values: Vec<Value> = values.into_iter().map(|(_, value)| value.into()).collect();
        assert_eq!((values.as_slice(), error.is_none()), (found, whole), "{line:?}");
    }

    #[test]
    fn a_complete_line_is_one_value() {
        check(b"{\"a\":1}\n", &[json!({"a": 1})], true);
        check(b"{\"a\":1}", &[json!({"a": 1})], true);
        check(b"\n", &[], true);
    }

    #[test]
    fn a_line_joined_with_the_next_has_both_values() {
        let both = [json!({"a": 1}), json!({"b": 2})];
        check(b"{\"a\":1}\x0b{\"b\":2}\n", &both, true);
        check(b"{\"a\":1}J{\"b\":2}\n", &both, true);
        check(b"{\"a\":1}x{\"b\":\n", &both[..1], false);
    }

    #[test]
    fn zeros_at_the_end_of_the_file_are_skipped() {
        check(b"{\"a\":1}\0", &[json!({"a": 1})], true);
        check(b"{\"a\":1}\0\n", &[json!({"a": 1})], true);
        check(b"\0\0\0\n", &[], true);
        check(b"\0\0{\"a\":1}\n", &[], false);
    }

    #[test]
    fn torn_and_foreign_lines_are_skipped() {
        check(b"{\"a\":", &[], false);
        check(b"[1]\n", &[], false);
        check(b"<<<<<<< HEAD\n", &[], false);
        check(b"\xff\xfe\n", &[], false);
    }
}
