//! What a tracker's program said last, so that it is asked only where something changed. Beside the
//! sessions, which no repository has; losing it costs one question.

use bc_store::file;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

const VERSION: u32 = 1;

/// What a tracker's program said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Said {
    version: u32,
    /// The tracker's mark before it was asked.
    pub(crate) mark: String,
    /// Rows of memories.
    pub(crate) rows: Vec<Map<String, Value>>,
    /// The tracker's own texts; `None` where it has no such thing.
    pub(crate) texts: Option<BTreeMap<String, String>>,
    /// Keys that were among the texts once and are no more: somebody made the tracker forget them.
    pub(crate) dropped: BTreeSet<String>,
}

impl Said {
    pub(crate) fn new(
        mark: String,
        rows: Vec<Map<String, Value>>,
        texts: Option<BTreeMap<String, String>>,
        before: Option<&Said>,
    ) -> Said {
        let known = |key: &&String| texts.as_ref().is_some_and(|texts| !texts.contains_key(*key));
        let dropped = before.map(|before| {
            let earlier = before.texts.iter().flatten().map(|(key, _)| key);
            earlier.chain(&before.dropped).filter(known).cloned().collect()
        });
        Said { version: VERSION, mark, dropped: dropped.unwrap_or_default(), rows, texts }
    }
}

/// The file; `None` in a project that never had a session, where no folder is made for it.
pub(crate) fn path(beads_dir: &Path) -> Option<PathBuf> {
    let sessions = beads_dir.join("sessions");
    sessions.is_dir().then(|| sessions.join("memories-cache.json"))
}

pub(crate) fn read(beads_dir: &Path) -> Option<Said> {
    let bytes = file::read(&path(beads_dir)?).ok().flatten()?;
    serde_json::from_slice::<Said>(&bytes).ok().filter(|said| said.version == VERSION)
}

/// Keeps it. That this fails costs the next one a question.
pub(crate) fn write(beads_dir: &Path, said: &Said) {
    if let Some(path) = path(beads_dir)
        && let Ok(bytes) = serde_json::to_vec(said)
    {
        let _ = file::replace_volatile(&path, &bytes);
    }
}
