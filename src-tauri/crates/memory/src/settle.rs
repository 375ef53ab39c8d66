//! Memories that wait in the file are moved into the tracker: those of a time before there was one, and
//! those of a time when it failed.

use crate::{MemoryProvider, ProviderError, provider::TRACKERS_ROUND};
use bc_core::{
    ids::BeadId,
    memory::{MemoryEntry, from_row},
};
use serde_json::Value;
use std::time::Duration;

impl MemoryProvider {
    /// Moves at most so many; how many it moved. Each is in the tracker before it goes from the file: a
    /// crash in between leaves it in both, under one key.
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
        for row in self.file.folded()?.rows {
            let Some(entry) = from_row(&row).filter(|_| moved.len() < most) else { continue };
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
