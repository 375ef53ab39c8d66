//! Checks whether an organization's policy or settings disable claude's hooks.
//!
//! Only files are checked. A policy in the Windows registry, in a macOS profile or from a server is not
//! detected. With such a policy, a session runs no SessionStart hook.

use crate::paths::Places;
use serde_json::Value;
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// The setting that disables the hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HooksOff {
    /// An organization's policy file, which the user cannot override.
    Policy {
        file: PathBuf,
        /// `disableAllHooks` or `allowManagedHooksOnly`.
        setting: &'static str,
    },
    /// The user's, the project's or the project's local settings.
    Settings { file: PathBuf },
}

impl HooksOff {
    pub(super) fn hint(&self) -> String {
        match self {
            HooksOff::Policy { file, .. } => format!("ask the maintainer of {}", file.display()),
            HooksOff::Settings { file } => format!("remove \"disableAllHooks\" from {}", file.display()),
        }
    }
}

impl fmt::Display for HooksOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HooksOff::Policy { file, setting } => {
                write!(f, "the policy in {} ({setting})", file.display())
            }
            HooksOff::Settings { file } => write!(f, "\"disableAllHooks\" in {}", file.display()),
        }
    }
}

/// The setting that disables the hooks of a claude process in `cwd`; `None` if no file disables them.
pub fn hooks_off(places: Option<&Places>, cwd: &Path) -> Option<HooksOff> {
    let policy_dir = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        "C:\\Program Files\\ClaudeCode"
    } else {
        "/etc/claude-code"
    };
    by_policy(Path::new(policy_dir)).or_else(|| by_settings(places, cwd))
}

/// Checks `managed-settings.json`, then the files in the folder `managed-settings.d` next to it.
fn by_policy(dir: &Path) -> Option<HooksOff> {
    let dropped = fs::read_dir(dir.join("managed-settings.d")).into_iter().flatten().flatten();
    let mut dropped: Vec<PathBuf> = dropped.map(|entry| entry.path()).collect();
    dropped.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    dropped.sort();
    [dir.join("managed-settings.json")].into_iter().chain(dropped).find_map(|file| {
        let settings = read(&file, false)?;
        let is_on = |setting: &&'static str| settings.get(*setting) == Some(&Value::Bool(true));
        let setting = ["disableAllHooks", "allowManagedHooksOnly"].into_iter().find(is_on)?;
        Some(HooksOff::Policy { file, setting })
    })
}

/// The last file that contains the setting decides. The order is the user's, the project's, and the project's
/// local settings.
fn by_settings(places: Option<&Places>, cwd: &Path) -> Option<HooksOff> {
    let project = [cwd.join(".claude/settings.json"), cwd.join(".claude/settings.local.json")];
    let user = places.map(Places::user_settings).into_iter().map(|file| (file, false));
    let files = user.chain(project.map(|file| (file, true)));
    let mut switches = files.filter_map(|(file, of_project)| {
        Some((read(&file, of_project)?.get("disableAllHooks")?.as_bool()?, file))
    });
    switches.next_back().filter(|(off, _)| *off).map(|(_, file)| HooksOff::Settings { file })
}

/// Settings as claude reads them: strict JSON, optionally with a byte order mark. `None` for an unreadable
/// file, and for a file that claude ignores because it is invalid or its `disableAllHooks` is not a boolean.
fn read(file: &Path, of_project: bool) -> Option<Value> {
    let text = crate::foreign_files::settings(file, of_project)?;
    let settings: Value = serde_json::from_str(&text).ok()?;
    settings.get("disableAllHooks").is_none_or(Value::is_boolean).then_some(settings)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // The tests write files as an editor does.
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn policies_are_found_in_the_file_and_its_drop_in_folder() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(by_policy(dir.path()), None);
        put(&dir.path().join("managed-settings.d/10-x.json"), "{\"allowManagedHooksOnly\":true}");
        let found = by_policy(dir.path()).unwrap();
        assert!(found.to_string().contains("10-x.json (allowManagedHooksOnly)"), "{found}");
        put(&dir.path().join("managed-settings.json"), "{\"disableAllHooks\":true}");
        assert!(matches!(by_policy(dir.path()), Some(HooksOff::Policy { setting: "disableAllHooks", .. })));
    }

    #[test]
    fn settings_have_claudes_precedence() {
        let dir = tempfile::tempdir().unwrap();
        let (config, cwd) = (dir.path().join("c"), dir.path().join("p"));
        let places = Places { config_dir: config.clone(), state_file: config.join(".claude.json") };
        let off = |text: &str| {
            put(&places.user_settings(), text);
            by_settings(Some(&places), &cwd).is_some()
        };
        assert!(off("{\"disableAllHooks\":true}"));
        assert!(off("\u{feff}{\"disableAllHooks\":true}"));
        // Claude ignores these files.
        for fine in ["{\"disableAllHooks\":\"true\"}", "{\"disableAllHooks\":1}", "{broken", "{}", "[]"] {
            assert!(!off(fine), "{fine}");
        }
        put(&cwd.join(".claude/settings.json"), "{\"disableAllHooks\":true}");
        assert_eq!(
            by_settings(Some(&places), &cwd),
            Some(HooksOff::Settings { file: cwd.join(".claude/settings.json") })
        );
        put(&cwd.join(".claude/settings.local.json"), "{\"disableAllHooks\":false}");
        assert_eq!(by_settings(Some(&places), &cwd), None);
    }
}
