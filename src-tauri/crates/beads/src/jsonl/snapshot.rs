//! A JSONL file at one moment. Good rows are beads, bad ones are warnings, and every line that is not
//! changed is written again byte for byte.

use crate::{
    TrackerError, lean,
    row::{Row, RowError},
    tracker::Warning,
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Map, Value};
use std::{collections::HashMap, path::Path};

/// A bead's row, and all fields that it was read from.
pub(crate) type Stored = (Row, Map<String, Value>);

/// The lines of a file.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    lines: Vec<Line>,
    /// What was passed over.
    pub(crate) warnings: Vec<Warning>,
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
        Snapshot::parse_by(bytes, read_line, <[u8]>::to_vec)
    }

    fn parse_by(
        bytes: &[u8],
        read: fn(&[u8]) -> Result<Option<Stored>, RowError>,
        keep: fn(&[u8]) -> Vec<u8>,
    ) -> Snapshot {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut snapshot = Snapshot::default();
        for (index, raw) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
            if !raw.iter().all(u8::is_ascii_whitespace) {
                snapshot.take(index + 1, raw, read(raw), keep(raw));
            }
        }
        snapshot.settle_duplicates();
        snapshot
    }

    fn take(&mut self, number: usize, raw: &[u8], read: Result<Option<Stored>, RowError>, kept: Vec<u8>) {
        let bead = if is_conflict_marker(raw) {
            self.conflict.get_or_insert(number);
            None
        } else {
            match read {
                Ok(bead) => bead,
                Err(why) => {
                    self.warnings
                        .push(Warning { line: Some(number), what: format!("{why}; it was left as it is") });
                    None
                }
            }
        };
        self.lines.push(Line { raw: kept, bead, superseded: false });
    }

    /// One line per bead counts: the one that changed last, the later one where that is equal.
    fn settle_duplicates(&mut self) {
        if let Some(line) = self.conflict {
            let what = "a merge left its conflict markers here; resolve it, until then nothing is written";
            self.warnings.push(Warning { line: Some(line), what: what.to_owned() });
        }
        let mut latest: HashMap<&BeadId, usize> = HashMap::with_capacity(self.lines.len());
        let mut twice: Vec<(BeadId, usize)> = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let Some((row, _)) = &line.bead else { continue };
            let Some(other) = latest.insert(&row.id, index) else { continue };
            let known = self.lines[other].bead.as_ref().and_then(|(known, _)| known.updated_at);
            let mut loser = other;
            if known > row.updated_at {
                latest.insert(&row.id, other);
                loser = index;
            }
            twice.push((row.id.clone(), loser));
        }
        for (_, loser) in &twice {
            self.lines[*loser].superseded = true;
        }
        twice.dedup_by(|(id, _), (before, _)| id == before);
        for (id, _) in twice {
            let what = format!("{id} is there more than once; the line that changed last counts");
            self.warnings.push(Warning { line: None, what });
        }
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

/// What lists need of a file: its beads that are not deleted, without texts and comments, and what was passed over.
pub(crate) fn lean_rows(bytes: &[u8]) -> (Vec<Row>, Vec<Warning>) {
    let mut snapshot = Snapshot::parse_by(bytes, read_lean, |_| Vec::new());
    let warnings = std::mem::take(&mut snapshot.warnings);
    (snapshot.into_rows(), warnings)
}

/// The rows of a file with all their fields, one per bead.
pub(crate) fn maps(path: &Path) -> Result<Vec<Map<String, Value>>, TrackerError> {
    Ok(Snapshot::read(path)?.all().map(|(_, map)| map.clone()).collect())
}

/// A bead, or nothing where the line is something else on purpose.
fn read_line(raw: &[u8]) -> Result<Option<Stored>, RowError> {
    let value: Value = serde_json::from_slice(raw).map_err(RowError::Json)?;
    let Value::Object(map) = value else { return Err(RowError::Object) };
    if map.get("_type").and_then(Value::as_str).is_some_and(|kind| kind != "issue") {
        return Ok(None);
    }
    Row::read(&map).map(|row| Some((row, map)))
}

/// The same for lists. What lean reading does not take is read in full, which also says what is wrong with it.
fn read_lean(raw: &[u8]) -> Result<Option<Stored>, RowError> {
    match lean::read(raw) {
        Ok(row) => Ok(row.map(|row| (row, Map::new()))),
        Err(_) => read_line(raw),
    }
}

fn is_conflict_marker(raw: &[u8]) -> bool {
    [&b"<<<<<<<"[..], b"=======", b">>>>>>>", b"|||||||"].iter().any(|mark| raw.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(snapshot: &Snapshot) -> Vec<String> {
        snapshot.all().map(|(row, _)| row.id.to_string()).collect()
    }

    #[test]
    fn good_lines_are_read_and_bad_ones_are_named() {
        let text = b"\xef\xbb\xbf{\"id\":\"a-2\"}\r\n\n{\"id\":\"a-1\"\n[1]\n{\"id\":\"--x\"}\n\xff\xfe\n{\"_type\":\"memory\",\"key\":\"k\"}\n{\"id\":\"a-1\"}";
        let snapshot = Snapshot::parse(text);
        assert_eq!(ids(&snapshot), ["a-2", "a-1"]);
        let lines: Vec<_> = snapshot.warnings.iter().filter_map(|w| w.line).collect();
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
            assert_eq!(snapshot.warnings.len(), 1);
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
