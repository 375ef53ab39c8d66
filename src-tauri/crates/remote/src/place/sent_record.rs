//! A session's record, which a link sends to a place that lacks it, so that the host at the place can
//! continue the session.

use super::folders::ProjectFolders;
use crate::record_kind::Log;
use bc_core::ids::SessionId;
use bc_store::{
    SessionDir,
    file::{self, Appender},
};
use std::{collections::BTreeMap, path::PathBuf};

/// The part of the record received so far, in its own folder until the session exists.
pub(super) struct SentRecord {
    folder: PathBuf,
    logs: BTreeMap<Log, Appender>,
}

impl SentRecord {
    /// Creates an empty record, and removes the remains of an earlier connection.
    pub(super) fn new(folders: &ProjectFolders, session: SessionId) -> Result<SentRecord, String> {
        let folder = folders.root().join(format!("received-{session}"));
        if folder.exists() {
            file::remove_all(&folder).map_err(|error| error.to_string())?;
        }
        Ok(SentRecord { folder, logs: BTreeMap::new() })
    }

    pub(super) fn append(&mut self, log: Log, lines: &str) -> Result<(), String> {
        if !self.logs.contains_key(&log) {
            file::create_dir(&self.folder).map_err(|error| error.to_string())?;
            let (appender, _) = Appender::open(&self.path(log)).map_err(|error| error.to_string())?;
            self.logs.insert(log, appender);
        }
        let appender = self.logs.get_mut(&log).expect("it was inserted above");
        appender.append(lines.as_bytes()).map_err(|error| error.to_string())
    }

    /// Moves the logs into the folder of the session, which was just created.
    pub(super) fn move_into(self, dir: &SessionDir) -> Result<(), String> {
        for &log in self.logs.keys() {
            file::rename(&self.path(log), &log.path(dir)).map_err(|error| error.to_string())?;
        }
        match self.logs.is_empty() {
            true => Ok(()),
            false => file::remove_all(&self.folder).map_err(|error| error.to_string()),
        }
    }

    fn path(&self, log: Log) -> PathBuf {
        self.folder.join(format!("{log:?}.jsonl"))
    }
}
