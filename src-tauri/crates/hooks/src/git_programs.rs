//! Programs in a repository's own git settings: filters, merge drivers, ssh commands. Git would run them
//! without a permission. As for a repository's hooks, the user must allow their current content. Both kinds
//! of permissions are in the same file.
//!
//! Deliberately elsewhere: the list of settings that name programs, and the git commands that run them
//! (`bc-git`).

use crate::{
    inspect::chain,
    scripts::{fingerprint, scripts, sha256},
    trust::{Approval, State, Trust},
};
use bc_core::Timestamp;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The programs that the git settings of one repository name, with their scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPrograms {
    /// The resolved path of the configuration file. The permission is recorded under this path.
    pub path: PathBuf,
    /// The settings, as lines of `key = command`.
    pub text: String,
    /// The digest of the settings and the scripts.
    pub fingerprint: String,
    /// The repository's files that the commands run: for each path, the SHA-256 digest and the content.
    pub scripts: BTreeMap<PathBuf, (String, String)>,
}

impl GitPrograms {
    /// Reads the scripts that the commands name. `tree` is the working tree in which git runs the commands.
    ///
    /// # Errors
    ///
    /// Returns the reason if the user cannot allow the programs, for example because a script is a link out
    /// of the repository, or because there are too many scripts.
    pub fn inspect(path: &Path, settings: &[(String, String)], tree: &Path) -> Result<GitPrograms, String> {
        let text: String = settings.iter().map(|(key, command)| format!("{key} = {command}\n")).collect();
        let commands = settings.iter().map(|(_, command)| (command.as_str(), tree));
        let found = scripts(commands, tree).map_err(|error| chain(&error))?;
        let fingerprint = fingerprint(text.as_bytes(), &found, tree);
        let scripts = found.into_values().map(|script| {
            let text = String::from_utf8_lossy(&script.bytes).into_owned();
            (script.path, (sha256(&script.bytes), text))
        });
        Ok(GitPrograms { path: path.to_owned(), text, fingerprint, scripts: scripts.collect() })
    }

    /// Whether the user has allowed exactly these programs. If the record of permissions cannot be read,
    /// nothing is allowed.
    pub fn state(&self, config: Option<&Path>) -> State {
        match Trust::read(config).unwrap_or_default().of(&self.path) {
            None => State::New,
            Some(approval) if approval.fingerprint == self.fingerprint => State::Trusted,
            Some(_) => State::Changed,
        }
    }

    /// The permission for exactly these programs, to be stored if the user grants it.
    pub fn approval(&self, at: Timestamp) -> Approval {
        let scripts = self.scripts.iter().map(|(path, (_, text))| (path.as_path(), text.as_bytes()));
        Approval::of(&self.path, self.text.as_bytes(), scripts, &self.fingerprint, at)
    }

    /// The settings and the scripts by path, as text to show to the user.
    pub fn texts(&self) -> BTreeMap<PathBuf, String> {
        let scripts = self.scripts.iter().map(|(path, (_, text))| (path.clone(), text.clone()));
        scripts.chain([(self.path.clone(), self.text.clone())]).collect()
    }
}

/// The folder of the user's settings for this program; `None` without a home folder. `variable` reads an
/// environment variable.
pub fn settings_folder(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let own = variable("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let base = own.or_else(|| {
        let home = variable("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let home = home.or_else(std::env::home_dir)?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => home.join("AppData/Roaming"),
            _ => home.join(".config"),
        })
    })?;
    Some(base.join("beads-console"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Repo;

    #[test]
    fn programs_are_allowed_with_their_settings_and_their_scripts() {
        let repo = Repo::new();
        let config = repo.config();
        let inspect = |command: &str| {
            let settings = [("filter.x.clean".to_owned(), command.to_owned())];
            GitPrograms::inspect(&repo.root().join(".git/config"), &settings, repo.root()).unwrap()
        };
        repo.write("clean.sh", "cat");
        let found = inspect("sh ./clean.sh");
        assert_eq!((found.state(Some(&config)), found.scripts.len()), (State::New, 1));
        let now = chrono::DateTime::UNIX_EPOCH.fixed_offset();
        Trust::read(Some(&config)).unwrap().allow(Some(&config), found.approval(now)).unwrap();
        assert_eq!(inspect("sh ./clean.sh").state(Some(&config)), State::Trusted);
        assert_eq!(inspect("sh ./clean.sh -x").state(Some(&config)), State::Changed);
        repo.write("clean.sh", "curl evil");
        assert_eq!(inspect("sh ./clean.sh").state(Some(&config)), State::Changed);
    }
}
