//! For the benchmarks: the cost of a change in memory, without reading the file and hashing its lines.

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

#[cfg(test)]
mod tmp {
    use super::*;
    #[test]
    #[ignore = "temporary"]
    fn timing() {
        let path = std::env::var("TMP_BEADS").unwrap();
        let t = Instant::now();
        let bytes = std::fs::read(&path).unwrap();
        println!("read {:?} {} MB", t.elapsed(), bytes.len() >> 20);
        let t = Instant::now();
        let n = lean_rows(&bytes).0.len();
        println!("lean_rows {n} {:?}", t.elapsed());
        for _ in 0..3 {
            let mut index = Index::default();
            let mut table = LineTable::default();
            let now = Utc::now().fixed_offset();
            let t = Instant::now();
            table.update(&bytes, &mut index, now);
            println!("first update {:?}", t.elapsed());
            let t = Instant::now();
            let p = index.part(0, &ListFilter::board(), Part::FirstOfColumns(60), Vec::new());
            println!("page {} {:?}", p.beads.len(), t.elapsed());
            let t = Instant::now();
            let p = index.part(0, &ListFilter::board(), Part::All, Vec::new());
            println!("all {} {:?}", p.beads.len(), t.elapsed());
            drop(p);
            let text = String::from_utf8(bytes.clone())
                .unwrap()
                .replacen("Bead number 50000:", "Bead number x:", 1)
                .into_bytes();
            let t = Instant::now();
            table.update(&text, &mut index, now);
            println!("update {:?}", t.elapsed());
            let t = Instant::now();
            let p = index.part(0, &ListFilter::board(), Part::Since("0-1"), Vec::new());
            println!("since {} {:?}", p.beads.len(), t.elapsed());
            let t = Instant::now();
            let text = &text[..];
            let (mut from, mut hashes) = (0, Vec::new());
            let h = foldhash::fast::RandomState::default();
            use std::hash::BuildHasher;
            for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
                hashes.push(h.hash_one(&text[from..end]));
                from = end + 1;
            }
            println!("hash only {} {:?}", hashes.len(), t.elapsed());
        }
        let mut c = Changing::read(&bytes);
        let line = bytes.split(|b| *b == b'\n').nth(2).unwrap().to_vec();
        let closed = String::from_utf8(line.clone())
            .unwrap()
            .replacen("\"status\":\"open\"", "\"status\":\"closed\"", 1)
            .into_bytes();
        for _ in 0..5 {
            println!("change {:?} {:?} recompute {:?}", c.change(&closed), c.change(&line), c.recompute());
        }
    }
}
