//! Whole rows from a backup, with their keys, times and sessions. Which ones are later than what is here is the
//! caller's to know.

use crate::{MemoryProvider, ProviderError, file::TURN};
use bc_beads::TrackerError;
use serde_json::{Map, Value};

impl MemoryProvider {
    /// Takes rows in as they are; they are on disk when this returns.
    ///
    /// # Errors
    /// The tracker or the file fails; taken in again, nothing is there twice.
    pub fn take_in(&self, rows: &[Map<String, Value>]) -> Result<(), ProviderError> {
        if rows.is_empty() {
            return Ok(());
        }
        let Some(shelf) = &self.shelf else {
            let writing = self.file.write()?;
            return rows.iter().try_for_each(|row| writing.append(row));
        };
        let said = || "other processes store memories".to_owned();
        let Some(_turn) = self.file.turn(TURN)? else {
            let busy = TrackerError::Busy { beads_dir: self.place.beads_dir.clone(), said: said() };
            return Err(ProviderError::Tracker(busy));
        };
        shelf.take_all(rows, &self.caller.actor).map_err(ProviderError::Tracker)
    }
}
