//! The beads of a JSONL file, whichever program writes it.

use super::{lean_rows::lean_rows, neighborhood, snapshot::Snapshot, texts::texts};
use crate::{
    TrackerError,
    graph::Graph,
    page::bead_of,
    row::Row,
    tracker::{Dependency, ListFilter, Listing, Warning},
};
use bc_core::{
    bead::{Bead, BeadDetail},
    ids::BeadId,
    query::Texts,
};
use chrono::Utc;
use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// The beads of a file as last read, for later lists. A file that was at rest and has kept its size and time is
/// not read again; equal bytes are not parsed again.
#[derive(Debug, Default)]
pub(super) struct View(Mutex<Option<Last>>);

#[derive(Debug)]
struct Last {
    /// The file's stamp before the read, if the file was at rest.
    stamp: Option<Stamp>,
    read: Arc<Read>,
    /// The number of this content, counted from the first.
    number: u64,
}

impl Last {
    fn told(&self) -> (Arc<Read>, u64) {
        (Arc::clone(&self.read), self.number)
    }
}

#[derive(Debug)]
struct Read {
    bytes: Arc<Vec<u8>>,
    rows: Vec<Row>,
    warnings: Vec<Warning>,
}

/// Identifies an unchanged file.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: SystemTime,
}

impl Stamp {
    /// The coarsest file systems count time in two seconds: a file that changed more recently may change
    /// again with the same time.
    const COARSE: Duration = Duration::from_secs(2);

    /// `None` for a missing file or one that is not at rest.
    fn of(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let rested = SystemTime::now().duration_since(modified).ok()? > Stamp::COARSE;
        rested.then_some(Stamp { length: metadata.len(), modified })
    }
}

impl View {
    /// The content and its number. Of concurrent callers, one reads and the others wait for it.
    fn read(&self, path: &Path) -> Result<(Arc<Read>, u64), TrackerError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken before the read: a concurrent change gets another stamp next time.
        let stamp = Stamp::of(path);
        if let Some(last) = last.as_ref().filter(|last| stamp.is_some() && last.stamp == stamp) {
            return Ok(last.told());
        }
        let bytes = bytes(path)?;
        if let Some(last) = last.as_mut().filter(|last| *last.read.bytes == bytes) {
            last.stamp = stamp;
            return Ok(last.told());
        }
        let bytes = Arc::new(bytes);
        let (rows, warnings) = lean_rows(&bytes);
        let read = Arc::new(Read { bytes, rows, warnings });
        let number = last.as_ref().map_or(1, |last| last.number + 1);
        Ok(last.insert(Last { stamp, read, number }).told())
    }

    /// The current content's number. Read errors are reported to callers that read it.
    pub(super) fn content(&self, path: &Path) -> u64 {
        match self.read(path) {
            Ok((_, number)) => number,
            Err(_) => {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, |last| last.number)
            }
        }
    }

    /// The file's beads that match the filter.
    pub(super) fn list(&self, path: &Path, filter: &ListFilter) -> Result<Listing, TrackerError> {
        let (read, _) = self.read(path)?;
        let graph = Graph::new(&read.rows);
        let now = Utc::now().fixed_offset();
        let beads = graph.beads(filter, |row| graph.is_ready(row, now));
        Ok(Listing { beads, warnings: read.warnings.clone() })
    }

    /// What queries search of the file's beads.
    pub(super) fn texts(&self, path: &Path) -> Result<HashMap<BeadId, Texts>, TrackerError> {
        Ok(texts(&self.read(path)?.0.bytes))
    }

    /// The dependencies of the file's beads.
    pub(super) fn dependencies(&self, path: &Path) -> Result<Vec<Dependency>, TrackerError> {
        Ok(Dependency::of_rows(&self.read(path)?.0.rows))
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
    let rows = neighborhood::in_progress(&bytes(path)?);
    let rows = rows.map_or_else(|| Snapshot::read(path).map(Snapshot::into_rows), Ok)?;
    Ok(rows.iter().filter(|row| !row.system && !row.pinned).map(bead_of).collect())
}

fn bytes(path: &Path) -> Result<Vec<u8>, TrackerError> {
    let read = bc_store::repository::read(path, bc_store::repository::limits::ROWS)
        .map_err(|source| TrackerError::File { operation: "reading the beads", source })?;
    Ok(read.unwrap_or_default())
}

pub(super) fn show(path: &Path, id: &BeadId) -> Result<BeadDetail, TrackerError> {
    let bytes = bytes(path)?;
    let rows = neighborhood::around(&bytes, id).unwrap_or_else(|| Snapshot::parse(&bytes).into_rows());
    let graph = Graph::new(&rows);
    let row =
        rows.iter().find(|row| row.id == *id).ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
    Ok(graph.detail(row, graph.is_ready(row, Utc::now().fixed_offset())))
}

/// Several beads. For more than a few, the whole file is read once, because finding one bead's neighbours
/// scans all of it.
pub(super) fn show_all(path: &Path, ids: &[BeadId]) -> Vec<Result<BeadDetail, TrackerError>> {
    const FEW: usize = 3;
    let one_by_one = || ids.iter().map(|id| show(path, id)).collect();
    if ids.len() <= FEW {
        return one_by_one();
    }
    let Ok(bytes) = bytes(path) else { return one_by_one() };
    let rows = Snapshot::parse(&bytes).into_rows();
    let graph = Graph::new(&rows);
    let now = Utc::now().fixed_offset();
    let by_id: HashMap<&BeadId, &Row> = rows.iter().map(|row| (&row.id, row)).collect();
    let shown = |id: &BeadId| match by_id.get(id) {
        Some(row) => Ok(graph.detail(row, graph.is_ready(row, now))),
        None => Err(TrackerError::NotFound { id: id.clone() }),
    };
    ids.iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_beads_are_shown_as_single_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issues.jsonl");
        let line = |id: &str, more: &str| format!("{{\"id\":\"{id}\",\"title\":\"{id}\"{more}}}\n");
        let blocked = r#","dependencies":[{"issue_id":"a-2","depends_on_id":"a-1","type":"blocks"}]"#;
        let gone = r#","status":"tombstone""#;
        let text = [line("a-1", ""), line("a-2", blocked), line("a-3", ""), line("a-4", gone)].concat();
        bc_store::file::replace(&path, text.as_bytes()).unwrap();
        let ids: Vec<BeadId> = ["a-2", "a-1", "a-4", "a-9", "a-3"].map(|id| id.parse().unwrap()).into();
        let said = |shown: Result<BeadDetail, TrackerError>| shown.map_err(|error| error.to_string());
        let each: Vec<_> = ids.iter().map(|id| said(show(&path, id))).collect();
        assert!(each[0].is_ok() && each[2].is_err() && each[3].is_err());
        assert_eq!(show_all(&path, &ids).into_iter().map(said).collect::<Vec<_>>(), each);
        assert_eq!(show_all(&path, &ids[..2]).into_iter().map(said).collect::<Vec<_>>(), each[..2]);
    }

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
