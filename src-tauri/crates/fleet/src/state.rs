//! The fleet's state as a whole: its folder, its warnings, and cleanup after crashes.

use crate::open_logs::Logs;
use bc_core::Timestamp;
use bc_store::{FileError, file};
use std::{
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

/// The age at which a temporary file is considered abandoned after a crash, because no write takes this long.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

/// A callback that runs after the state's folder is created. It receives the topmost new folder, and returns
/// a warning, if any.
type Made = dyn Fn(&Path) -> Option<String> + Send + Sync;

/// The fleet's state in a folder. Nothing is created before the first change.
pub struct State {
    dir: PathBuf,
    now: fn() -> Timestamp,
    warnings: Mutex<Vec<String>>,
    logs: Arc<Logs>,
    made: Option<Arc<Made>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl State {
    /// Opens the state in this folder, and removes temporary files left by crashes.
    pub fn at(dir: PathBuf, now: fn() -> Timestamp) -> State {
        let state = State { dir, now, warnings: Mutex::default(), logs: Arc::default(), made: None };
        state.sweep();
        state
    }

    /// Adds a callback that runs after the state's folder is created.
    pub fn when_made(self, made: impl Fn(&Path) -> Option<String> + Send + Sync + 'static) -> State {
        State { made: Some(Arc::new(made)), ..self }
    }

    /// Returns a handle to the same state with a separate list of warnings.
    pub fn again(&self) -> State {
        let (logs, made) = (Arc::clone(&self.logs), self.made.clone());
        State { dir: self.dir.clone(), now: self.now, warnings: Mutex::default(), logs, made }
    }

    pub(crate) fn logs(&self) -> &Logs {
        &self.logs
    }

    /// The state's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Creates the state's folder if it does not exist.
    pub(crate) fn make(&self) -> Result<(), FileError> {
        if self.dir.is_dir() {
            return Ok(());
        }
        let missing = self.dir.ancestors().take_while(|folder| !folder.exists());
        let top = missing.last().map(Path::to_owned);
        file::create_dir(&self.dir)?;
        if let (Some(top), Some(made)) = (top, &self.made)
            && let Some(warning) = made(&top)
        {
            self.warn(warning);
        }
        Ok(())
    }

    /// The warnings since the last call, as text for the user.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.warnings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    pub(crate) fn warn(&self, text: String) {
        self.warnings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(text);
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// A random number for a new id.
    pub(crate) fn random() -> u64 {
        uuid::Uuid::new_v4().as_u64_pair().1
    }

    /// Removes abandoned temporary files, including those of other programs that use this format. Failures
    /// are ignored.
    fn sweep(&self) {
        let Ok(folders) = fs::read_dir(&self.dir) else { return };
        for folder in folders.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            file::remove_abandoned(&folder.path());
            let Ok(files) = fs::read_dir(folder.path()) else { continue };
            for left in files.flatten().filter(|entry| is_temporary(&entry.file_name())).filter(is_left) {
                let _ = file::remove(&left.path());
            }
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.ends_with(".json.tmp") || name.starts_with('.') && name.ends_with(".tmp")
}

fn is_left(entry: &fs::DirEntry) -> bool {
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file);
    let written = metadata.and_then(|metadata| metadata.modified().ok());
    let age = written.and_then(|written| SystemTime::now().duration_since(written).ok());
    age.is_some_and(|age| age >= ABANDONED_AFTER)
}
