//! A cache of the tracker program's last answer, so that the program runs only after a change. The file is in the
//! sessions' folder, which git ignores. Losing it costs one run of the program.

use bc_store::{
    file,
    repository::{self, limits},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

const VERSION: u32 = 1;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CachedAnswer {
    version: u32,
    /// The tracker's mark, read before the query.
    pub(crate) mark: String,
    /// The rows of the pinned beads.
    pub(crate) rows: Vec<Map<String, Value>>,
    /// The texts of bd's own memories by key. `None` with br, which has no memories besides its beads.
    pub(crate) texts: Option<BTreeMap<String, String>>,
    /// The keys that `texts` had before and now lacks, because they were deleted in the tracker.
    pub(crate) dropped: BTreeSet<String>,
}

impl CachedAnswer {
    pub(crate) fn new(
        mark: String,
        rows: Vec<Map<String, Value>>,
        texts: Option<BTreeMap<String, String>>,
        before: Option<&CachedAnswer>,
    ) -> CachedAnswer {
        let is_missing = |key: &&String| texts.as_ref().is_some_and(|texts| !texts.contains_key(*key));
        let dropped = before.map(|before| {
            let earlier = before.texts.iter().flat_map(BTreeMap::keys);
            earlier.chain(&before.dropped).filter(is_missing).cloned().collect()
        });
        CachedAnswer { version: VERSION, mark, dropped: dropped.unwrap_or_default(), rows, texts }
    }
}

/// The path of the cache. `None` in a project that never had a session, because the cache does not create the
/// folder.
pub(crate) fn path(beads_dir: &Path) -> Option<PathBuf> {
    let sessions = beads_dir.join("sessions");
    sessions.is_dir().then(|| sessions.join("memories-cache.json"))
}

pub(crate) fn read(beads_dir: &Path) -> Option<CachedAnswer> {
    let bytes = repository::read(&path(beads_dir)?, limits::ROWS).ok().flatten()?;
    serde_json::from_slice::<CachedAnswer>(&bytes).ok().filter(|answer| answer.version == VERSION)
}

/// Writes the cache. A failure is ignored; it costs the next caller one run of the program.
pub(crate) fn write(beads_dir: &Path, answer: &CachedAnswer) {
    if let Some(path) = path(beads_dir)
        && let Ok(bytes) = serde_json::to_vec(answer)
    {
        let _ = file::replace_volatile(&path, &bytes);
    }
}
