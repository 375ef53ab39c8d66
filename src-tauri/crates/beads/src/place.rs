//! A `.beads` folder from outside: whose it is, its files, what to watch. No database is opened.

use crate::{Layout, TrackerError};
use bc_core::ids::ProjectId;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

/// Whose files a folder has; `None` where it has no beads (only our sessions, or nothing at all).
pub(crate) fn layout(dir: &Path) -> Option<Layout> {
    let has = |name: &str| dir.join(name).exists();
    let metadata = metadata(dir);
    let says_dolt =
        ["backend", "database"].iter().any(|key| metadata.get(key).and_then(Value::as_str) == Some("dolt"));
    if says_dolt || has("dolt") || has("embeddeddolt") || has("proxieddb") {
        return Some(Layout::Dolt);
    }
    if has_database(dir) {
        let of_bd = ["daemon.log", "daemon.pid", "daemon.lock", "bd.sock", ".local_version", "export-state"];
        return Some(match of_bd.iter().any(|name| has(name)) && !has(".br_history") {
            true => Layout::ClassicBd,
            false => Layout::Br,
        });
    }
    (jsonl_file(dir).is_file() || has("config.yaml") || has("metadata.json")).then_some(Layout::Jsonl)
}

fn has_database(dir: &Path) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| Path::new(&entry.file_name()).extension().is_some_and(|ext| ext == "db"))
}

/// `metadata.json`; null where it is missing or broken, as trackers take it.
pub(crate) fn metadata(dir: &Path) -> Value {
    let bytes = bc_store::file::read(&dir.join("metadata.json")).ok().flatten();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null)
}

/// The JSONL of a `.beads` folder: `issues.jsonl`, unless metadata.json names another, or only the
/// name of old bds is there.
pub(crate) fn jsonl_file(dir: &Path) -> PathBuf {
    let metadata = metadata(dir);
    let named = metadata.get("jsonl_export").and_then(Value::as_str);
    let named = named.filter(|name| !name.is_empty() && !name.contains(['/', '\\']) && *name != "..");
    let usual = dir.join(named.unwrap_or("issues.jsonl"));
    let old = dir.join("beads.jsonl");
    if !usual.exists() && old.exists() { old } else { usual }
}

/// The project's id as bd gives it.
pub(crate) fn project_id(dir: &Path) -> Option<ProjectId> {
    metadata(dir).get("project_id")?.as_str()?.parse().ok()
}

/// The folders in which something changes when a bead does.
pub(crate) fn watch_paths(dir: &Path) -> Vec<PathBuf> {
    let mut paths = vec![dir.to_owned()];
    paths.extend(manifests(dir).into_iter().filter_map(|file| file.parent().map(Path::to_owned)));
    paths
}

/// What differs after every change: the root of Dolt's databases, else the content of the JSONL.
pub(crate) fn change_mark(dir: &Path) -> Result<Option<String>, TrackerError> {
    let read = |path: &Path| {
        bc_store::file::read(path)
            .map_err(|source| TrackerError::File { operation: "looking for changes of the beads", source })
    };
    let mut files = manifests(dir);
    if files.is_empty() {
        files.push(jsonl_file(dir));
    }
    let mut hash = Sha256::new();
    let mut any = false;
    for file in &files {
        if let Some(bytes) = read(file)? {
            any = true;
            hash.update(&bytes);
        }
    }
    Ok(any.then(|| hex(&hash.finalize()[..16])))
}

/// Dolt's manifests, one per database. Their content changes with every commit and with nothing else.
fn manifests(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for kind in ["embeddeddolt", "dolt"] {
        for entry in std::fs::read_dir(dir.join(kind)).into_iter().flatten().flatten() {
            let manifest = entry.path().join(".dolt/noms/manifest");
            if manifest.is_file() {
                found.push(manifest);
            }
        }
    }
    found.sort();
    found
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    })
}
