//! A JSONL file at one moment. Good rows are beads, bad ones are warnings, and every line that is not
//! changed is written again byte for byte.

use super::lines::{Walked, duplicates, walk};
use crate::{
    TrackerError,
    row::{Row, RowError},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Map, Value};
use std::path::Path;

/// A bead's row, and all fields that it was read from.
pub(crate) type Stored = (Row, Map<String, Value>);

/// The lines of a file.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    lines: Vec<Line>,
    /// The first line that a merge left behind, from 1.
    pub(crate) conflict: Option<usize>,
}

#[derive(Debug)]
struct Line {
    /// As in the file, without its end.
    raw: Vec<u8>,
    /// The bead; `None` for what cannot be read or is something else (a memory, an unknown kind).
    bead: Option<Stored>,
    /// Another line has a newer state of the same bead.
    superseded: bool,
}

impl Snapshot {
    /// Reads a file; one that is missing has no lines.
    pub(crate) fn read(path: &Path) -> Result<Snapshot, TrackerError> {
        let bytes = bc_store::file::read(path)
            .map_err(|source| TrackerError::File { operation: "reading the beads", source })?;
        Ok(Snapshot::parse(&bytes.unwrap_or_default()))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Snapshot {
        let mut lines = Vec::new();
        let keep = |raw: &[u8], bead| lines.push(Line { raw: raw.to_vec(), bead, superseded: false });
        let Walked { conflict, .. } = walk(bytes, 0, read_line, keep);
        let rows = lines.iter().enumerate().filter_map(|(at, line)| Some((at, &line.bead.as_ref()?.0)));
        let superseded: Vec<usize> = duplicates(rows).into_iter().map(|(_, at)| at).collect();
        for at in superseded {
            lines[at].superseded = true;
        }
        Snapshot { lines, conflict }
    }

    /// The beads that are not deleted.
    pub(crate) fn into_rows(self) -> Vec<Row> {
        let current = self.lines.into_iter().filter(|line| !line.superseded);
        let rows = current.filter_map(|line| line.bead).map(|(row, _)| row);
        rows.filter(|row| row.stored_status != BeadStatus::Tombstone).collect()
    }

    /// Every bead, deleted ones too.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Stored> {
        self.lines.iter().filter(|line| !line.superseded).filter_map(|line| line.bead.as_ref())
    }

    /// A bead's row with all its fields.
    pub(crate) fn find(&self, id: &BeadId) -> Option<&Stored> {
        self.all().find(|(row, _)| row.id == *id)
    }

    /// Puts a bead into the place of its older state, or adds it.
    pub(crate) fn put(&mut self, row: Row, map: Map<String, Value>) {
        let raw = Value::Object(map.clone()).to_string().into_bytes();
        let of_bead = |line: &&mut Line| {
            !line.superseded && line.bead.as_ref().is_some_and(|(known, _)| known.id == row.id)
        };
        match self.lines.iter_mut().find(of_bead) {
            Some(line) => *line = Line { raw, bead: Some((row, map)), superseded: false },
            None => self.lines.push(Line { raw, bead: Some((row, map)), superseded: false }),
        }
    }

    /// The file's content: beads by id as bytes, then, in their order, the lines that are none.
    pub(crate) fn render(&self) -> Vec<u8> {
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        // The line that counts comes last of its bead's: that is the one that br takes.
        lines.sort_by_key(|line| {
            let id = line.bead.as_ref().map(|(row, _)| row.id.as_str());
            (id.is_none(), id, !line.superseded)
        });
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend_from_slice(&line.raw);
            bytes.push(b'\n');
        }
        bytes
    }
}

/// The rows of a file with all their fields, one per bead.
pub(crate) fn maps(path: &Path) -> Result<Vec<Map<String, Value>>, TrackerError> {
    Ok(Snapshot::read(path)?.all().map(|(_, map)| map.clone()).collect())
}

/// A bead, or nothing where the line is something else on purpose.
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
    fn rewriting_sorts_beads_and_keeps_every_other_line_byte_for_byte() {
        let text = b"{\"id\":\"b-2\",  \"odd\" : 1.50}\n\xff junk\n{\"_type\":\"memory\",\"key\":\"k\"}\n{\"id\":\"b-10\"}\n";
        let rendered = Snapshot::parse(text).render();
        let expect = b"{\"id\":\"b-10\"}\n{\"id\":\"b-2\",  \"odd\" : 1.50}\n\xff junk\n{\"_type\":\"memory\",\"key\":\"k\"}\n";
        assert_eq!(rendered, expect);
        assert_eq!(Snapshot::parse(&rendered).render(), expect);
    }

    #[test]
    fn of_two_lines_of_a_bead_the_one_that_changed_last_counts_and_both_stay() {
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
