//! Caches the program's last answers about a few beads, with the tracker's mark at that time. While the mark
//! is unchanged, so are the beads, and reads before and after a change do not run the program.
//!
//! The answer to a change is stored with the new mark. Its links and comments come from an earlier read, and
//! another program may have changed them. Therefore the cached row only serves to check later changes and is
//! not displayed. The cache is in the user's cache folder, so that successive commands share it.

use bc_core::ids::BeadId;
use bc_store::file;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The limits of a cache: the number of beads, and the file's size in bytes.
const MOST: usize = 32;
const MOST_BYTES: usize = 256 << 10;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Rows {
    mark: String,
    rows: BTreeMap<String, CachedRow>,
}

/// A bead's row in the form that `show` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CachedRow {
    pub(super) row: Map<String, Value>,
    /// Whether the row is complete at this mark, including links and comments.
    pub(super) whole: bool,
}

/// The cached rows of one workspace.
#[derive(Debug, Default)]
pub(super) struct AnswerCache {
    file: Option<PathBuf>,
    held: Mutex<Option<Rows>>,
}

impl AnswerCache {
    pub(super) fn new(cache: Option<&Path>, beads_dir: &Path) -> AnswerCache {
        let digest = Sha256::digest(beads_dir.as_os_str().as_encoded_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        AnswerCache {
            file: cache.map(|cache| cache.join(format!("beads-{name}.json"))),
            held: Mutex::default(),
        }
    }

    pub(super) fn row(&self, mark: &str, id: &BeadId) -> Option<CachedRow> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.as_ref().is_none_or(|rows| rows.mark != mark) {
            *held = self.file.as_deref().and_then(read);
        }
        held.as_ref().filter(|rows| rows.mark == mark)?.rows.get(id.as_str()).cloned()
    }

    /// Stores a row at this mark and drops rows at other marks.
    pub(super) fn put(&self, mark: &str, id: &BeadId, row: CachedRow) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows = held.take().filter(|rows| rows.mark == mark).unwrap_or_default();
        if rows.rows.len() >= MOST {
            rows.rows.clear();
        }
        mark.clone_into(&mut rows.mark);
        rows.rows.insert(id.to_string(), row);
        if let Some(file) = &self.file {
            keep(file, &rows);
        }
        *held = Some(rows);
    }
}

/// Reads a cache file; `None` if it is missing or unreadable.
pub(super) fn read<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&file::read(file).ok().flatten()?).ok()
}

/// Writes a cache file. If writing fails, or the data exceeds [`MOST_BYTES`], a later process runs the program
/// again.
pub(super) fn keep(file: &Path, what: &impl Serialize) {
    let Ok(bytes) = serde_json::to_vec(what) else { return };
    if bytes.len() > MOST_BYTES {
        let _ = file::remove(file);
        return;
    }
    if let Some(folder) = file.parent()
        && file::create_dir(folder).is_ok()
    {
        let _ = file::replace_volatile(file, &bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cached(title: &str) -> CachedRow {
        CachedRow { row: json!({"id": "a-1", "title": title}).as_object().unwrap().clone(), whole: true }
    }

    #[test]
    fn a_row_is_cached_for_its_mark_only_and_shared_with_the_next_process() {
        let cache = tempfile::tempdir().unwrap();
        let id: BeadId = "a-1".parse().unwrap();
        let known = || AnswerCache::new(Some(cache.path()), Path::new("/p/.beads"));
        let first = known();
        assert_eq!(first.row("m1", &id), None);
        first.put("m1", &id, cached("one"));
        assert_eq!(first.row("m1", &id), Some(cached("one")));
        assert_eq!(known().row("m1", &id), Some(cached("one")));
        assert_eq!(known().row("m2", &id), None);
        assert_eq!(AnswerCache::new(Some(cache.path()), Path::new("/q/.beads")).row("m1", &id), None);
        known().put("m2", &id, cached("two"));
        // Another process stored the current row.
        assert_eq!(first.row("m2", &id), Some(cached("two")));
        assert_eq!(first.row("m1", &id), None);
    }

    #[test]
    fn rows_beyond_the_limits_are_cached_in_this_process_only() {
        let cache = tempfile::tempdir().unwrap();
        let id: BeadId = "a-1".parse().unwrap();
        let known = AnswerCache::new(Some(cache.path()), Path::new("/p/.beads"));
        known.put("m1", &id, cached("small"));
        let long = cached(&"x".repeat(MOST_BYTES));
        known.put("m2", &id, long.clone());
        assert_eq!(known.row("m2", &id), Some(long));
        assert_eq!(AnswerCache::new(Some(cache.path()), Path::new("/p/.beads")).row("m2", &id), None);
    }
}
