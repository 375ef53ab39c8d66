//! What a JSONL file shows, whoever writes it.

use super::{near, snapshot::Snapshot};
use crate::{
    TrackerError,
    graph::Graph,
    page::plain,
    row::Row,
    tracker::{ListFilter, Listing},
};
use bc_core::{
    bead::{Bead, BeadDetail},
    ids::BeadId,
};
use chrono::Utc;
use std::{collections::HashSet, path::Path};

/// The file's beads that the filter lets through.
pub(super) fn list(path: &Path, filter: &ListFilter) -> Result<Listing, TrackerError> {
    let mut snapshot = Snapshot::read(path)?;
    let warnings = std::mem::take(&mut snapshot.warnings);
    let rows = snapshot.into_rows();
    let graph = Graph::new(&rows);
    Ok(Listing { beads: graph.beads(filter, &ready_ids(&graph, &rows)), warnings })
}

pub(super) fn ready(path: &Path) -> Result<Vec<Bead>, TrackerError> {
    let mut beads = list(path, &ListFilter::open())?.beads;
    beads.retain(|bead| bead.ready);
    Ok(beads)
}

pub(super) fn blocked(path: &Path) -> Result<Vec<Bead>, TrackerError> {
    let mut beads = list(path, &ListFilter::open())?.beads;
    beads.retain(|bead| !bead.blocked_by.is_empty());
    Ok(beads)
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
