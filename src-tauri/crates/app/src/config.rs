//! The recently opened folders and the user's settings, in `$XDG_CONFIG_HOME/beads-console/`.

use bc_core::Extra;
use bc_engine::preferences;
use bc_store::{FileError, file};
use bc_wire::{
    ApiError, ErrorCode,
    app::{Settings, SettingsChange},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

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

/// Changes the list of recent folders. Keep it in a mutex, because concurrent changes would overwrite each
/// other.
#[derive(Debug)]
pub(crate) struct RecentFolders {
    /// The user's settings folder; `None` without a home folder.
    pub(crate) config: Option<PathBuf>,
}

impl RecentFolders {
    /// Moves a folder to the front of the list. A failure is ignored, because the list is only a convenience.
    pub(crate) fn remember(&mut self, root: &str) {
        if let Some(config) = &self.config {
            let _ = remember(config, root);
        }
    }
}

/// Changes the user's settings. Keep it in a mutex, so that the returned settings belong to one change.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    /// The user's settings folder; `None` without a home folder.
    pub(crate) config: Option<PathBuf>,
}

impl SettingsFile {
    /// Changes the settings and saves them. Returns the settings before the change, then those after it.
    pub(crate) fn change(&mut self, change: SettingsChange) -> Result<(Settings, Settings), ApiError> {
        let Some(config) = &self.config else {
            return Err(ApiError::new(ErrorCode::Io, "settings cannot be saved: there is no home folder"));
        };
        let before = preferences::settings_in(config);
        let after = preferences::change_settings(config, change)
            .map_err(|e| ApiError::new(ErrorCode::Io, e.to_string()))?;
        Ok((before, after))
    }
}

fn remember(folder: &Path, root: &str) -> Result<(), FileError> {
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

pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&file::read(path).ok()??).ok()
}

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
