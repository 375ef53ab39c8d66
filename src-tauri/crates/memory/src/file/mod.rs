//! `.beads/memories.jsonl`: one line for every change of a memory, appended. A line has the fields of an
//! issue; a later line of the same id lies over the earlier ones, and a field that it leaves out stays.
//!
//! So that nobody has to read what is there to add to it, and two clones that both added merge line by
//! line. A torn last line is set aside; a line that cannot be read is told of and left alone.

mod fold;
mod naming;
mod search;

pub(crate) use fold::{Folded, fold};
pub(crate) use search::candidates;

use crate::ProviderError;
use bc_core::ids::BeadId;
use bc_store::{
    file::{self, Appender},
    lock::FileLock,
};
use serde_json::{Map, Value};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// How long other processes may hold the file. Each holds it for one write.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a process waits for its turn at the tracker: then the file takes its memory, and nobody waits for
/// longer than a person would.
pub(crate) const TURN: Duration = Duration::from_secs(20);

/// What a merge does with the file, for git: it takes the lines of both sides.
const ATTRIBUTES: &str = "memories.jsonl merge=union\n";

/// Where a project's file is.
#[derive(Debug, Clone)]
pub(crate) struct MemoryFile {
    beads_dir: PathBuf,
}

/// The right to write the file.
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

    /// Its content; empty where there is none.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, ProviderError> {
        let read = file::read(&self.path());
        Ok(read
            .map_err(|source| ProviderError::File { operation: "reading the memories", source })?
            .unwrap_or_default())
    }

    pub(crate) fn folded(&self) -> Result<Folded, ProviderError> {
        Ok(fold(&self.bytes()?))
    }

    /// Waits a while until no other process of ours is at the tracker: it has one writer, and whoever meets another
    /// one there waits long. `None` where that takes too long.
    pub(crate) fn turn(&self, patience: Duration) -> Result<Option<FileLock>, ProviderError> {
        FileLock::exclusive(&self.beads_dir.join("memories-tracker.lock"), patience).map_err(failed)
    }

    /// Waits until nobody else writes.
    pub(crate) fn write(&self) -> Result<Writing<'_>, ProviderError> {
        let path = self.beads_dir.join("memories.lock");
        let lock = FileLock::exclusive(&path, PATIENCE).map_err(failed)?;
        lock.map(|lock| Writing { file: self, _lock: lock }).ok_or(ProviderError::Busy { path })
    }
}

fn failed(source: bc_store::FileError) -> ProviderError {
    ProviderError::File { operation: "writing the memories", source }
}

impl Writing<'_> {
    /// The row of an id as it is now.
    pub(crate) fn row(&self, id: &BeadId) -> Result<Option<Map<String, Value>>, ProviderError> {
        // Most memories are new: what does not name it is not read into memory at once.
        let path = self.file.path();
        let named = naming::names(&path, id);
        let read = |source| ProviderError::File {
            operation: "reading the memories",
            source: bc_store::FileError::Read { path: path.clone(), source },
        };
        match named.map_err(read)? {
            true => Ok(fold::one(&self.file.bytes()?, id)),
            false => Ok(None),
        }
    }

    /// Appends a line; it is on disk when this returns.
    pub(crate) fn append(&self, row: &Map<String, Value>) -> Result<(), ProviderError> {
        let path = self.file.path();
        let made = !path.exists();
        let line = serde_json::to_vec(row).expect("a row has string keys and always encodes");
        Appender::append_once(&path, &line).map_err(failed)?;
        if made {
            self.attributes()?;
        }
        Ok(())
    }

    /// Tells git how the file is merged, where nobody has told it anything.
    fn attributes(&self) -> Result<(), ProviderError> {
        let path = self.file.beads_dir.join(".gitattributes");
        file::create(&path, ATTRIBUTES.as_bytes()).map(drop).map_err(failed)
    }

    /// Takes the lines of these ids out of the file.
    pub(crate) fn remove(&self, ids: &[BeadId]) -> Result<(), ProviderError> {
        let kept = fold::without(&self.file.bytes()?, ids);
        match kept.is_empty() {
            true => file::remove(&self.file.path()),
            false => file::replace(&self.file.path(), &kept),
        }
        .map_err(failed)
    }
}
