//! `.beads/memories.jsonl`: one line for every change of a memory. A line has the fields of a bead. Among the
//! lines with the same id, one with a newer `updated_at` overrides the fields of older ones; a field that it
//! omits does not change, and `null` deletes a field. Lines are only appended, but the lines of memories that
//! were moved to the tracker are removed.
//!
//! So an append does not read the file, and the lines of two clones can be merged by keeping all of them. A
//! torn last line is moved to another file. An unreadable line causes a warning and stays in the file.

mod fold;
mod search;

pub(crate) use fold::{Folded, fold};
pub(crate) use search::candidates;

use crate::ProviderError;
use bc_core::ids::BeadId;
use bc_store::{
    file::{self, Appender},
    lock::FileLock,
    repository::{self, limits},
};
use serde_json::{Map, Value};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The time limit for taking the write lock. Each process holds the lock only for one write.
const LOCK_WAIT: Duration = Duration::from_secs(60);

/// The time limit for taking the tracker lock. After this time, a new memory is stored in the file, so that the user
/// does not wait too long.
pub(crate) const TRACKER_LOCK_WAIT: Duration = Duration::from_secs(20);

/// The merge rule for git, which keeps the lines of both sides.
const ATTRIBUTES: &str = "memories.jsonl merge=union\n";

#[derive(Debug, Clone)]
pub(crate) struct MemoryFile {
    beads_dir: PathBuf,
}

/// The held write lock, which permits writes to the file.
pub(crate) struct Writing<'a> {
    file: &'a MemoryFile,
    _lock: FileLock,
}

impl MemoryFile {
    pub(crate) fn in_dir(beads_dir: &Path) -> MemoryFile {
        MemoryFile { beads_dir: beads_dir.to_owned() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.beads_dir.join("memories.jsonl")
    }

    /// The file's content; empty if the file does not exist.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, ProviderError> {
        let read = repository::read(&self.path(), limits::ROWS);
        Ok(read
            .map_err(|source| ProviderError::File { operation: "reading the memories", source })?
            .unwrap_or_default())
    }

    pub(crate) fn folded(&self) -> Result<Folded, ProviderError> {
        Ok(fold(&self.bytes()?))
    }

    /// Takes the tracker lock; `None` after the time limit `patience`. A tracker has one writer, so
    /// concurrent runs of its program would only delay each other.
    pub(crate) fn tracker_lock(&self, patience: Duration) -> Result<Option<FileLock>, ProviderError> {
        FileLock::exclusive(&self.beads_dir.join("memories-tracker.lock"), patience).map_err(failed)
    }

    /// Takes the write lock, or fails after [`LOCK_WAIT`].
    pub(crate) fn write(&self) -> Result<Writing<'_>, ProviderError> {
        let path = self.beads_dir.join("memories.lock");
        let lock = FileLock::exclusive(&path, LOCK_WAIT).map_err(failed)?;
        lock.map(|lock| Writing { file: self, _lock: lock }).ok_or(ProviderError::Busy { path })
    }
}

fn failed(source: bc_store::FileError) -> ProviderError {
    ProviderError::File { operation: "writing the memories", source }
}

impl Writing<'_> {
    /// The current row of an id; `None` if the file has none.
    pub(crate) fn row(&self, id: &BeadId) -> Result<Option<Map<String, Value>>, ProviderError> {
        Ok(fold::one(&self.file.bytes()?, id))
    }

    /// Appends a row as a line. The line is on disk when this returns.
    pub(crate) fn append(&self, row: &Map<String, Value>) -> Result<(), ProviderError> {
        let path = self.file.path();
        let made = !path.exists();
        let line = serde_json::to_vec(row).expect("a row has string keys and always encodes");
        Appender::append_once(&path, &line).map_err(failed)?;
        if made {
            // Write the merge rule, unless a `.gitattributes` file exists.
            let attributes = self.file.beads_dir.join(".gitattributes");
            file::create(&attributes, ATTRIBUTES.as_bytes()).map_err(failed)?;
        }
        Ok(())
    }

    pub(crate) fn remove(&self, ids: &[BeadId]) -> Result<(), ProviderError> {
        let kept = fold::without(&self.file.bytes()?, ids);
        match kept.is_empty() {
            true => file::remove(&self.file.path()),
            false => file::replace(&self.file.path(), &kept),
        }
        .map_err(failed)
    }
}
