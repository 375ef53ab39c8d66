//! The beads of a JSONL file: of the embedded store, or another tracker's export, which may be older than its
//! database.

use super::{
    export_age, lean_rows::lean_rows, line_table::LineTable, neighborhood, search_texts::texts,
    snapshot::Snapshot, stamp::Stamp,
};
use crate::{
    TrackerError,
    beads_files::{jsonl_file, read_beads},
    graph::Graph,
    index::Index,
    read_only::Source,
    readiness::Links,
    row::Row,
    tracker::{Dependency, ListFilter, Listing, Part, PartialListing},
};
use bc_core::{bead::BeadDetail, ids::BeadId, query::Texts};
use chrono::Utc;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

/// The beads of a file as last read, for later lists. The file is not read again if it was at rest and its stamp is
/// unchanged. Lines that were read before are not parsed again.
#[derive(Debug)]
pub(crate) struct View {
    beads_dir: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    table: LineTable,
    index: Index,
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    /// The time just before the read.
    start: Instant,
    /// The file's stamp before the read, and whether it was at rest.
    stamp: Option<(Stamp, bool)>,
}

/// How long callers share the result of reading a file that was not at rest.
const SHARED: Duration = Duration::from_millis(100);

impl View {
    pub(crate) fn new(beads_dir: PathBuf) -> View {
        View { beads_dir, state: Mutex::default() }
    }

    fn file(&self) -> PathBuf {
        jsonl_file(&self.beads_dir)
    }

    /// The current state. If several callers request it at the same time, one reads and the others wait.
    fn current(&self) -> Result<MutexGuard<'_, State>, TrackerError> {
        let asked = Instant::now();
        let mut guard = self.lock();
        let path = self.file();
        let now = Utc::now().fixed_offset();
        // Take the stamp before the read: after a concurrent change, the next caller then sees a different stamp.
        let (start, stamp) = (Instant::now(), Stamp::of(&path));
        let state = &mut *guard;
        let is_current = |last: &Last| match (&last.stamp, &stamp) {
            (Some((last_stamp, rested)), Some((stamp, _))) => {
                last_stamp == stamp && (*rested || asked.saturating_duration_since(last.start) < SHARED)
            }
            _ => false,
        };
        if state.last.as_ref().is_some_and(is_current) {
            state.index.pass_time(now);
            return Ok(guard);
        }
        let bytes = read_beads(&path)?;
        if !state.table.update(&bytes, &mut state.index, now) {
            state.index.pass_time(now);
        }
        state.last = Some(Last { start, stamp });
        Ok(guard)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for View {
    /// The number of the current content. Ignores read errors; functions that return beads report them.
    fn content(&self) -> u64 {
        match self.current() {
            Ok(state) => state.index.number(),
            Err(_) => self.lock().index.number(),
        }
    }

    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        let state = self.current()?;
        Ok(Listing { beads: state.index.list(filter), warnings: state.table.warnings().to_vec() })
    }

    fn list_part(&self, filter: &ListFilter, part: Part<'_>) -> Result<PartialListing, TrackerError> {
        let state = self.current()?;
        Ok(state.index.part(filter, part, state.table.warnings().to_vec()))
    }

    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError> {
        read_beads(&self.file()).map(|bytes| texts(&bytes, found))
    }

    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        read_beads(&self.file()).map(|bytes| Dependency::of_rows(&lean_rows(&bytes).0))
    }

    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        show(&self.file(), id)
    }

    fn described(&self) -> String {
        export_age::described(&self.beads_dir, SystemTime::now())
    }

    fn audit(&self) -> &'static str {
        "The exported file records when a bead was created and closed, and its comments."
    }
}

/// A mark for a watch. `None` if the file may change again without changing its mark.
pub(super) fn watch_mark(path: &Path) -> Option<String> {
    let (stamp, rested) = Stamp::of(path)?;
    (rested || stamp.is_fine()).then(|| format!("{stamp:?}"))
}

fn show(path: &Path, id: &BeadId) -> Result<BeadDetail, TrackerError> {
    let bytes = read_beads(path)?;
    let rows = neighborhood::around(&bytes, id).unwrap_or_else(|| Snapshot::parse(&bytes).into_rows());
    let graph = Graph::new(&rows);
    let row =
        rows.iter().find(|row| row.id == *id).ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
    Ok(graph.detail(row, graph.is_ready(row, Utc::now().fixed_offset())))
}

/// Several beads. For more than a few, reads the whole file once, because finding the neighbours of a single
/// bead also scans the whole file.
pub(super) fn show_all(path: &Path, ids: &[BeadId]) -> Vec<Result<BeadDetail, TrackerError>> {
    const FEW: usize = 3;
    let one_by_one = || ids.iter().map(|id| show(path, id)).collect();
    if ids.len() <= FEW {
        return one_by_one();
    }
    let Ok(bytes) = read_beads(path) else { return one_by_one() };
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
    fn a_change_is_detected_in_recent_files_and_in_files_at_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issues.jsonl");
        let view = View::new(folder.path().to_owned());
        let put = |title: &str, ago: u64| {
            let line = format!("{{\"id\":\"a-1\",\"title\":\"{title}\"}}\n");
            bc_store::file::replace(&path, line.as_bytes()).unwrap();
            let file = std::fs::File::options().append(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(ago)).unwrap();
        };
        let title = || view.list(&ListFilter::board()).unwrap().beads[0].title.clone();
        for (text, ago) in [("one", 0), ("two", 0), ("six", 60), ("ten", 0), ("all", 60), ("end", 30)] {
            put(text, ago);
            assert_eq!([title(), title()], [text, text]);
        }
    }
}
