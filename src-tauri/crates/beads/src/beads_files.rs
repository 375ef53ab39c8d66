//! The trackers' own files in a `.beads` folder. No database is opened.

use crate::TrackerError;
use bc_core::ids::ProjectId;
use bc_store::repository::{self, limits};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The SQLite database of a `.beads` folder: `beads.db`, or else the first `*.db` file by name, if any.
pub(crate) fn database(dir: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let databases = files.filter(|path| path.extension().is_some_and(|ext| ext == "db"));
    databases.min_by_key(|path| (!path.ends_with("beads.db"), path.clone()))
}

/// When the database was last written, its write-ahead log included. `None` without a database.
pub(crate) fn database_changed(dir: &Path) -> Option<SystemTime> {
    let database = database(dir)?;
    let changed = |path: &Path| std::fs::metadata(path).ok()?.modified().ok();
    changed(&database.with_extension("db-wal")).max(changed(&database))
}

/// The sizes and modification times of a database and its write-ahead log, as a string. `None` if the database is
/// missing.
pub(crate) fn database_stamp(database: &Path) -> Option<String> {
    let stamp = |path: &Path| {
        let metadata = std::fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some(format!("{}-{}", metadata.len(), modified.as_nanos()))
    };
    let log = stamp(&database.with_extension("db-wal")).unwrap_or_default();
    Some(format!("{} {log}", stamp(database)?))
}

/// The content of a file of beads; empty if the file is missing.
pub(crate) fn read_beads(path: &Path) -> Result<Vec<u8>, TrackerError> {
    let bytes = repository::read(path, limits::ROWS)
        .map_err(|source| TrackerError::File { operation: "reading the beads", source })?;
    Ok(bytes.unwrap_or_default())
}

/// The content of `metadata.json`; null if the file is missing or invalid, because trackers ignore an invalid
/// file.
pub(crate) fn metadata(dir: &Path) -> Value {
    let bytes = repository::read(&dir.join("metadata.json"), limits::SETTINGS).ok().flatten();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null)
}

/// The JSONL file of a `.beads` folder, as named in `metadata.json` or by default `issues.jsonl`. A name with a
/// path separator is ignored. If only `beads.jsonl`, the file of older bd versions, exists, returns that file.
pub(crate) fn jsonl_file(dir: &Path) -> PathBuf {
    let metadata = metadata(dir);
    let named = metadata.get("jsonl_export").and_then(Value::as_str);
    let named = named.filter(|name| !name.is_empty() && !name.contains(['/', '\\']) && *name != "..");
    let usual = dir.join(named.unwrap_or("issues.jsonl"));
    let old = dir.join("beads.jsonl");
    if !usual.exists() && old.exists() { old } else { usual }
}

/// The project's id in bd's `metadata.json`; `None` if it is missing or invalid.
pub(crate) fn project_id(dir: &Path) -> Option<ProjectId> {
    metadata(dir).get("project_id")?.as_str()?.parse().ok()
}
