//! The hashes of a file's lines as last read, so that a changed file is not parsed as a whole. The bytes are
//! not kept.
//!
//! Invariant: after [`LineTable::update`], the index has the rows of [`lean_rows`](super::lean_rows) over the
//! same bytes, and the warnings are the same.

use super::{
    lean_rows::{of_conflict, of_duplicate, read_lean},
    lines::is_conflict_marker,
};
use crate::{
    index::{Entry, Index, Readiness, Slot},
    tracker::Warning,
};
use bc_core::{Timestamp, bead::BeadStatus, ids::BeadId};
use foldhash::fast::RandomState;
use memchr::memchr_iter;
use std::{collections::HashMap, hash::BuildHasher, ops::Range, thread};

/// Fewer lines than this are parsed on one thread.
const FEW: usize = 2_000;
/// The slot of a line without a bead.
const NONE: Slot = Slot::MAX;

#[derive(Debug, Default)]
pub(crate) struct LineTable {
    lines: Vec<Line>,
    /// Randomly seeded for each table, so that no file can be crafted to have equal hashes.
    hasher: RandomState,
    problems: HashMap<u64, Problem>,
    /// Beads with more than one line.
    twins: HashMap<Slot, BeadId>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    hash: u64,
    bead: Slot,
}

#[derive(Debug, Clone)]
enum Problem {
    Conflict,
    Unreadable(String),
}

/// The content of a line.
enum Content {
    Bead(Entry),
    /// The line is blank, or another kind of row.
    Other,
    Problem(Problem),
}

impl LineTable {
    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Brings the table and the index up to date. Returns whether a line changed; true on the first call.
    pub(crate) fn update(&mut self, bytes: &[u8], index: &mut Index, now: Timestamp) -> bool {
        let ranges = ranges(bytes);
        let hashes: Vec<u64> =
            ranges.iter().map(|range| self.hasher.hash_one(&bytes[range.clone()])).collect();
        let old = std::mem::take(&mut self.lines);
        let same = |(line, hash): &(&Line, &u64)| line.hash == **hash;
        let before = old.iter().zip(&hashes).take_while(same).count();
        let longest = old.len().min(hashes.len()) - before;
        let after = old.iter().rev().zip(hashes.iter().rev()).take(longest).take_while(same).count();
        if before == old.len() && before == hashes.len() && index.number() > 0 {
            self.lines = old;
            return false;
        }
        let (gone, new) = (&old[before..old.len() - after], before..hashes.len() - after);
        // The slot of each removed line by its hash, and whether a new line has the same hash.
        let mut known: HashMap<u64, (Slot, bool), RandomState> =
            gone.iter().map(|line| (line.hash, (line.bead, false))).collect();
        let is_new = |at: &usize| !known.contains_key(&hashes[*at]);
        let to_read: Vec<usize> = new.clone().filter(is_new).collect();
        let mut read = read_all(bytes, &ranges, &to_read);

        let mut touched: Vec<Slot> = self.twins.keys().copied().collect();
        let mut lines = Vec::with_capacity(hashes.len());
        lines.extend_from_slice(&old[..before]);
        let mut next = to_read.iter().zip(&mut read).peekable();
        for at in new.clone() {
            let hash = hashes[at];
            let Some((_, content)) = next.next_if(|(read, _)| **read == at) else {
                let (bead, found) = known.get_mut(&hash).expect("other lines are read");
                lines.push(Line { hash, bead: *bead });
                if std::mem::replace(found, true) {
                    // The file contains this line more than once.
                    touched.push(*bead);
                }
                continue;
            };
            let bead = match content {
                Content::Bead(entry) => {
                    entry.texts = hash;
                    index.slot(&entry.bead.id)
                }
                Content::Other => NONE,
                Content::Problem(problem) => {
                    self.problems.insert(hash, problem.clone());
                    NONE
                }
            };
            touched.push(bead);
            lines.push(Line { hash, bead });
        }
        lines.extend_from_slice(&old[old.len() - after..]);
        touched.extend(known.values().filter(|(_, found)| !found).map(|(bead, _)| *bead));
        touched.sort_unstable();
        touched.dedup();
        touched.pop_if(|last| *last == NONE);
        drop((old, known, hashes));
        self.lines = lines;

        let entries = to_read.into_iter().zip(read).filter_map(|(at, content)| match content {
            Content::Bead(entry) => Some((at, entry)),
            Content::Other | Content::Problem(_) => None,
        });
        let changes = self.current(&touched, entries.collect(), |at| entry_of(&bytes[ranges[at].clone()]));
        index.apply(changes, Readiness::Rules, now);
        self.warn();
        true
    }

