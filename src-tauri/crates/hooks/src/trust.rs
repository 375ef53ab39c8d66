//! The user's permissions, in `trusted-hooks.json` in the settings folder. A hooks file is allowed with its
//! content and the content of its scripts. Both are stored, so that later changes can be shown. The same
//! file has the permissions for programs in a repository's git settings.
//!
//! In addition, the switch for the hooks of all repositories must be on: `defaults.allowWorkspaceHooks` in
//! `settings.json`. By default it is off.

use bc_core::{Extra, Timestamp};
use bc_store::{FileError, file};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The version of the file that this build writes.
const VERSION: u32 = 1;
const FILE: &str = "trusted-hooks.json";
const SETTINGS: &str = "settings.json";

/// The maximum length of each file's content that is stored for comparison, in bytes.
const TEXT_MAX: usize = 256 << 10;

/// Whether the hooks of a file may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The file belongs to the user and does not need a permission.
    Own,
    /// The user allowed its current content.
    Trusted,
    /// The user allowed the file's content, but the switch for all repositories is off.
    Off,
    /// The user has not allowed the file.
    New,
    /// The file or one of its scripts changed since the user allowed it.
    Changed,
    /// The file cannot be allowed, for example because it is unreadable, not a hooks file, or a link out of
    /// the repository.
    Refused,
}

/// A permission, with the content that the user allowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// The file's resolved path.
    pub path: PathBuf,
    /// The digest of the file and its scripts.
    pub fingerprint: String,
    pub at: Timestamp,
    /// The content of the file and its scripts at that time, by path. Long content is truncated.
    pub texts: BTreeMap<PathBuf, String>,
    /// Unknown fields, which are kept for other versions of this program.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The record of all permissions of the user.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trust {
    version: u32,
    #[serde(default)]
    files: Vec<Approval>,
    #[serde(flatten)]
    extra: Extra,
}

/// Why the permissions or the switch cannot be read or written. Without them, no hook of a repository runs.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is damaged: repair it, or remove it and allow hooks again", .path.display())]
    Broken {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    #[error("{} is damaged: repair it first", .path.display())]
    BrokenSettings {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    #[error("no home folder found for the permissions of hooks")]
    NoHome,
}

impl Default for Trust {
    fn default() -> Self {
        Trust { version: VERSION, files: Vec::new(), extra: Extra::new() }
    }
}

impl Approval {
    pub(crate) fn of<'a>(
        path: &Path,
        bytes: &[u8],
        scripts: impl Iterator<Item = (&'a Path, &'a [u8])>,
        fingerprint: &str,
        at: Timestamp,
    ) -> Approval {
        let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT_MAX)]).into_owned();
        let mut texts: BTreeMap<PathBuf, String> =
            scripts.map(|(path, bytes)| (path.to_owned(), text(bytes))).collect();
        texts.insert(path.to_owned(), text(bytes));
        Approval { path: path.into(), fingerprint: fingerprint.into(), at, texts, extra: Extra::new() }
    }
}

impl Trust {
    /// Reads the permissions. The record is empty if the folder or the file does not exist.
    pub fn read(config: Option<&Path>) -> Result<Trust, TrustError> {
        let Some(path) = config.map(|folder| folder.join(FILE)) else { return Ok(Trust::default()) };
        let Some(bytes) = file::read(&path)? else { return Ok(Trust::default()) };
        serde_json::from_slice(&bytes).map_err(|source| TrustError::Broken { path, source })
    }

    /// The permission for a file, regardless of the file's current content.
    pub fn of(&self, path: &Path) -> Option<&Approval> {
        self.files.iter().find(|approval| approval.path == path)
    }

    /// Adds or replaces the permission for a file, and saves all permissions.
    pub fn allow(mut self, config: Option<&Path>, approval: Approval) -> Result<(), TrustError> {
        self.files.retain(|other| other.path != approval.path);
        self.files.push(approval);
        self.save(config)
    }

    /// Removes the permission for a file, and saves the others. `path` may be resolved or not.
    pub fn withdraw(mut self, config: Option<&Path>, path: &Path) -> Result<(), TrustError> {
        let resolved = path.canonicalize().map(bc_core::paths::plain).unwrap_or_else(|_| path.to_owned());
        self.files.retain(|other| other.path != resolved && other.path != path);
        self.save(config)
    }

    pub(crate) fn state(&self, path: &Path, fingerprint: &str, allowed: bool) -> State {
        match self.of(path) {
            None => State::New,
            Some(approval) if approval.fingerprint != fingerprint => State::Changed,
            Some(_) if allowed => State::Trusted,
            Some(_) => State::Off,
        }
    }

    fn save(&mut self, config: Option<&Path>) -> Result<(), TrustError> {
        self.version = VERSION;
        replace(config.ok_or(TrustError::NoHome)?, FILE, self)
    }
}

/// Replaces a JSON file in the settings folder, which is created if it is missing.
fn replace(folder: &Path, name: &str, content: &impl Serialize) -> Result<(), TrustError> {
    file::create_dir(folder)?;
    let mut bytes = serde_json::to_vec_pretty(content).expect("the keys are strings and the paths are UTF-8");
    bytes.push(b'\n');
    Ok(file::replace(&folder.join(name), &bytes)?)
}

