//! What lists need of a file: its beads that are not deleted, without texts and comments. The halves of a long one are
//! read at the same time.

use super::{
    lines::{Walked, duplicates, walk},
    snapshot::read_line,
};
use crate::{
    lean,
    row::{Row, RowError},
    tracker::Warning,
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use bc_process::beside;
use memchr::{memchr, memchr_iter};
use std::sync::Arc;

/// Bytes from which on another thread is worth its start.
const LONG: usize = 128 << 10;
/// Of a line that is a bead, about.
const SHORT_LINE: usize = 128;

/// The rows of these lines, and what was passed over.
pub(crate) fn lean_rows(bytes: &[u8]) -> (Vec<Row>, Vec<Warning>) {
    Part::read(bytes, 0, 1).settled()
}

/// The same of a whole file.
pub(crate) fn lean_rows_of(file: &Arc<Vec<u8>>) -> (Vec<Row>, Vec<Warning>) {
    let Some(middle) = middle(file) else { return lean_rows(file) };
    let shared = Arc::clone(file);
    let end = move || {
        let (begin, end) = shared.split_at(middle);
        Part::read(end, memchr_iter(b'\n', begin).count(), 1)
    };
    let (end, mut whole) = beside(end, || Part::read(&file[..middle], 0, 2));
    whole.rows.extend(end.rows);
    whole.walked.warnings.extend(end.walked.warnings);
    whole.walked.conflict = whole.walked.conflict.or(end.walked.conflict);
    whole.settled()
}

/// Where the second half of a long file begins: behind the end of a line.
fn middle(bytes: &[u8]) -> Option<usize> {
    let half = bytes.len() / 2;
    (bytes.len() >= LONG).then(|| memchr(b'\n', &bytes[half..]).map(|end| half + end + 1)).flatten()
}

/// All rows of a part of a file.
struct Part {
    rows: Vec<Row>,
    walked: Walked,
}

impl Part {
    /// `parts`: for how many such parts of the file there is to be room in the rows.
    fn read(bytes: &[u8], before: usize, parts: usize) -> Part {
        let lines = memchr_iter(b'\n', bytes).count() + 1;
        let mut rows = Vec::with_capacity(parts * lines.min(bytes.len() / SHORT_LINE + 1));
        let walked = walk(bytes, before, read_lean, |_, row| rows.extend(row));
        Part { rows, walked }
    }

    /// The rows that count.
    fn settled(self) -> (Vec<Row>, Vec<Warning>) {
        let Part { mut rows, walked: Walked { mut warnings, conflict } } = self;
        warnings.extend(conflict.map(of_conflict));
        let mut twice = duplicates(rows.iter().enumerate());
        let mut lost: Vec<usize> = twice.iter().map(|(_, at)| *at).collect();
        lost.sort_unstable();
        twice.dedup_by_key(|(id, _)| *id);
        warnings.extend(twice.into_iter().map(|(id, _)| of_duplicate(id)));
        let mut at = 0;
        rows.retain(|row| {
            at += 1;
            row.stored_status != BeadStatus::Tombstone && lost.binary_search(&(at - 1)).is_err()
        });
        (rows, warnings)
    }
}

fn of_conflict(line: usize) -> Warning {
    let what = "a merge left its conflict markers here; resolve it, until then nothing is written";
    Warning { line: Some(line), what: what.to_owned() }
}

fn of_duplicate(id: &BeadId) -> Warning {
    Warning { line: None, what: format!("{id} is there more than once; the line that changed last counts") }
}

/// What lean reading does not take is read in full, which also says what is wrong with it.
fn read_lean(raw: &[u8]) -> Result<Option<Row>, RowError> {
    match lean::read(raw) {
        Ok(row) => Ok(row),
        Err(_) => Ok(read_line(raw)?.map(|(row, _)| row)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonl::Snapshot;

    #[test]
    fn both_halves_of_a_long_file_are_one_file() {
        let line = |n: usize| format!("{{\"id\":\"a-{n:05}\",\"notes\":\"{}\"}}\n", "x".repeat(n % 100));
        let many = 3_000;
        let mut text: String = (0..many).map(line).collect();
        text += &line(7);
        text = text.replacen(&line(2_900), ">>>>>>> other\nno bead\n", 1);
        assert!(middle(text.as_bytes()).is_some());
        let (rows, warnings) = lean_rows_of(&Arc::new(text.clone().into_bytes()));
        let (at_once, said_at_once) = lean_rows(text.as_bytes());
        assert_eq!((&rows, &warnings), (&at_once, &said_at_once));
        assert_eq!(rows.len(), many - 1);
        assert_eq!(rows.last().unwrap().id.as_str(), "a-00007");
        let said: Vec<_> = warnings.iter().map(|warning| warning.line).collect();
        assert_eq!(said, [Some(2_902), Some(2_901), None]);
        let snapshot = Snapshot::parse(text.as_bytes());
        assert_eq!((snapshot.conflict, snapshot.into_rows().len()), (Some(2_901), many - 1));
        // One line, however long, is no two halves.
        assert_eq!(middle(&vec![b' '; 2 * LONG]), None);
    }
}
