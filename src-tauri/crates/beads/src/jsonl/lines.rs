//! Line processing that several readers of a beads file share.

use crate::{
    row::{Row, RowError},
    tracker::Warning,
};
use bc_core::{Timestamp, ids::BeadId};
use memchr::memchr_iter;
use std::collections::{HashMap, hash_map::Entry};

/// The problems found in the processed lines.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) warnings: Vec<Warning>,
    /// The line of the first conflict marker, from 1.
    pub(super) conflict: Option<usize>,
}

/// Processes the lines of a file. `keep` receives each line that is not blank, with its bead if it has one.
pub(super) fn walk<T>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<Option<T>, RowError>,
    mut keep: impl FnMut(&[u8], Option<T>),
) -> Walked {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut walked = Walked::default();
    let (mut from, mut number) = (0, 0);
    for end in memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let raw = &bytes[from..end];
        let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
        (from, number) = (end + 1, number + 1);
        if raw.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let bead = match is_conflict_marker(raw) {
            true => {
                walked.conflict.get_or_insert(number);
                None
            }
            false => read(raw).unwrap_or_else(|why| {
                let what = format!("{why}; the line is kept unchanged");
                walked.warnings.push(Warning { line: Some(number), what });
                None
            }),
        };
        keep(raw, bead);
    }
    walked
}

pub(super) fn is_conflict_marker(raw: &[u8]) -> bool {
    [&b"<<<<<<<"[..], b"=======", b">>>>>>>", b"|||||||"].iter().any(|mark| raw.starts_with(mark))
}

/// Beads with several rows, each with the index of a superseded row. The latest change wins, and on equal
/// times the later line.
pub(super) fn duplicates<'a>(rows: impl Iterator<Item = (usize, &'a Row)>) -> Vec<(&'a BeadId, usize)> {
    let mut latest: HashMap<&BeadId, (usize, Option<Timestamp>)> =
        HashMap::with_capacity(rows.size_hint().1.unwrap_or_default());
    let mut twice = Vec::new();
    for (at, row) in rows {
        match latest.entry(&row.id) {
            Entry::Vacant(free) => {
                free.insert((at, row.updated_at));
            }
            Entry::Occupied(known) if known.get().1 > row.updated_at => twice.push((&row.id, at)),
            Entry::Occupied(mut known) => twice.push((&row.id, known.insert((at, row.updated_at)).0)),
        }
    }
    twice
}
