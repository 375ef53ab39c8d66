//! The content of a JSONL file, read once. Valid rows become beads. All other lines and the lines of
//! unchanged beads are written again byte for byte. Only blank lines, carriage returns at line ends and a
//! byte order mark are dropped.

use super::{
    lines::{Walked, duplicates, walk},
    order::Order,
};
use crate::{
    TrackerError,
    beads_files::read_beads,
    row::{Row, RowError},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Map, Value};
use std::{cmp::Ordering, collections::HashMap, path::Path};

/// A bead's row, and all fields from which it was parsed.
pub(crate) type Stored = (Row, Map<String, Value>);

/// The lines of a file.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    lines: Vec<Line>,
    /// The order of the file, which determines the position of new beads.
    order: Order,
    /// The line of the first conflict marker, from 1.
    pub(crate) conflict: Option<usize>,
}

#[derive(Debug)]
struct Line {
    /// The bytes in the file, without the line terminator.
    raw: Vec<u8>,
    /// The bead; `None` if the line is invalid or another kind of row (a memory, an unknown kind).
    bead: Option<Stored>,
    /// Whether another line of the same bead counts: a newer one or, on equal times, a later one.
    superseded: bool,
}

impl Snapshot {
    /// Reads a file; a missing one has no lines.
    pub(crate) fn read(path: &Path) -> Result<Snapshot, TrackerError> {
        read_beads(path).map(|bytes| Snapshot::parse(&bytes))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Snapshot {
        let mut lines = Vec::new();
        let keep = |raw: &[u8], bead| lines.push(Line { raw: raw.to_vec(), bead, superseded: false });
        let Walked { conflict, .. } = walk(bytes, read_line, keep);
        let rows = lines.iter().enumerate().filter_map(|(at, line)| Some((at, &line.bead.as_ref()?.0)));
        let superseded: Vec<usize> = duplicates(rows).into_iter().map(|(_, at)| at).collect();
        for at in superseded {
            lines[at].superseded = true;
        }
        let order = Order::of(lines.iter().filter_map(|line| Some(&line.bead.as_ref()?.0)));
        Snapshot { lines, order, conflict }
    }

    /// The beads that are not deleted.
    pub(crate) fn into_rows(self) -> Vec<Row> {
        let current = self.lines.into_iter().filter(|line| !line.superseded);
        let rows = current.filter_map(|line| line.bead).map(|(row, _)| row);
        rows.filter(|row| row.stored_status != BeadStatus::Tombstone).collect()
    }

    /// Every bead, including deleted ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Stored> {
        self.lines.iter().filter(|line| !line.superseded).filter_map(|line| line.bead.as_ref())
    }

    /// A bead's row with all its fields.
    pub(crate) fn find(&self, id: &BeadId) -> Option<&Stored> {
        self.all().find(|(row, _)| row.id == *id)
    }

    /// Replaces a bead's current line, or inserts a new bead according to the file's order.
    pub(crate) fn put(&mut self, row: Row, map: Map<String, Value>) {
        let raw = Value::Object(map.clone()).to_string().into_bytes();
        let of_bead =
            |line: &Line| !line.superseded && line.bead.as_ref().is_some_and(|(known, _)| known.id == row.id);
        let known = self.lines.iter().position(of_bead);
        let at = known.unwrap_or_else(|| self.place_of(&row));
        let line = Line { raw, bead: Some((row, map)), superseded: false };
        match known {
            Some(_) => self.lines[at] = line,
            None => self.lines.insert(at, line),
        }
    }

    /// The position of a new bead: after the last bead that precedes it in the file's order.
    fn place_of(&self, new: &Row) -> usize {
        let comes_before = |line: &Line| {
            line.bead.as_ref().is_some_and(|(row, _)| self.order.compare(row, new) != Ordering::Greater)
        };
        self.lines.iter().rposition(comes_before).map_or(0, |last| last + 1)
    }

    /// The file's content, with every line in its place. If a bead has several lines, its newest state is
    /// moved to the last of these places, because br uses the last line.
    pub(crate) fn render(&self) -> Vec<u8> {
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        let beads = || {
            self.lines.iter().enumerate().filter_map(|(at, line)| Some((at, line, &line.bead.as_ref()?.0.id)))
        };
        let superseded: HashMap<&BeadId, usize> =
            beads().filter(|(_, line, _)| line.superseded).map(|(at, _, id)| (id, at)).collect();
        for (at, _, id) in beads().filter(|(_, line, _)| !superseded.is_empty() && !line.superseded) {
            if let Some(last) = superseded.get(id).copied().filter(|last| *last > at) {
                lines.swap(at, last);
            }
        }
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend_from_slice(&line.raw);
            bytes.push(b'\n');
        }
        bytes
    }
}

/// The rows of a file with all fields, one per bead.
pub(crate) fn maps(path: &Path) -> Result<Vec<Map<String, Value>>, TrackerError> {
    Ok(Snapshot::read(path)?.all().map(|(_, map)| map.clone()).collect())
}

