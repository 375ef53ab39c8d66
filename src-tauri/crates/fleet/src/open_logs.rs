//! The event logs that this process has open.

use bc_store::file::SharedLog;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// The maximum number of open logs.
const OPEN: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Logs(Mutex<HashMap<PathBuf, Arc<SharedLog>>>);

impl Logs {
    /// The log at this path, opened on demand.
    pub(crate) fn of(&self, path: PathBuf) -> Arc<SharedLog> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= OPEN && !open.contains_key(&path) {
            // Close all logs; each is reopened on demand.
            open.clear();
        }
        Arc::clone(open.entry(path.clone()).or_insert_with(|| Arc::new(SharedLog::at(path))))
    }
}
