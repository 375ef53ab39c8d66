//! The recently opened folders, in `$XDG_CONFIG_HOME/beads-console/projects.json`, and small JSON files in general.

use bc_core::Extra;
use bc_store::{FileError, file};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::Path;

/// The format version that this build writes.
const VERSION: u32 = 1;
/// The maximum number of recent folders to keep.
const RECENT_MAX: usize = 20;

/// The content of `projects.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ProjectsFile {
    version: u32,
    /// The recent folders, newest first.
    recent: Vec<String>,
    #[serde(flatten)]
    extra: Extra,
}

/// The recently opened folders, newest first.
pub(crate) fn recent(folder: &Path) -> Vec<String> {
    read::<ProjectsFile>(&folder.join("projects.json")).unwrap_or_default().recent
}

/// Moves the folder `root` to the front of the recent folders. The caller prevents concurrent calls, which would
/// overwrite each other's changes.
pub(crate) fn remember(folder: &Path, root: &str) -> Result<(), FileError> {
    let path = folder.join("projects.json");
    let mut known = read::<ProjectsFile>(&path).unwrap_or_default();
    if known.version == VERSION && known.recent.first().is_some_and(|first| first == root) {
        return Ok(());
    }
    known.version = VERSION;
    known.recent.retain(|other| other != root);
    known.recent.insert(0, root.to_owned());
    known.recent.truncate(RECENT_MAX);
    write(&path, &known)
}

/// The content of a JSON file; `None` if the file is missing, unreadable or invalid.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&file::read(path).ok()??).ok()
}

/// Replaces a JSON file, whose folder is created if it is missing.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> Result<(), FileError> {
    if let Some(folder) = path.parent() {
        file::create_dir(folder)?;
    }
    let mut text = serde_json::to_vec_pretty(value).expect("settings have string keys");
    text.push(b'\n');
    file::replace(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_folder_is_first_and_folders_are_unique() {
        let dir = tempfile::tempdir().unwrap();
        for root in ["/a", "/b", "/a"] {
            remember(dir.path(), root).unwrap();
        }
        assert_eq!(recent(dir.path()), ["/a", "/b"]);
    }
}
