//! What a JSONL file shows, whoever writes it.

use super::{
    near,
    snapshot::{Snapshot, lean_rows},
};
use crate::{
    TrackerError,
    graph::Graph,
    page::plain,
    row::Row,
    tracker::{ListFilter, Listing, Warning},
};
use bc_core::{
    bead::{Bead, BeadDetail},
    ids::BeadId,
};
use chrono::Utc;
use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// The beads of a file as they were read last, for whoever lists them again. A file that was at rest and has the
/// same size and time since is not read again; the same bytes say the same.
#[derive(Debug, Default)]
pub(super) struct View(Mutex<Option<Last>>);

#[derive(Debug)]
struct Last {
    /// What the file was before it was read, where it was at rest.
    stamp: Option<Stamp>,
    read: Arc<Read>,
    /// The how manyth content this is.
    number: u64,
}

#[derive(Debug)]
struct Read {
    bytes: Vec<u8>,
    rows: Vec<Row>,
    warnings: Vec<Warning>,
}

/// By which a file is known not to have changed.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: SystemTime,
}

impl Stamp {
    /// A file system tells times apart by two seconds at the worst: what changed more recently than that may change
    /// again unseen.
    const COARSE: Duration = Duration::from_secs(2);

    /// `None` for a file that is not at rest, or not there.
    fn of(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let rested = SystemTime::now().duration_since(modified).ok()? > Stamp::COARSE;
        rested.then_some(Stamp { length: metadata.len(), modified })
    }
}

impl View {
    /// Of several who ask at once one reads, and the others wait for it.
    fn read(&self, path: &Path) -> Result<Arc<Read>, TrackerError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the reading: what changes meanwhile has another stamp the next time.
        let stamp = Stamp::of(path);
        if let Some(last) = last.as_ref().filter(|last| stamp.is_some() && last.stamp == stamp) {
            return Ok(Arc::clone(&last.read));
        }
        let bytes = bytes(path)?;
        if let Some(last) = last.as_mut().filter(|last| last.read.bytes == bytes) {
            last.stamp = stamp;
            return Ok(Arc::clone(&last.read));
        }
        let (rows, warnings) = lean_rows(&bytes);
        let read = Arc::new(Read { bytes, rows, warnings });
        let number = last.as_ref().map_or(1, |last| last.number + 1);
        Ok(Arc::clone(&last.insert(Last { stamp, read, number }).read))
    }

    /// How many contents were read until now, each another than the one before. What cannot be read is told to
    /// whoever asks for it.
    pub(super) fn read_ahead(&self, path: &Path) -> u64 {
        let _ = self.read(path);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, |last| last.number)
    }

    /// The file's beads that the filter lets through.
    pub(super) fn list(&self, path: &Path, filter: &ListFilter) -> Result<Listing, TrackerError> {
        let read = self.read(path)?;
        let graph = Graph::new(&read.rows);
        let beads = graph.beads(filter, &ready_ids(&graph, &read.rows));
        Ok(Listing { beads, warnings: read.warnings.clone() })
    }

    pub(super) fn ready(&self, path: &Path) -> Result<Vec<Bead>, TrackerError> {
        let mut beads = self.list(path, &ListFilter::open())?.beads;
        beads.retain(|bead| bead.ready);
        Ok(beads)
    }

    pub(super) fn blocked(&self, path: &Path) -> Result<Vec<Bead>, TrackerError> {
        let mut beads = self.list(path, &ListFilter::open())?.beads;
        beads.retain(|bead| !bead.blocked_by.is_empty());
        Ok(beads)
    }
}

/// Those in progress that are work, without what other beads say of them.
pub(super) fn in_progress(path: &Path) -> Result<Vec<Bead>, TrackerError> {
    let rows = near::in_progress(&bytes(path)?);
    let rows = rows.map_or_else(|| Snapshot::read(path).map(Snapshot::into_rows), Ok)?;
    Ok(rows.iter().filter(|row| !row.system && !row.pinned).map(plain).collect())
}

fn bytes(path: &Path) -> Result<Vec<u8>, TrackerError> {
    let read = bc_store::file::read(path)
        .map_err(|source| TrackerError::File { operation: "reading the beads", source })?;
    Ok(read.unwrap_or_default())
}

pub(super) fn show(path: &Path, id: &BeadId) -> Result<BeadDetail, TrackerError> {
    let bytes = bytes(path)?;
    let rows = near::around(&bytes, id).unwrap_or_else(|| Snapshot::parse(&bytes).into_rows());
    let graph = Graph::new(&rows);
    let row =
        rows.iter().find(|row| row.id == *id).ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
    Ok(graph.detail(row, &ready_ids(&graph, &rows)))
}

fn ready_ids(graph: &Graph<'_>, rows: &[Row]) -> HashSet<BeadId> {
    let now = Utc::now().fixed_offset();
    rows.iter().filter(|row| graph.is_ready(row, now)).map(|row| row.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_whether_the_file_was_at_rest_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issues.jsonl");
        let view = View::default();
        let put = |title: &str, ago: u64| {
            let line = format!("{{\"id\":\"a-1\",\"title\":\"{title}\"}}\n");
            bc_store::file::replace(&path, line.as_bytes()).unwrap();
            let file = std::fs::File::options().append(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(ago)).unwrap();
        };
        let title = || view.list(&path, &ListFilter::board()).unwrap().beads[0].title.clone();
        for (text, ago) in [("one", 0), ("two", 0), ("six", 60), ("ten", 0), ("all", 60), ("end", 30)] {
            put(text, ago);
            assert_eq!([title(), title()], [text, text]);
        }
    }
}
