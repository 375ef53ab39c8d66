//! The person's settings and the folders that were open before, in `$XDG_CONFIG_HOME/beads-console/`.

use bc_core::Extra;
use bc_store::{FileError, file};
use bc_wire::app::Settings;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// The version of both files that this build writes.
const VERSION: u32 = 1;
/// How many folders are remembered.
const RECENT_MAX: usize = 20;

/// The folder of the person's settings; `None` without a home.
pub(crate) fn folder() -> Option<PathBuf> {
    let own = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let base = own.or_else(|| {
        let home = std::env::home_dir()?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => home.join("AppData/Roaming"),
            _ => home.join(".config"),
        })
    })?;
    Some(base.join("beads-console"))
}

/// `settings.json`.
#[derive(Debug, Serialize, Deserialize)]
struct SettingsFile {
    version: u32,
    #[serde(flatten)]
    settings: Settings,
    #[serde(flatten)]
    extra: Extra,
}

/// `projects.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ProjectsFile {
    version: u32,
    /// Newest first.
    recent: Vec<String>,
    #[serde(flatten)]
    extra: Extra,
}

/// The settings as the person left them; the defaults where they cannot be read.
pub(crate) fn settings(folder: &Path) -> Settings {
    read::<SettingsFile>(&folder.join("settings.json")).map(|f| f.settings).unwrap_or_default()
}

/// Keeps the settings. Fields of other versions stay.
pub(crate) fn save_settings(folder: &Path, settings: &Settings) -> Result<(), FileError> {
    let path = folder.join("settings.json");
    let extra = read::<SettingsFile>(&path).map(|f| f.extra).unwrap_or_default();
    write(&path, &SettingsFile { version: VERSION, settings: settings.clone(), extra })
}

/// The folders that were open before, newest first.
pub(crate) fn recent(folder: &Path) -> Vec<String> {
    read::<ProjectsFile>(&folder.join("projects.json")).unwrap_or_default().recent
}

/// Puts a folder at the front of those that were open before.
pub(crate) fn remember(folder: &Path, root: &str) -> Result<(), FileError> {
    let path = folder.join("projects.json");
    let mut known = read::<ProjectsFile>(&path).unwrap_or_default();
    known.version = VERSION;
    known.recent.retain(|other| other != root);
    known.recent.insert(0, root.to_owned());
    known.recent.truncate(RECENT_MAX);
    write(&path, &known)
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&file::read(path).ok()??).ok()
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), FileError> {
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
    fn settings_come_back_and_a_broken_file_means_the_defaults() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(settings(dir.path()), Settings::default());
        let mine = Settings { enter_sends: false, ..Settings::default() };
        save_settings(dir.path(), &mine).unwrap();
        assert_eq!(settings(dir.path()), mine);
        file::replace(&dir.path().join("settings.json"), b"{").unwrap();
        assert_eq!(settings(dir.path()), Settings::default());
    }

    #[test]
    fn the_newest_folder_is_first_and_none_is_there_twice() {
        let dir = tempfile::tempdir().unwrap();
        for root in ["/a", "/b", "/a"] {
            remember(dir.path(), root).unwrap();
        }
        assert_eq!(recent(dir.path()), ["/a", "/b"]);
    }
}
