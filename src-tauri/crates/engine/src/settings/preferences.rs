//! The user's general settings, in `$XDG_CONFIG_HOME/beads-console/settings.json`. They are read on every use,
//! because other processes may change them.

use super::json_file;
use bc_core::Extra;
use bc_store::{FileError, file};
use bc_wire::{
    ApiError, ErrorCode,
    app::{Settings, SettingsChange},
};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// The folder of the user's settings; `None` without a home folder.
pub fn folder() -> Option<PathBuf> {
    bc_hooks::settings_folder(|name| std::env::var_os(name))
}

/// The folder of the user's settings. Fails without a home folder.
pub(crate) fn require_folder() -> Result<PathBuf, ApiError> {
    folder().ok_or_else(|| ApiError::new(ErrorCode::Io, "settings cannot be saved: there is no home folder"))
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

/// Removes temporary files that killed programs left in the user's folders for settings and state, in
/// `cache`, and in their direct subfolders. Failures are ignored.
pub(crate) fn remove_leftovers(cache: Option<PathBuf>) {
    [folder(), state_folder(), cache].iter().flatten().for_each(|folder| remove_leftovers_in(folder));
}

fn remove_leftovers_in(folder: &Path) {
    file::remove_abandoned(folder);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for below in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        file::remove_abandoned(&below.path());
    }
}

/// The user's settings; defaults if they cannot be read.
pub fn settings() -> Settings {
    folder().as_deref().map(settings_in).unwrap_or_default()
}

/// The settings in this folder. A missing or unreadable setting has its default.
pub fn settings_in(folder: &Path) -> Settings {
    settings_of(&json_file::read(&path(folder)))
}

/// Changes the settings and returns them. Fields from other versions are kept.
///
/// # Errors
/// The file cannot be read or written; it is then unchanged.
pub fn change_settings(folder: &Path, change: SettingsChange) -> Result<Settings, FileError> {
    json_file::change(&path(folder), |whole| {
        let settings = settings_of(whole).with(change);
        whole.insert("version".to_owned(), VERSION.into());
        let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
        if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(&settings) {
            // A value that only another version can read stays until this version changes it.
            let stays = |name: &str, value: &Value| {
                whole.get(name).is_some_and(|kept| !json_file::is_readable::<SettingsChange>(name, kept))
                    && defaults.get(name) == Some(value)
            };
            let changed: Vec<_> = fields.into_iter().filter(|(name, value)| !stays(name, value)).collect();
            whole.extend(changed);
        }
        settings
    })
}

fn settings_of(file: &Extra) -> Settings {
    Settings::default().with(json_file::readable(file))
}

fn path(folder: &Path) -> PathBuf {
    folder.join("settings.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn leftovers_of_killed_programs_are_removed_from_the_users_folders() {
        let dir = tempfile::tempdir().unwrap();
        file::create_dir(&dir.path().join("projects")).unwrap();
        let [old, below, new, mine] = [".bc-tmp-1", "projects/.bc-tmp-2", ".bc-tmp-3", "settings.json"]
            .map(|name| dir.path().join(name));
        for path in [&old, &below, &new, &mine] {
            file::replace(path, b"{}").unwrap();
            let file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
            let hours = if *path == new { 0 } else { 1 };
            file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
        }
        remove_leftovers_in(dir.path());
        assert_eq!([&old, &below, &new, &mine].map(|path| path.exists()), [false, false, true, true]);
        remove_leftovers_in(Path::new("/nowhere"));
    }

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

    #[test]
    fn a_value_that_only_another_version_can_read_affects_no_other_setting() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        file::replace(&path, br#"{"version":1,"inactivity_minutes":5,"enter_sends":"sometimes"}"#).unwrap();
        let read = settings_in(dir.path());
        assert_eq!(read, Settings { inactivity_minutes: 5, ..Settings::default() });
        let mut change = SettingsChange { single_active: Some(true), ..SettingsChange::default() };
        let of = |change: &SettingsChange| {
            change_settings(dir.path(), change.clone()).unwrap();
            let saved: Value = serde_json::from_slice(&file::read(&path).unwrap().unwrap()).unwrap();
            (saved["inactivity_minutes"].clone(), saved["enter_sends"].clone())
        };
        assert_eq!(of(&change), (5.into(), "sometimes".into()));
        change.enter_sends = Some(false);
        assert_eq!(of(&change), (5.into(), false.into()));
    }
}
