//! Restores rows from a backup. The caller selects the rows that are newer than the local ones.

use crate::{MemoryProvider, ProviderError, file::TRACKER_LOCK_WAIT};
use bc_beads::TrackerError;
use serde_json::{Map, Value};

impl MemoryProvider {
    /// Restores rows with their keys and sessions; the file and bd also keep the times of the rows. The rows
    /// are on disk when this returns.
    ///
    /// # Errors
    ///
    /// The tracker or the file fails, or other processes hold the tracker's lock for too long. Repeating the
    /// restore creates no duplicates.
    pub fn restore(&self, rows: &[Map<String, Value>]) -> Result<(), ProviderError> {
        if rows.is_empty() {
            return Ok(());
        }
        let Some(backend) = &self.backend else {
            let writing = self.file.write()?;
            return rows.iter().try_for_each(|row| writing.append(row));
        };
        let said = || "other processes store memories".to_owned();
        let Some(_turn) = self.file.tracker_lock(TRACKER_LOCK_WAIT)? else {
            let busy = TrackerError::Busy { beads_dir: self.place.beads_dir.clone(), said: said() };
            return Err(ProviderError::Tracker(busy));
        };
        backend.import_all(rows, &self.caller.actor).map_err(ProviderError::Tracker)
    }
}