/// A bead, or `None` if the line is deliberately another kind of row.
pub(super) fn read_line(raw: &[u8]) -> Result<Option<Stored>, RowError> {
    let value: Value = serde_json::from_slice(raw).map_err(RowError::Json)?;
    let Value::Object(map) = value else { return Err(RowError::Object) };
    if map.get("_type").and_then(Value::as_str).is_some_and(|kind| kind != "issue") {
        return Ok(None);
    }
    Row::read(&map).map(|row| Some((row, map)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonl::lean_rows::lean_rows;

    fn ids(snapshot: &Snapshot) -> Vec<String> {
        snapshot.all().map(|(row, _)| row.id.to_string()).collect()
    }

    #[test]
    fn good_lines_are_read_and_bad_ones_are_named() {
        let text = b"\xef\xbb\xbf{\"id\":\"a-2\"}\r\n\n{\"id\":\"a-1\"\n[1]\n{\"id\":\"--x\"}\n\xff\xfe\n{\"_type\":\"memory\",\"key\":\"k\"}\n{\"id\":\"a-1\"}";
        let snapshot = Snapshot::parse(text);
        assert_eq!(ids(&snapshot), ["a-2", "a-1"]);
        let (_, warnings) = lean_rows(text);
        let lines: Vec<_> = warnings.iter().filter_map(|w| w.line).collect();
        assert_eq!(lines, [3, 4, 5, 6]);
    }

    #[test]
    fn rewriting_keeps_every_line_byte_for_byte_and_in_its_place() {
        let text = b"{\"id\":\"b-2\",  \"odd\" : 1.50}\n\xff junk\n{\"_type\":\"memory\",\"key\":\"k\"}\n{\"id\":\"b-10\"}\n";
        assert_eq!(Snapshot::parse(text).render(), text);
    }

    /// The ids of a file's lines after inserting a bead with priority 1 created at `10:00`.
    fn after_new(lines: &[(&str, u8, &str)], new: &str) -> Vec<String> {
        let text: String = lines
            .iter()
            .map(|(id, priority, at)| match *id {
                "memory" => "{\"_type\":\"memory\",\"key\":\"k\"}\n".to_owned(),
                id => format!(
                    "{{\"id\":\"{id}\",\"priority\":{priority},\"created_at\":\"2026-01-01T{at}:00Z\"}}\n"
                ),
            })
            .collect();
        let mut snapshot = Snapshot::parse(text.as_bytes());
        let made = serde_json::json!({"id": new, "priority": 1, "created_at": "2026-01-01T10:00:00Z"});
        let map = made.as_object().unwrap().clone();
        snapshot.put(Row::read(&map).unwrap(), map);
        let rendered = String::from_utf8(snapshot.render()).unwrap();
        let id = |line: &str| {
            let value: Value = serde_json::from_str(line).unwrap();
            value["id"].as_str().unwrap_or("memory").to_owned()
        };
        rendered.lines().map(id).collect()
    }

    #[test]
    fn a_new_bead_is_inserted_in_the_files_order() {
        let by_id = [("a-1", 2, "08:00"), ("a-3", 0, "06:00"), ("a-4", 1, "07:00"), ("memory", 0, "")];
        assert_eq!(after_new(&by_id, "a-2"), ["a-1", "a-2", "a-3", "a-4", "memory"]);
        assert_eq!(after_new(&by_id, "a-9"), ["a-1", "a-3", "a-4", "a-9", "memory"]);
        // bd's export order: by priority, newest first.
        let by_priority =
            [("a-9", 0, "05:00"), ("a-3", 1, "07:00"), ("a-4", 1, "06:00"), ("a-1", 2, "08:00")];
        assert_eq!(after_new(&by_priority, "a-5"), ["a-9", "a-5", "a-3", "a-4", "a-1"]);
        let oldest_first = [("a-9", 2, "05:00"), ("a-3", 0, "06:00"), ("a-4", 1, "07:00")];
        assert_eq!(after_new(&oldest_first, "a-1"), ["a-9", "a-3", "a-4", "a-1"]);
        let newest_first = [("a-9", 2, "09:00"), ("a-3", 0, "08:00"), ("a-4", 1, "07:00")];
        assert_eq!(after_new(&newest_first, "a-1"), ["a-1", "a-9", "a-3", "a-4"]);
        let none = [("a-9", 2, "05:00"), ("a-3", 0, "07:00"), ("a-4", 1, "06:00")];
        assert_eq!(after_new(&none, "a-1"), ["a-9", "a-3", "a-4", "a-1"]);
        assert_eq!(after_new(&[("memory", 0, "")], "a-1"), ["a-1", "memory"]);
    }

    #[test]
    fn if_a_bead_has_two_lines_the_latest_change_wins_and_both_stay() {
        let line = |title: &str, time: &str| {
            format!("{{\"id\":\"a-1\",\"title\":\"{title}\",\"updated_at\":\"2026-01-0{time}T00:00:00Z\"}}\n")
        };
        let check = |lines: [String; 2], expect: &str| {
            let snapshot = Snapshot::parse(lines.concat().as_bytes());
            assert_eq!(snapshot.all().map(|(row, _)| row.title.as_str()).collect::<Vec<_>>(), [expect]);
            assert_eq!(lean_rows(lines.concat().as_bytes()).1.len(), 1);
            let again = snapshot.render();
            assert_eq!(again.split(|&b| b == b'\n').count(), 3);
            assert_eq!(Snapshot::parse(&again).all().next().unwrap().0.title, expect);
        };
        check([line("old", "1"), line("new", "2")], "new");
        check([line("new", "2"), line("old", "1")], "new");
        check([line("first", "1"), line("second", "1")], "second");
    }

    #[test]
    fn conflict_markers_are_found() {
        let text =
            b"{\"id\":\"a-1\"}\n<<<<<<< HEAD\n{\"id\":\"a-2\"}\n=======\n{\"id\":\"a-3\"}\n>>>>>>> other\n";
        let snapshot = Snapshot::parse(text);
        assert_eq!(snapshot.conflict, Some(2));
        assert_eq!(ids(&snapshot), ["a-1", "a-2", "a-3"]);
    }
}
