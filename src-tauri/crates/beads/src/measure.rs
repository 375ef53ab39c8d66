//! For the benchmarks: measures a change, and the computation of the ready beads, without reading the file.

use crate::{
    graph::Graph,
    index::{Entry, Index, Readiness},
    jsonl::{LineTable, lean_rows},
    lean,
    readiness::Links,
    row::Row,
    tracker::{ListFilter, Part},
};
use chrono::Utc;
use std::time::{Duration, Instant};

/// The beads of a file, prepared for changes.
pub struct Changing {
    index: Index,
    rows: Vec<Row>,
}

impl Changing {
    /// Reads the lines of a file.
    pub fn read(bytes: &[u8]) -> Changing {
        let mut index = Index::default();
        LineTable::default().update(bytes, &mut index, Utc::now().fixed_offset());
        Changing { index, rows: lean_rows(bytes).0 }
    }

    /// Applies a changed line and lists the changed beads; returns the time and the number of beads. `None` if
    /// the line is not a bead.
    pub fn change(&mut self, line: &[u8]) -> Option<(Duration, usize)> {
        let row = lean::read(line).ok()??;
        let (now, content) = (Utc::now().fixed_offset(), self.index.content());
        let start = Instant::now();
        let slot = self.index.slot(&row.id);
        self.index.apply(vec![(slot, Some(Entry::of(row)))], Readiness::Rules, now);
        let changed = self.index.part(&ListFilter::board(), Part::Since(&content), Vec::new());
        Some((start.elapsed(), changed.beads.len()))
    }

    /// Computes the ready beads from all rows; returns the time and their number.
    pub fn recompute(&self) -> (Duration, usize) {
        let now = Utc::now().fixed_offset();
        let start = Instant::now();
        let graph = Graph::at(&self.rows, now);
        let ready = self.rows.iter().filter(|row| graph.is_ready(row, now)).count();
        (start.elapsed(), ready)
    }
}
