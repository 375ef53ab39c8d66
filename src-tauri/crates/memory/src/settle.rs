//! Memories that wait in the file are moved into the tracker: those of a time before there was one, and
//! those of a time when it failed.

use crate::{MemoryProvider, ProviderError, provider::TRACKERS_ROUND, shelf::Shelf};
use bc_core::{
    ids::BeadId,
    memory::{MemoryEntry, content_of, from_row},
};
use serde_json::{Map, Value};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

/// How long whoever stores or looks waits for what others left: each memory costs the tracker's program some
/// tenths of a second, and much more while it is busy.
const PATIENCE: Duration = Duration::from_secs(2);
/// From so many on a run for all of them is worth it, and at most so many go into one.
const TOGETHER_MIN: usize = 2;
const TOGETHER_MAX: usize = 200;

impl MemoryProvider {
    /// Moves those that are new to the tracker in one run of its program, and at most so many others one by one, for as
    /// long as somebody may wait; how many it moved. Each is in the tracker before it goes from the file: a crash in
    /// between leaves it in both, under one key.
    ///
    /// # Errors
    /// The tracker fails still; what was moved until then is moved.
    pub fn settle(&self, most: usize) -> Result<usize, ProviderError> {
        let Some(shelf) = &self.shelf else { return Ok(0) };
        if !self.file.path().exists() {
            return Ok(0);
        }
        // Nobody waits for this: whoever has the turn may be moving them just now.
        let Some(_turn) = self.file.turn(Duration::ZERO)? else { return Ok(0) };
        let mut moved: Vec<(BeadId, Option<Value>)> = Vec::new();
        let mut failure = None;
        let there: Vec<MemoryEntry> =
            shelf.rows().map_err(ProviderError::Tracker)?.iter().filter_map(from_row).collect();
        // Somebody stored something else under its key since, and the tracker took that.
        let is_old = |entry: &MemoryEntry| {
            let newer =
                |other: &&MemoryEntry| other.updated_at > entry.updated_at.map(|at| at + TRACKERS_ROUND);
            there.iter().filter(|other| other.key == entry.key).any(|other| newer(&other))
        };
        let waiting = self.file.folded()?.rows;
        let together = self.settle_new(shelf, &waiting, &there, &mut moved)?;
        let (before, began) = (moved.len(), Instant::now());
        for row in waiting {
            let one_by_one = moved.len() - before;
            if one_by_one >= most || (one_by_one > 0 && began.elapsed() > PATIENCE) {
                break;
            }
            let Some(entry) = from_row(&row).filter(|entry| !together.contains(&entry.key)) else { continue };
            // What was forgotten while it waited is nobody's loss.
            let taken =
                if entry.forgotten || is_old(&entry) { Ok(()) } else { shelf.take(&row, &self.caller.actor) };
            match taken {
                Ok(()) => moved.push((entry.id, row.get("updated_at").cloned())),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        self.take_out(&moved)?;
        match failure {
            Some(error) => Err(ProviderError::Tracker(error)),
            None => Ok(moved.len()),
        }
    }

    /// Moves what the tracker does not know yet, all of it at once where its program can do that; the keys of those.
    fn settle_new(
        &self,
        shelf: &Shelf,
        waiting: &[Map<String, Value>],
        there: &[MemoryEntry],
        moved: &mut Vec<(BeadId, Option<Value>)>,
    ) -> Result<HashSet<String>, ProviderError> {
        let known: HashSet<&str> = there.iter().map(|entry| entry.key.as_str()).collect();
        let is_new = |entry: &MemoryEntry| {
            // What it is linked to may be gone: that is seen to one by one.
            !entry.forgotten && entry.links.is_empty() && !known.contains(entry.key.as_str())
        };
        let new = waiting.iter().filter(|row| from_row(row).is_some_and(|entry| is_new(&entry)));
        let new: Vec<_> = new.take(TOGETHER_MAX).cloned().collect();
        if new.len() < TOGETHER_MIN
            || !shelf.take_new(&new, &self.caller.actor).map_err(ProviderError::Tracker)?
        {
            return Ok(HashSet::new());
        }
        // What the program says of it is not relied on: what is there is there.
        let said = shelf.rows().map_err(ProviderError::Tracker)?;
        let now: HashMap<String, &str> =
            said.iter().filter_map(|row| Some((from_row(row)?.key, content_of(row).trim_end()))).collect();
        let mut keys = HashSet::new();
        for row in &new {
            let Some(entry) = from_row(row) else { continue };
            if now.get(&entry.key) == Some(&content_of(row).trim_end()) {
                moved.push((entry.id, row.get("updated_at").cloned()));
                keys.insert(entry.key);
            }
        }
        Ok(keys)
    }

    /// Takes rows out of the file that are in the tracker now, unless somebody changed them meanwhile: those
    /// are newer than what the tracker has, and move again.
    fn take_out(&self, moved: &[(BeadId, Option<Value>)]) -> Result<(), ProviderError> {
        if moved.is_empty() {
            return Ok(());
        }
        let writing = self.file.write()?;
        let rows = self.file.folded()?.rows;
        let is_same = |(id, at): &&(BeadId, Option<Value>)| {
            let row = rows.iter().find(|row| row.get("id").and_then(Value::as_str) == Some(id.as_str()));
            row.is_some_and(|row| row.get("updated_at") == at.as_ref())
        };
        let gone: Vec<BeadId> = moved.iter().filter(is_same).map(|(id, _)| id.clone()).collect();
        writing.remove(&gone)
    }
}
