//! Copies of the hooks files that the user allowed, for a session on another machine.

use crate::{
    inspect::{chain, inspect},
    places::{Places, Scope},
    trust::{State, Trust, allow_workspace},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use bc_core::Timestamp;
use bc_store::file;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

/// The user's settings folder in an installed copy.
const SETTINGS: &str = "settings";
/// The copied part of the repository in an installed copy.
const REPOSITORY: &str = "repository";

/// A repository's allowed hooks files with their scripts. All paths are relative to [`Places::boundary`] and
/// use `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookCopies {
    /// The project's root.
    root: String,
    /// The files in base64, by path.
    files: BTreeMap<String, String>,
    /// The working folders of the hooks.
    folders: BTreeSet<String>,
}

impl HookCopies {
    /// The repository's hooks that may run now. A hooks file that is a link is omitted, with a line in the log.
    pub fn of(places: &Places) -> HookCopies {
        let relative = |path: &Path| relative(path, &places.boundary);
        let mut copies =
            HookCopies { root: relative(&places.root).unwrap_or_default(), ..HookCopies::default() };
        for seen in inspect(places).0 {
            let Some(file) = seen.file.filter(|_| seen.state == State::Trusted) else { continue };
            if file.path != seen.place.path {
                tracing::warn!(path = %seen.place.path.display(), "a linked hooks file is not copied to the place");
                continue;
            }
            let scripts = file.scripts.values().map(|script| (&script.path, &script.bytes));
            for (path, bytes) in scripts.chain([(&file.path, &file.bytes)]) {
                copies.files.extend(relative(path).map(|path| (path, BASE64_STANDARD.encode(bytes))));
            }
            let folder = file.path.parent().unwrap_or(&places.boundary);
            let cwds = file.parsed.entries.iter().map(|entry| crate::words::normal(&folder.join(&entry.cwd)));
            copies.folders.extend(cwds.filter_map(|cwd| relative(&cwd)));
        }
        copies
    }

    /// Writes the files into `folder`, replacing its content, and allows them there. Returns the copy's
    /// places.
    ///
    /// # Errors
    /// A file cannot be read or written, or the copies are invalid; the text is for users.
    pub fn install(&self, folder: &Path, at: Timestamp) -> Result<Places, String> {
        let text = |error: bc_store::FileError| chain(&error);
        if folder.exists() {
            file::remove_all(folder).map_err(|error| error.to_string())?;
        }
        let boundary = folder.join(REPOSITORY);
        let config = folder.join(SETTINGS);
        for folder in [&boundary, &config] {
            file::create_dir(folder).map_err(text)?;
        }
        for path in self.folders.iter().chain([&self.root]) {
            file::create_dir(&inside(&boundary, path)?).map_err(text)?;
        }
        for (path, content) in &self.files {
            let bytes = BASE64_STANDARD.decode(content).map_err(|error| format!("{path}: {error}"))?;
            let path = inside(&boundary, path)?;
            file::create_dir(path.parent().unwrap_or(&boundary)).map_err(text)?;
            file::replace(&path, &bytes).map_err(text)?;
        }
        // Permissions are stored for resolved paths.
        let resolve = |path: &Path| path.canonicalize().map(bc_core::paths::plain).map_err(|e| e.to_string());
        let boundary = resolve(&boundary)?;
        let root = resolve(&inside(&boundary, &self.root)?)?;
        let places = Places { config: Some(config), root, boundary };
        let config = places.config.as_deref();
        for seen in inspect(&places).0 {
            let Some(file) = seen.file.filter(|_| seen.place.scope == Scope::Workspace) else { continue };
            let trust = Trust::read(config).map_err(|error| chain(&error))?;
            trust.allow(config, file.approval(at)).map_err(|error| chain(&error))?;
        }
        allow_workspace(config, true).map_err(|error| chain(&error))?;
        Ok(places)
    }
}

/// The path from the boundary, with `/`; `None` if the path is outside the boundary or not UTF-8.
fn relative(path: &Path, boundary: &Path) -> Option<String> {
    let parts = path.strip_prefix(boundary).ok()?.components();
    let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

fn inside(boundary: &Path, path: &str) -> Result<PathBuf, String> {
    let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| boundary.join(path)).ok_or_else(|| format!("{path} is not a path in the repository"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixture::Repo, load};

    fn now() -> Timestamp {
        chrono::DateTime::UNIX_EPOCH.fixed_offset()
    }

    fn allow(repo: &Repo) {
        let (seen, trust) = inspect(&repo.places());
        let approval = seen[0].file.as_ref().unwrap().approval(now());
        trust.unwrap().allow(Some(&repo.config()), approval).unwrap();
        allow_workspace(Some(&repo.config()), true).unwrap();
    }

    #[test]
    fn only_allowed_hooks_are_copied_and_they_may_run_from_their_copy() {
        let repo = Repo::new();
        repo.write("tools/a.sh", "echo '{}'");
        repo.write("tools/data", "not a script");
        repo.hook("sessionStart", "./a.sh", serde_json::json!({"cwd": "tools"}));
        assert_eq!(HookCopies::of(&repo.places()).files.len(), 0, "the file is not allowed yet");
        allow(&repo);
        let copies = HookCopies::of(&repo.places());
        let sent = serde_json::from_str(&serde_json::to_string(&copies).unwrap()).unwrap();
        assert_eq!(copies, sent);
        assert_eq!(copies.files.keys().collect::<Vec<_>>(), ["hooks.json", "tools/a.sh"]);

        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("hooks");
        for _ in 0..2 {
            let places = copies.install(&target, now()).unwrap();
            let loaded = load(&places);
            assert_eq!((loaded.hooks.len(), loaded.warnings), (1, Vec::<String>::new()));
            assert!(loaded.hooks[0].cwd.starts_with(&places.boundary));
        }
        repo.write("tools/a.sh", "touch stolen");
        assert_eq!(HookCopies::of(&repo.places()).files.len(), 0, "the script has changed");
    }

    #[test]
    fn a_path_outside_the_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["../x", "/x", "a/../../x"] {
            let files = BTreeMap::from([(path.to_owned(), String::new())]);
            let copies = HookCopies { files, ..HookCopies::default() };
            assert!(copies.install(&folder.path().join("hooks"), now()).is_err(), "{path}");
        }
        assert!(!folder.path().join("x").exists());
    }
}
