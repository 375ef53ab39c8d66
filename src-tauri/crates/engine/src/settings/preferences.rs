//! The user's settings in `$XDG_CONFIG_HOME/beads-console/settings.json`. They are read on every use, because other
//! programs may change them.

use super::json_file;
use bc_core::Extra;
use bc_store::FileError;
use bc_wire::app::{Settings, SettingsChange};
use std::path::{Path, PathBuf};

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// The folder of the user's settings; `None` without a home folder.
pub fn folder() -> Option<PathBuf> {
    bc_hooks::settings_folder(|name| std::env::var_os(name))
}

/// The folder of logs and other disposable state; `None` without a home folder.
pub fn state_folder() -> Option<PathBuf> {
    let own = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let base = own.or_else(|| {
        let home = std::env::home_dir()?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Logs"),
            "windows" => home.join("AppData/Local"),
            _ => home.join(".local/state"),
        })
    })?;
    Some(base.join("beads-console"))
}

/// The user's settings; defaults if they cannot be read.
pub fn settings() -> Settings {
    folder().as_deref().map(settings_in).unwrap_or_default()
}

/// The settings in this folder; the default for each one that is missing or cannot be read.
pub fn settings_in(folder: &Path) -> Settings {
    settings_of(&json_file::read(&path(folder)))
}

/// Changes the settings and returns them. Fields of other versions are kept.
///
/// # Errors
/// The file cannot be read or written; it is then unchanged.
pub fn change_settings(folder: &Path, change: SettingsChange) -> Result<Settings, FileError> {
    json_file::change(&path(folder), |whole| {
        let settings = settings_of(whole).with(change);
        whole.insert("version".to_owned(), VERSION.into());
        if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(&settings) {
            whole.extend(fields);
        }
        settings
    })
}

fn settings_of(file: &Extra) -> Settings {
    let change = serde_json::from_value::<SettingsChange>(file.clone().into()).unwrap_or_default();
    Settings::default().with(change)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("settings.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;

    #[test]
    fn settings_are_read_back_and_a_broken_file_yields_the_defaults() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(settings_in(dir.path()), Settings::default());
        let mine = SettingsChange {
            enter_sends: Some(false),
            single_active: Some(true),
            ..SettingsChange::default()
        };
        let kept = change_settings(dir.path(), mine.clone()).unwrap();
        assert_eq!((&kept, kept.enter_sends), (&Settings::default().with(mine), false));
        assert_eq!(settings_in(dir.path()), kept);
        file::replace(&dir.path().join("settings.json"), b"{").unwrap();
        assert_eq!(settings_in(dir.path()), Settings::default());
    }

    #[test]
    fn fields_of_other_versions_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        let text = br#"{"version":1,"inactivity_minutes":5,"later":[1]}"#;
        file::replace(&path, text).unwrap();
        let read = settings_in(dir.path());
        assert_eq!(read, Settings { inactivity_minutes: 5, ..Settings::default() });
        let seven = SettingsChange { inactivity_minutes: Some(7), ..SettingsChange::default() };
        change_settings(dir.path(), seven).unwrap();
        let saved: serde_json::Value = serde_json::from_slice(&file::read(&path).unwrap().unwrap()).unwrap();
        assert_eq!((&saved["later"][0], &saved["inactivity_minutes"]), (&1.into(), &7.into()));
    }
}
