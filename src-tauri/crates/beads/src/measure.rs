//! For the benchmarks: the time of a change or of computing the ready beads, without reading the file.

use crate::{
    graph::Graph,
    index::{Entry, Index, Readiness},
    jsonl::{LineTable, lean_rows},
    lean,
    readiness::Links,
    tracker::{ListFilter, Part},
};
use chrono::Utc;
use std::time::{Duration, Instant};

/// The beads of a file, prepared for changes.
pub struct Changing {
    index: Index,
    rows: Vec<crate::row::Row>,
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
        let (now, content) = (Utc::now().fixed_offset(), format!("0-{}", self.index.number()));
        let begun = Instant::now();
        let slot = self.index.slot(&row.id);
        self.index.apply(vec![(slot, Some(Entry::of(row)))], Readiness::Rules, now);
        let changed = self.index.part(0, &ListFilter::board(), Part::Since(&content), Vec::new());
        Some((begun.elapsed(), changed.beads.len()))
    }

    /// Computes the ready beads from all rows; returns the time and their number.
    pub fn recompute(&self) -> (Duration, usize) {
        let now = Utc::now().fixed_offset();
        let begun = Instant::now();
        let graph = Graph::at(&self.rows, now);
        let ready = self.rows.iter().filter(|row| graph.is_ready(row, now)).count();
        (begun.elapsed(), ready)
    }
}