    /// The current state of each touched bead, in the order of `touched`. If a bead has several lines, the
    /// latest change counts, and on equal times the later line. `read` contains the lines that were just
    /// parsed.
    fn current(
        &mut self,
        touched: &[Slot],
        read: Vec<(usize, Entry)>,
        entry_at: impl Fn(usize) -> Option<Entry>,
    ) -> Vec<(Slot, Option<Entry>)> {
        let mut is_touched = vec![false; touched.last().map_or(0, |last| *last as usize + 1)];
        touched.iter().for_each(|slot| is_touched[*slot as usize] = true);
        let mut found: Vec<(Slot, Entry)> = Vec::with_capacity(touched.len());
        let mut read = read.into_iter().peekable();
        for (at, line) in self.lines.iter().enumerate() {
            let known = read.next_if(|(next, _)| *next == at).map(|(_, entry)| entry);
            if !is_touched.get(line.bead as usize).is_some_and(|touched| *touched) {
                continue;
            }
            let again = || {
                let mut entry = entry_at(at)?;
                entry.texts = line.hash;
                Some(entry)
            };
            found.extend(known.or_else(again).map(|entry| (line.bead, entry)));
        }
        // Stable: a bead's lines keep their order.
        found.sort_by_key(|(slot, _)| *slot);
        let mut found = found.into_iter().peekable();
        let mut changes = Vec::with_capacity(touched.len());
        for &slot in touched {
            let (mut latest, mut count) = (None::<Entry>, 0);
            while let Some((_, entry)) = found.next_if(|(of, _)| *of == slot) {
                count += 1;
                if latest.as_ref().is_none_or(|latest| latest.bead.updated_at <= entry.bead.updated_at) {
                    latest = Some(entry);
                }
            }
            match &latest {
                Some(entry) if count > 1 => self.twins.insert(slot, entry.bead.id.clone()),
                _ => self.twins.remove(&slot),
            };
            changes.push((slot, latest.filter(|entry| entry.bead.status != BeadStatus::Tombstone)));
        }
        changes
    }

    fn warn(&mut self) {
        self.warnings.clear();
        if !self.problems.is_empty() {
            let mut conflict = None;
            let mut used = HashMap::new();
            for (at, line) in self.lines.iter().enumerate().filter(|(_, line)| line.bead == NONE) {
                let Some(problem) = self.problems.get(&line.hash) else { continue };
                match problem {
                    Problem::Conflict => conflict = conflict.or(Some(at + 1)),
                    Problem::Unreadable(what) => {
                        self.warnings.push(Warning { line: Some(at + 1), what: what.clone() });
                    }
                }
                used.insert(line.hash, problem.clone());
            }
            self.problems = used;
            self.warnings.extend(conflict.map(of_conflict));
        }
        let mut twins: Vec<&BeadId> = self.twins.values().collect();
        twins.sort_unstable();
        self.warnings.extend(twins.into_iter().map(of_duplicate));
    }
}

/// The lines without their terminators, blank ones included.
fn ranges(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut from = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut ranges = Vec::with_capacity(bytes.len() / 256);
    for end in memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let to = if end > from && bytes[end - 1] == b'\r' { end - 1 } else { end };
        ranges.push(from..to);
        from = end + 1;
    }
    ranges
}

fn read_all(bytes: &[u8], ranges: &[Range<usize>], lines: &[usize]) -> Vec<Content> {
    let read = |lines: &[usize]| -> Vec<Content> {
        lines.iter().map(|at| content(&bytes[ranges[*at].clone()])).collect()
    };
    if lines.len() < FEW {
        return read(lines);
    }
    let threads = thread::available_parallelism().map_or(1, usize::from).min(4);
    thread::scope(|scope| {
        let parts = lines.chunks(lines.len().div_ceil(threads));
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
        let join = |part: thread::ScopedJoinHandle<'_, Vec<Content>>| {
            part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        parts.into_iter().flat_map(join).collect()
    })
}

fn content(line: &[u8]) -> Content {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Content::Other;
    }
    if is_conflict_marker(line) {
        return Content::Problem(Problem::Conflict);
    }
    match read_lean(line) {
        Ok(Some(row)) => Content::Bead(Entry::of(row)),
        Ok(None) => Content::Other,
        Err(why) => Content::Problem(Problem::Unreadable(format!("{why}; the line is kept unchanged"))),
    }
}

fn entry_of(line: &[u8]) -> Option<Entry> {
    match content(line) {
        Content::Bead(entry) => Some(entry),
        Content::Other | Content::Problem(_) => None,
    }
}
