//! A test fixture: a repository, a folder of the user's settings, and a folder outside the repository.

#![allow(dead_code, reason = "each of two sets of tests uses a part of it")]

use bc_hooks::{Places, Runner};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

pub(crate) struct Repo {
    _folder: TempDir,
    base: PathBuf,
    root: PathBuf,
}

#[allow(clippy::disallowed_methods, reason = "these files are written by users and other programs")]
fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if path.extension().is_some_and(|e| e == "sh") { 0o755 } else { 0o644 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

impl Repo {
    pub(crate) fn new() -> Repo {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        let root = base.join("repo");
        fs::create_dir(&root).unwrap();
        fs::create_dir(base.join("config")).unwrap();
        Repo { _folder: folder, base, root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.base.join("config")
    }

    pub(crate) fn places(&self) -> Places {
        Places { config: Some(self.config()), root: self.root.clone(), boundary: self.root.clone() }
    }

    /// A runner with `program` as the reaper.
    pub(crate) fn runner(&self, program: &str) -> Runner {
        Runner { program: program.into(), places: self.places(), session: None }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        put(&self.root.join(path), text);
    }

    pub(crate) fn write_own(&self, path: &str, text: &str) {
        put(&self.config().join(path), text);
    }

    pub(crate) fn outside(&self, path: &str, text: &str) -> PathBuf {
        let path = self.base.join("outside").join(path);
        put(&path, text);
        path
    }

    /// Writes a hooks file with one hook into the repository.
    pub(crate) fn hook(&self, event: &str, bash: &str, more: serde_json::Value) {
        let mut entry = serde_json::json!({"type": "command", "bash": bash});
        entry.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        let file = serde_json::json!({"version": 1, "hooks": {event: [entry]}});
        self.write("hooks.json", &file.to_string());
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, path: &str, target: &Path) {
        std::os::unix::fs::symlink(target, self.root.join(path)).unwrap();
    }
}