/// Whether the switch for the hooks of all repositories is on; `false` if it is not set.
pub fn workspace_allowed(config: Option<&Path>) -> bool {
    workspace_switch(config).unwrap_or(false)
}

/// The state of the switch; `None` if it is not set.
pub fn workspace_switch(config: Option<&Path>) -> Option<bool> {
    settings(config?).ok()?.get("defaults")?.get("allowWorkspaceHooks")?.as_bool()
}

/// Sets the switch for the hooks of all repositories.
pub fn allow_workspace(config: Option<&Path>, allow: bool) -> Result<(), TrustError> {
    let folder = config.ok_or(TrustError::NoHome)?;
    let mut settings = settings(folder)?;
    let defaults = settings.entry("defaults").or_insert_with(|| Value::Object(Extra::new()));
    if !defaults.is_object() {
        *defaults = Value::Object(Extra::new());
    }
    defaults["allowWorkspaceHooks"] = allow.into();
    replace(folder, SETTINGS, &settings)
}

/// The user's general settings; empty if the file does not exist.
fn settings(folder: &Path) -> Result<Extra, TrustError> {
    let path = folder.join(SETTINGS);
    let Some(bytes) = file::read(&path)? else { return Ok(Extra::new()) };
    serde_json::from_slice(&bytes).map_err(|source| TrustError::BrokenSettings { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixture::Repo, inspect};

    fn now() -> Timestamp {
        chrono::DateTime::UNIX_EPOCH.fixed_offset()
    }

    fn state(repo: &Repo) -> State {
        inspect(&repo.places()).0[0].state
    }

    fn allow(repo: &Repo) {
        let (seen, trust) = inspect(&repo.places());
        let approval = seen[0].file.as_ref().unwrap().approval(now());
        trust.unwrap().allow(Some(&repo.config()), approval).unwrap();
    }

    #[test]
    fn a_file_is_allowed_with_its_content_and_that_of_its_scripts() {
        let repo = Repo::new();
        repo.write("a.sh", "echo '{}'");
        repo.hook("sessionStart", "./a.sh", serde_json::json!({}));
        assert_eq!(state(&repo), State::New);
        allow(&repo);
        assert_eq!(state(&repo), State::Off, "the switch is off until it is turned on");
        allow_workspace(Some(&repo.config()), true).unwrap();
        assert_eq!(state(&repo), State::Trusted);
        repo.write("a.sh", "echo '{\"x\":1}'");
        assert_eq!(state(&repo), State::Changed);
        repo.write("a.sh", "echo '{}'");
        assert_eq!(state(&repo), State::Trusted);
        repo.hook("sessionStart", "./a.sh && true", serde_json::json!({}));
        assert_eq!(state(&repo), State::Changed);
        Trust::read(Some(&repo.config()))
            .unwrap()
            .withdraw(Some(&repo.config()), &repo.root().join("hooks.json"))
            .unwrap();
        assert_eq!(state(&repo), State::New);
    }

    #[test]
    fn a_script_created_after_the_permission_is_a_change() {
        let repo = Repo::new();
        repo.hook("sessionStart", "./later.sh", serde_json::json!({}));
        allow(&repo);
        allow_workspace(Some(&repo.config()), true).unwrap();
        assert_eq!(state(&repo), State::Trusted);
        repo.write("later.sh", "rm -rf /");
        assert_eq!(state(&repo), State::Changed);
    }

    #[test]
    fn a_damaged_record_allows_nothing_and_is_reported() {
        let repo = Repo::new();
        repo.hook("sessionStart", "true", serde_json::json!({}));
        allow(&repo);
        allow_workspace(Some(&repo.config()), true).unwrap();
        repo.write_own(FILE, "{");
        let (seen, trust) = inspect(&repo.places());
        assert_eq!(seen[0].state, State::New);
        assert!(matches!(trust, Err(TrustError::Broken { .. })));
    }

    #[test]
    fn damaged_settings_are_kept_and_the_switch_is_refused() {
        let repo = Repo::new();
        repo.write_own(SETTINGS, r#"{"theme":"dark","#);
        let refused = allow_workspace(Some(&repo.config()), true);
        assert!(matches!(refused, Err(TrustError::BrokenSettings { .. })), "{refused:?}");
        assert_eq!(std::fs::read_to_string(repo.config().join(SETTINGS)).unwrap(), r#"{"theme":"dark","#);
        assert!(!workspace_allowed(Some(&repo.config())));
    }

    #[test]
    fn the_switch_keeps_other_settings_and_ignores_repository_files() {
        let repo = Repo::new();
        repo.write_own(SETTINGS, r#"{"version":1,"theme":"dark","defaults":{"other":1}}"#);
        repo.write("settings.json", r#"{"defaults":{"allowWorkspaceHooks":true}}"#);
        assert!(!workspace_allowed(Some(&repo.config())));
        allow_workspace(Some(&repo.config()), true).unwrap();
        assert!(workspace_allowed(Some(&repo.config())));
        let kept = settings(&repo.config()).unwrap();
        assert_eq!((&kept["theme"], &kept["defaults"]["other"]), (&"dark".into(), &1.into()));
    }
}
