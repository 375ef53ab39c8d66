//! Restores rows from a backup. The caller selects the rows that are newer than the local ones.

use crate::{MemoryProvider, ProviderError, file::TRACKER_LOCK_WAIT};
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
        let Some(_turn) = self.file.tracker_lock(TRACKER_LOCK_WAIT)? else {
            return Err(ProviderError::Tracker(self.busy()));
        };
        backend.import_all(rows, &self.caller.actor).map_err(ProviderError::Tracker)
    }
}
