//! A `.beads` folder's tracker, the paths to watch, and its mark, determined without opening a database.

pub(crate) use crate::beads_files::{database, database_changed, jsonl_file, metadata, project_id};
use crate::{TrackerError, beads_files::database_stamp, classic_bd, dolt};
use bc_store::repository::{self, limits};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The tracker to which the files of a `.beads` folder belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// bd with Dolt.
    Dolt,
    /// bd before 0.58, with SQLite and its daemon.
    ClassicBd,
    /// br, with SQLite.
    Br,
    /// Only JSONL: no program is needed.
    Jsonl,
}

/// The tracker to which a folder's files belong; `None` if the folder has no beads (only our sessions, or
/// nothing).
pub(crate) fn layout(dir: &Path) -> Option<Layout> {
    let has = |name: &str| dir.join(name).exists();
    let metadata = metadata(dir);
    let says_dolt =
        ["backend", "database"].iter().any(|key| metadata.get(key).and_then(Value::as_str) == Some("dolt"));
    if says_dolt || has("dolt") || has("embeddeddolt") || has("proxieddb") {
        return Some(Layout::Dolt);
    }
    if let Some(database) = database(dir) {
        let of_bd = ["daemon.log", "daemon.pid", "daemon.lock", "bd.sock", ".local_version", "export-state"];
        let is_classic = || of_bd.iter().any(|name| has(name)) || classic_bd::is_classic(&database);
        return Some(match !has(".br_history") && is_classic() {
            true => Layout::ClassicBd,
            false => Layout::Br,
        });
    }
    (jsonl_file(dir).is_file() || has("config.yaml") || has("metadata.json")).then_some(Layout::Jsonl)
}

/// The folders to watch: every change of beads changes a file in one of them, except on a remote server.
pub(crate) fn watch_paths(dir: &Path) -> Vec<PathBuf> {
    let mut paths = vec![dir.to_owned()];
    let manifests = dolt::databases(dir).into_iter().map(|database| database.manifest);
    paths.extend(manifests.filter_map(|file| file.parent().map(Path::to_owned)));
    paths
}

/// A value that differs after every change. Depends on the roots of Dolt's databases and the length of a
/// server's journal, on the size and time of a classic bd's database, or else on the content of the JSONL.
/// `None` with a remote server, whose export is not updated with every change, and if the files are missing.
pub(crate) fn change_mark(dir: &Path) -> Result<Option<String>, TrackerError> {
    let databases = dolt::databases(dir);
    let mut files: Vec<&Path> = databases.iter().map(|database| database.manifest.as_path()).collect();
    let jsonl = jsonl_file(dir);
    if files.is_empty() && layout(dir) == Some(Layout::ClassicBd) {
        return Ok(database(dir).and_then(|database| database_stamp(&database)));
    }
    if files.is_empty() && !dolt::is_served(dir) {
        files.push(&jsonl);
    }
    let mut hash = Sha256::new();
    let mut any = false;
    for file in files {
        let bytes = repository::read(file, limits::ROWS)
            .map_err(|source| TrackerError::File { operation: "looking for changes of the beads", source })?;
        if let Some(bytes) = bytes {
            any = true;
            hash.update(&bytes);
        }
    }
    for journal in databases.iter().filter_map(|database| database.journal.as_deref()) {
        let length = std::fs::metadata(journal).map_or(0, |journal| journal.len());
        hash.update(length.to_le_bytes());
    }
    Ok(any.then(|| hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()))
}
