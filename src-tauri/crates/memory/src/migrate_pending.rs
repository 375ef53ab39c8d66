//! Moves pending memories from the file into the tracker. They were stored before the tracker existed, or while it
//! failed.

use crate::{MemoryProvider, ProviderError, provider::TRACKERS_ROUND, tracker_backend::TrackerBackend};
use bc_core::{
    ids::BeadId,
    memory::{MemoryEntry, content_of, from_row},
};
use serde_json::{Map, Value};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

/// The time limit for moving single memories within another operation. Each takes the tracker's program a few tenths
/// of a second, and much longer while the program is busy.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// The minimum number of memories for a batch.
const BATCH_MIN: usize = 2;
/// The maximum number of memories for a batch.
const BATCH_MAX: usize = 200;

impl MemoryProvider {
    /// Moves up to 200 memories that the tracker lacks in one batch, then up to `most` others one by
    /// one until a time limit. Returns the number of moved memories; 0 if there is no tracker, or another
    /// process holds the tracker lock.
    /// Each memory is in the tracker before it is removed from the file, so a crash in between leaves it in both,
    /// with the same key.
    ///
    /// # Errors
    ///
    /// The tracker fails, or the file cannot be read or written. Memories that were moved before stay moved.
    pub fn migrate_pending(&self, most: usize) -> Result<usize, ProviderError> {
        let Some(backend) = &self.backend else { return Ok(0) };
        if !self.file.path().exists() {
            return Ok(0);
        }
        // Do not wait, because the process that holds the lock may be moving the memories.
        let Some(_turn) = self.file.tracker_lock(Duration::ZERO)? else { return Ok(0) };
        let mut moved: Vec<(BeadId, Option<Value>)> = Vec::new();
        let mut failure = None;
        let in_tracker: Vec<MemoryEntry> =
            backend.rows().map_err(ProviderError::Tracker)?.iter().filter_map(from_row).collect();
        // Whether the tracker has a newer memory with the same key.
        let is_old = |entry: &MemoryEntry| {
            let newer =
                |other: &&MemoryEntry| other.updated_at > entry.updated_at.map(|at| at + TRACKERS_ROUND);
            in_tracker.iter().filter(|other| other.key == entry.key).any(|other| newer(&other))
        };
        let waiting = self.file.folded()?.rows;
        let together = self.migrate_new(backend, &waiting, &in_tracker, &mut moved)?;
        let (before, began) = (moved.len(), Instant::now());
        for row in waiting {
            let one_by_one = moved.len() - before;
            if one_by_one >= most || (one_by_one > 0 && began.elapsed() > LOCK_WAIT) {
                break;
            }
            let Some(entry) = from_row(&row).filter(|entry| !together.contains(&entry.key)) else { continue };
            // A forgotten memory, and one that the tracker has in a newer form, is only removed from the file.
            let result = if entry.forgotten || is_old(&entry) {
                Ok(())
            } else {
                backend.import(&row, &self.caller.actor)
            };
            match result {
                Ok(()) => moved.push((entry.id, row.get("updated_at").cloned())),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        self.remove_migrated(&moved)?;
        match failure {
            Some(error) => Err(ProviderError::Tracker(error)),
            None => Ok(moved.len()),
        }
    }

    /// Moves memories that the tracker does not have yet in one batch, if its program supports this and there
    /// are at least [`BATCH_MIN`]. Returns the keys of the moved memories.
    fn migrate_new(
        &self,
        backend: &TrackerBackend,
        waiting: &[Map<String, Value>],
        in_tracker: &[MemoryEntry],
        moved: &mut Vec<(BeadId, Option<Value>)>,
    ) -> Result<HashSet<String>, ProviderError> {
        let known: HashSet<&str> = in_tracker.iter().map(|entry| entry.key.as_str()).collect();
        let is_new = |entry: &MemoryEntry| {
            // Memories with links are moved one by one, because a link's target may no longer exist.
            !entry.forgotten && entry.links.is_empty() && !known.contains(entry.key.as_str())
        };
        let new = waiting.iter().filter(|row| from_row(row).is_some_and(|entry| is_new(&entry)));
        let new: Vec<_> = new.take(BATCH_MAX).cloned().collect();
        if new.len() < BATCH_MIN
            || !backend.import_new(&new, &self.caller.actor).map_err(ProviderError::Tracker)?
        {
            return Ok(HashSet::new());
        }
        // Do not trust the program's report of the import; read its rows.
        let said = backend.rows().map_err(ProviderError::Tracker)?;
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

    /// Removes the moved rows from the file. Rows that changed meanwhile are newer than the tracker's, so they stay
    /// and are moved again.
    fn remove_migrated(&self, moved: &[(BeadId, Option<Value>)]) -> Result<(), ProviderError> {
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
