//! The user's settings for a project, in one file per project in `$XDG_CONFIG_HOME/beads-console/projects/`. Like the
//! general settings, they are read on every use.

use super::{json_file, preferences};
use crate::context::{Context, Project, Sessions, errors::file_error};
use bc_core::Extra;
use bc_wire::{ApiError, settings::*};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// A project's effective settings: each is the project's own setting, else the user's general setting.
pub(crate) fn in_force(project: &Project) -> SettingsInForce {
    let own = preferences::folder().map(|folder| own_in(&folder, &project.root)).unwrap_or_default();
    SettingsInForce::of(&preferences::settings(), &own)
}

pub(crate) fn shown(ctx: &Context) -> ProjectSettingsShown {
    let root = &ctx.project.root;
    let own = preferences::folder().map(|folder| own_in(&folder, root)).unwrap_or_default();
    ProjectSettingsShown { own, in_force: in_force(&ctx.project) }
}

pub(crate) fn change(
    ctx: &Context,
    _: &Sessions,
    change: ProjectSettingsChange,
) -> Result<ProjectSettingsShown, ApiError> {
    save(&preferences::require_folder()?, &ctx.project.root, change)?;
    Ok(shown(ctx))
}

/// How long claude may be idle at its prompt in this project, in milliseconds; `None` for no limit.
pub(crate) fn idle_ms(project: &Project) -> Option<u64> {
    let minutes = in_force(project).inactivity_minutes;
    (minutes > 0).then(|| u64::from(minutes) * 60_000)
}

/// The path of the project's settings file; `None` without a home folder.
pub(crate) fn file_of(project: &Project) -> Option<PathBuf> {
    Some(path(&preferences::folder()?, &project.root))
}

/// The part of the project's settings with this key; `None` if it is not set.
pub(crate) fn part(project: &Project, name: &str) -> Option<Value> {
    json_file::read(&path(&preferences::folder()?, &project.root)).remove(name)
}

pub(crate) fn save_part(project: &Project, name: &str, value: Value) -> Result<(), ApiError> {
    write(&preferences::require_folder()?, &project.root, |whole| {
        whole.insert(name.to_owned(), value);
    })
}

fn save(folder: &Path, root: &Path, change: ProjectSettingsChange) -> Result<(), ApiError> {
    write(folder, root, |whole| {
        let own = json_file::readable::<ProjectSettings>(whole).with(change);
        if let Ok(Value::Object(fields)) = serde_json::to_value(own) {
            whole.extend(fields);
        }
    })
}

fn write(folder: &Path, root: &Path, change: impl FnOnce(&mut Extra)) -> Result<(), ApiError> {
    let written = json_file::change(&path(folder, root), |whole| {
        change(whole);
        whole.insert("version".to_owned(), VERSION.into());
        whole.insert("root".to_owned(), root.to_string_lossy().into());
        whole.retain(|_, value| !value.is_null());
    });
    written.map_err(file_error)
}

fn own_in(folder: &Path, root: &Path) -> ProjectSettings {
    json_file::readable(&json_file::read(&path(folder, root)))
}

/// The settings file of the project with this root, which must be absolute and without symbolic links.
fn path(folder: &Path, root: &Path) -> PathBuf {
    folder.join("projects").join(format!("{}.json", short_name(root)))
}

/// A short hash of a folder's path, usable as a file name.
pub(crate) fn short_name(root: &Path) -> String {
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;

    fn set(minutes: u32) -> ProjectSettingsChange {
        let set = ProjectSettings { inactivity_minutes: Some(minutes), ..ProjectSettings::default() };
        ProjectSettingsChange { set, unset: vec![] }
    }

    #[test]
    fn project_settings_apply_to_one_project_and_can_be_unset() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (Path::new("/a/one"), Path::new("/a/other"));
        save(dir.path(), one, set(5)).unwrap();
        assert_eq!(own_in(dir.path(), one), set(5).set);
        assert_eq!(own_in(dir.path(), other), ProjectSettings::default());
        let unset = ProjectSettingsChange {
            unset: vec![ProjectSetting::InactivityMinutes],
            ..ProjectSettingsChange::default()
        };
        save(dir.path(), one, unset).unwrap();
        assert_eq!(own_in(dir.path(), one), ProjectSettings::default());
    }

    #[test]
    fn fields_of_other_versions_stay_and_a_bad_one_does_not_affect_the_others() {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new("/a/one");
        let file = path(dir.path(), root);
        file::create_dir(file.parent().unwrap()).unwrap();
        let text = br#"{"version":2,"reviews":false,"inactivity_minutes":"soon","later":{"a":1}}"#;
        file::replace(&file, text).unwrap();
        assert_eq!(own_in(dir.path(), root).reviews, Some(false));
        save(dir.path(), root, set(7)).unwrap();
        let saved = json_file::read(&file);
        assert_eq!((&saved["later"]["a"], &saved["inactivity_minutes"]), (&1.into(), &7.into()));
        file::replace(&file, b"{").unwrap();
        assert_eq!(own_in(dir.path(), root), ProjectSettings::default());
    }
}
