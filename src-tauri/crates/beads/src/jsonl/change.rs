//! Changes the file of the embedded store: under its lock, based on the newest content. The file is written
//! as a whole, and read back except after an import.

use super::snapshot::{Snapshot, Stored};
use crate::{Layout, TrackerError, place, row::Row};
use bc_store::{
    file,
    lock::FileLock,
    repository::{self, limits},
};
use serde_json::{Map, Value};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The time limit for getting the file's lock.
const PATIENCE: Duration = Duration::from_secs(20);

/// The location of an embedded store.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) beads_dir: PathBuf,
}

impl Place {
    pub(crate) fn file(&self) -> PathBuf {
        place::jsonl_file(&self.beads_dir)
    }

    /// Fails if a tracker's program took over the beads: from then on, only that program may write them.
    fn still_ours(&self) -> Result<(), TrackerError> {
        match place::layout(&self.beads_dir) {
            Some(Layout::Jsonl) => Ok(()),
            Some(_) => Err(TrackerError::Superseded { beads_dir: self.beads_dir.clone() }),
            None => {
                let root = self.beads_dir.parent().unwrap_or(Path::new("/")).to_owned();
                Err(TrackerError::NoBeads { root })
            }
        }
    }

    /// Changes one bead and returns its new row. Nothing is written if `change` fails, or changes nothing and
    /// returns `None`.
    pub(crate) fn change(
        &self,
        operation: &'static str,
        change: impl FnOnce(&Snapshot) -> Result<Option<Map<String, Value>>, TrackerError>,
    ) -> Result<Option<Stored>, TrackerError> {
        self.change_all(operation, [change])?.pop().unwrap_or(Ok(None))
    }

    /// Changes several beads with one write. Each change sees the results of the earlier ones; failed changes are
    /// left out.
    pub(crate) fn change_all<C>(
        &self,
        operation: &'static str,
        changes: impl IntoIterator<Item = C>,
    ) -> Result<Vec<Result<Option<Stored>, TrackerError>>, TrackerError>
    where
        C: FnOnce(&Snapshot) -> Result<Option<Map<String, Value>>, TrackerError>,
    {
        let (_lock, path, mut snapshot) = self.locked()?;
        let mut made = |change: C| {
            let Some(map) = change(&snapshot)? else { return Ok(None) };
            let row = valid(&map)?;
            snapshot.put(row.clone(), map.clone());
            Ok(Some((row, map)))
        };
        let made: Vec<Result<Option<Stored>, TrackerError>> = changes.into_iter().map(&mut made).collect();
        if !made.iter().any(|made| matches!(made, Ok(Some(_)))) {
            return Ok(made);
        }
        let text = snapshot.render();
        file::replace(&path, &text).map_err(failed)?;
        let found = repository::read(&path, limits::ROWS).map_err(failed)?.unwrap_or_default();
        if found == text {
            return Ok(made);
        }
        let found = Snapshot::parse(&found);
        let checked = |made: Result<Option<Stored>, TrackerError>| match made {
            Ok(Some((row, map))) if found.find(&row.id).is_none_or(|(_, stored)| *stored != map) => {
                let found = "something else in the file".to_owned();
                Err(TrackerError::NotPersisted { operation, id: row.id, found })
            }
            made => made,
        };
        Ok(made.into_iter().map(checked).collect())
    }

    /// Imports whole rows, except those that are older than the existing ones.
    pub(crate) fn import(&self, rows: &[Map<String, Value>]) -> Result<(), TrackerError> {
        let (_lock, path, mut snapshot) = self.locked()?;
        let mut changed = false;
        for map in rows {
            let row = valid(map)?;
            let stays = |(known, known_map): &Stored| known.updated_at > row.updated_at || known_map == map;
            if !snapshot.find(&row.id).is_some_and(stays) {
                snapshot.put(row, map.clone());
                changed = true;
            }
        }
        match changed {
            true => file::replace(&path, &snapshot.render()).map_err(failed),
            false => Ok(()),
        }
    }

    /// The file's lock, its path with links resolved, and its content.
    fn locked(&self) -> Result<(FileLock, PathBuf, Snapshot), TrackerError> {
        let lock = self.beads_dir.join("beads-console.lock");
        let Some(held) = FileLock::exclusive(&lock, PATIENCE).map_err(failed)? else {
            let said = format!("{} has been locked by another process for {PATIENCE:?}", lock.display());
            return Err(TrackerError::Busy { beads_dir: self.beads_dir.clone(), said });
        };
        self.still_ours()?;
        // If the file is a symbolic link, write to its target and keep the link.
        let path = self.file();
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let snapshot = Snapshot::read(&path)?;
        match snapshot.conflict {
            Some(line) => Err(TrackerError::Conflict { path, line }),
            None => Ok((held, path, snapshot)),
        }
    }
}

fn valid(map: &Map<String, Value>) -> Result<Row, TrackerError> {
    Row::read(map).map_err(|why| TrackerError::InvalidInput { field: "bead", why: why.to_string() })
}

fn failed(source: bc_store::FileError) -> TrackerError {
    TrackerError::File { operation: "writing the beads", source }
}
