//! Folds the lines of `memories.jsonl` into rows, one for each memory.

use bc_core::{Timestamp, ids::BeadId};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The rows of a file, in the order of their first lines.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    pub(crate) rows: Vec<Map<String, Value>>,
    /// Warnings about skipped lines.
    pub(crate) warnings: Vec<String>,
}

pub(crate) fn fold(bytes: &[u8]) -> Folded {
    fold_lines(lines(bytes).enumerate().map(|(at, line)| (at + 1, line)))
}

/// Folds these lines, each with its line number in the file for warnings.
pub(super) fn fold_lines<'a>(lines: impl Iterator<Item = (usize, &'a [u8])>) -> Folded {
    let mut folded = Folded::default();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, line) in lines {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let row = match serde_json::from_slice::<Map<String, Value>>(line) {
            Ok(row) => row,
            Err(error) => {
                let what = match is_conflict_marker(line) {
                    true => {
                        "it is the conflict marker of a merge; the lines of both sides are used".to_owned()
                    }
                    false => format!("it cannot be read ({error}) and stays unchanged"),
                };
                folded.warnings.push(format!("line {number} of memories.jsonl: {what}"));
                continue;
            }
        };
        let Some(id) = row.get("id").and_then(Value::as_str) else {
            folded.warnings.push(format!("line {number} of memories.jsonl has no id and stays unchanged"));
            continue;
        };
        match places.get(id) {
            Some(&place) => lay_over(&mut folded.rows[place], row),
            None => {
                places.insert(id.to_owned(), folded.rows.len());
                folded.rows.push(row);
            }
        }
    }
    // A null deletes a field.
    for row in &mut folded.rows {
        row.retain(|_, value| !value.is_null());
    }
    folded
}

/// The row of one id. Lines that do not contain the id are not parsed.
pub(super) fn one(bytes: &[u8], id: &BeadId) -> Option<Map<String, Value>> {
    let needle = format!("\"{id}\"");
    let finder = memchr::memmem::Finder::new(needle.as_bytes());
    let candidates = lines(bytes).enumerate().filter(|(_, line)| finder.find(line).is_some());
    let folded = fold_lines(candidates);
    folded.rows.into_iter().find(|row| row.get("id").and_then(Value::as_str) == Some(id.as_str()))
}

/// The file without the lines of these ids. Unreadable lines are kept.
pub(super) fn without(bytes: &[u8], ids: &[BeadId]) -> Vec<u8> {
    let is_removed = |line: &[u8]| {
        let row = serde_json::from_slice::<Map<String, Value>>(line).ok();
        let id = row.as_ref().and_then(|row| row.get("id")?.as_str());
        id.is_some_and(|id| ids.iter().any(|removed| removed.as_str() == id))
    };
    let mut kept = Vec::with_capacity(bytes.len());
    for line in lines(bytes).filter(|line| !line.trim_ascii().is_empty() && !is_removed(line)) {
        kept.extend_from_slice(line);
        kept.push(b'\n');
    }
    kept
}

/// The lines without their line ends, including an unterminated last line.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end + 1)..end]))
}

/// Merges a line into the known row. A newer line overrides the fields of the row. An older line, as after a merge of
/// two clones, only adds missing fields.
fn lay_over(known: &mut Map<String, Value>, line: Map<String, Value>) {
    let (mut below, above) = match time(&line) < time(known) {
        true => (line, std::mem::take(known)),
        false => (std::mem::take(known), line),
    };
    let created_at = below.get("created_at").or(above.get("created_at")).cloned();
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Object(old)), Value::Object(new)) if key == "metadata" => old.extend(new),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
    below.extend(created_at.map(|at| ("created_at".to_owned(), at)));
    *known = below;
}

fn time(row: &Map<String, Value>) -> Option<Timestamp> {
    Timestamp::parse_from_rfc3339(row.get("updated_at")?.as_str()?).ok()
}

fn is_conflict_marker(line: &[u8]) -> bool {
    [&b"<<<<<<<"[..], b"=======", b">>>>>>>", b"|||||||"].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_separated_by_newlines() {
        for bytes in [&b""[..], b"\n", b"a", b"a\n", b"\n\nab\n\xff\r\nc"] {
            let expect: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            assert_eq!(lines(bytes).collect::<Vec<_>>(), expect);
        }
    }
}
