//! The person's settings, in `$XDG_CONFIG_HOME/beads-console/settings.json`: read anew whenever they
//! matter, for whoever changes them may be another program.

use bc_core::Extra;
use bc_store::{FileError, file};
use bc_wire::app::{Settings, SettingsChange};
use std::path::{Path, PathBuf};

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// The folder of the person's settings; `None` without a home.
pub fn folder() -> Option<PathBuf> {
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

/// The folder of logs, which are kept until somebody needs the room; `None` without a home.
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

/// The settings as the person left them; the defaults where they cannot be read.
pub fn settings() -> Settings {
    folder().as_deref().map(settings_in).unwrap_or_default()
}

/// The settings in this folder; the default for each that is missing or cannot be read.
pub fn settings_in(folder: &Path) -> Settings {
    let change = serde_json::from_value::<SettingsChange>(read(folder).into()).unwrap_or_default();
    Settings::default().with(change)
}

/// Keeps the settings. Fields of other versions stay.
pub fn save_settings(folder: &Path, settings: &Settings) -> Result<(), FileError> {
    let mut whole = read(folder);
    whole.insert("version".to_owned(), VERSION.into());
    if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(settings) {
        whole.extend(fields);
    }
    file::create_dir(folder)?;
    let mut text = serde_json::to_vec_pretty(&whole).expect("settings have string keys");
    text.push(b'\n');
    file::replace(&folder.join("settings.json"), &text)
}

fn read(folder: &Path) -> Extra {
    let bytes = file::read(&folder.join("settings.json")).ok().flatten().unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_a_broken_file_means_the_defaults() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(settings_in(dir.path()), Settings::default());
        let mine = Settings { enter_sends: false, single_active: true, ..Settings::default() };
        save_settings(dir.path(), &mine).unwrap();
        assert_eq!(settings_in(dir.path()), mine);
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
        save_settings(dir.path(), &Settings { inactivity_minutes: 7, ..read }).unwrap();
        let saved: serde_json::Value = serde_json::from_slice(&file::read(&path).unwrap().unwrap()).unwrap();
        assert_eq!((&saved["later"][0], &saved["inactivity_minutes"]), (&1.into(), &7.into()));
    }
}
