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
};

/// The beads of a file as they were read last, for whoever lists them again. The same bytes say the same: the
/// file itself is read each time, what is made of it only where it changed.
#[derive(Debug, Default)]
pub(super) struct View(Mutex<Option<Arc<Read>>>);

#[derive(Debug)]
struct Read {
    bytes: Vec<u8>,
    rows: Vec<Row>,
    warnings: Vec<Warning>,
}

impl View {
    /// Of several who ask at once one reads, and the others wait for it.
    fn read(&self, path: &Path) -> Result<Arc<Read>, TrackerError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = bytes(path)?;
        if let Some(last) = last.as_ref().filter(|last| last.bytes == bytes) {
            return Ok(Arc::clone(last));
        }
        let (rows, warnings) = lean_rows(&bytes);
        Ok(Arc::clone(last.insert(Arc::new(Read { bytes, rows, warnings }))))
    }

    /// What cannot be read is told to whoever asks for it.
    pub(super) fn read_ahead(&self, path: &Path) {
        let _ = self.read(path);
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
