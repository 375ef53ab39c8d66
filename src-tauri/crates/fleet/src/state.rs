//! The state as a whole: where it is, what it warned of, what crashes left in it.

use crate::events::Logs;
use bc_core::Timestamp;
use bc_store::file::{self, TEMPORARY_PREFIX};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

/// After which time a temporary file is one that a crash left: no write takes as long.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// The fleet's state in a folder. Nothing is made before the first change.
#[derive(Debug)]
pub struct State {
    dir: PathBuf,
    now: fn() -> Timestamp,
    warnings: Mutex<Vec<String>>,
    logs: Arc<Logs>,
}

impl State {
    /// The state in that folder. What crashes left there is cleared away.
    pub fn at(dir: PathBuf, now: fn() -> Timestamp) -> State {
        let state = State { dir, now, warnings: Mutex::default(), logs: Arc::default() };
        state.sweep();
        state
    }

    /// The same state with warnings of its own, for another caller.
    pub fn again(&self) -> State {
        let logs = Arc::clone(&self.logs);
        State { dir: self.dir.clone(), now: self.now, warnings: Mutex::default(), logs }
    }

    pub(crate) fn logs(&self) -> &Logs {
        &self.logs
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What was found wrong since this was asked last, for the person to see.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.warnings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    pub(crate) fn warn(&self, text: String) {
        self.warnings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(text);
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// A random number for a name.
    pub(crate) fn random() -> u64 {
        uuid::Uuid::new_v4().as_u64_pair().1
    }

    /// Removes temporary files that nobody writes any more, ours and those of other programs of this format.
    /// That one cannot be removed costs nothing.
    fn sweep(&self) {
        let Ok(folders) = fs::read_dir(&self.dir) else { return };
        for folder in folders.flatten().filter(|entry| entry.path().is_dir()) {
            let Ok(files) = fs::read_dir(folder.path()) else { continue };
            for left in files.flatten().filter(|entry| is_temporary(&entry.file_name())).filter(is_left) {
                let _ = file::remove(&left.path());
            }
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(TEMPORARY_PREFIX) || name.starts_with('.') && name.ends_with(".tmp")
}

fn is_left(entry: &fs::DirEntry) -> bool {
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file);
    let written = metadata.and_then(|metadata| metadata.modified().ok());
    let age = written.and_then(|written| SystemTime::now().duration_since(written).ok());
    age.is_some_and(|age| age >= LEFT_AFTER)
}
