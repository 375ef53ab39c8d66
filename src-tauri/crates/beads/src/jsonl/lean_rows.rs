//! Reads only the parts of a file that lists need: beads that are not deleted, without long text and comments.

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

/// The rows of these lines, with warnings about unreadable lines, about the first conflict marker, and about
/// beads with several lines.
pub(crate) fn lean_rows(bytes: &[u8]) -> (Vec<Row>, Vec<Warning>) {
    let mut rows = Vec::new();
    let Walked { mut warnings, conflict } = walk(bytes, read_lean, |_, row| rows.extend(row));
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

pub(super) fn of_conflict(line: usize) -> Warning {
    let what = "the file has merge conflict markers; resolve the merge first, until then nothing is written";
    Warning { line: Some(line), what: what.to_owned() }
}

pub(super) fn of_duplicate(id: &BeadId) -> Warning {
    Warning {
        line: None,
        what: format!("the file has {id} more than once; the line that changed last counts"),
    }
}

/// Reads a line with the lean parser. A line that it rejects is parsed in full, which also finds the error.
pub(super) fn read_lean(raw: &[u8]) -> Result<Option<Row>, RowError> {
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
    fn the_rows_equal_those_of_a_full_read_and_each_skipped_line_has_a_warning() {
        let line = |n: usize| format!("{{\"id\":\"a-{n:05}\",\"notes\":\"{}\"}}\n", "x".repeat(n % 100));
        let many = 3_000;
        let mut text: String = (0..many).map(line).collect();
        text += &line(7);
        text = text.replacen(&line(2_900), ">>>>>>> other\nno bead\n", 1);
        let (rows, warnings) = lean_rows(text.as_bytes());
        assert_eq!(rows.len(), many - 1);
        assert_eq!(rows.last().unwrap().id.as_str(), "a-00007");
        let lines: Vec<_> = warnings.iter().map(|warning| warning.line).collect();
        assert_eq!(lines, [Some(2_902), Some(2_901), None]);
        let snapshot = Snapshot::parse(text.as_bytes());
        assert_eq!((snapshot.conflict, snapshot.into_rows().len()), (Some(2_901), many - 1));
    }
}
