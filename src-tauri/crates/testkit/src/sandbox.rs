//! A project in its own folder, with a home folder, a git repository and an environment that are isolated
//! from the machine's user.
//!
//! On Linux, dropping the sandbox ends every process that has the sandbox's variable in its environment.
//! Otherwise, hosts, servers and tools would outlive their test. Dropping the sandbox also deletes its
//! folder.

mod cleanup;
mod seed;

pub use seed::API_KEY;
use seed::MARK;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// Names for project folders that expose careless quoting and option parsing.
pub const AWKWARD_NAMES: [&str; 5] =
    ["with two  spaces", "it's \"quoted\"", "größe-日本-é", "-leading-dash", "a$(touch x)`y`;&b"];

/// A project for tests; see the [module](self).
#[derive(Debug)]
pub struct Sandbox {
    /// Keeps the folder, which is removed together with the sandbox.
    _folder: TempDir,
    root: PathBuf,
    project: PathBuf,
    env: BTreeMap<OsString, OsString>,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox::new()
    }
}

impl Sandbox {
    /// Creates a sandbox with a git repository named `project` that has one commit on `main`.
    pub fn new() -> Self {
        Sandbox::named("project")
    }

    /// Like [`Sandbox::new`], with another folder name.
    pub fn named(name: &str) -> Self {
        Sandbox::without_git(name).with_git()
    }

    /// Like [`Sandbox::new`], with the project in this new folder, which is not deleted together with the
    /// sandbox.
    pub fn with_project(project: &Path) -> Self {
        Sandbox::around(|_| project.to_owned()).with_git()
    }

    fn with_git(self) -> Self {
        self.write("README.md", "# A project\n");
        self.git(["init", "-q", "-b", "main"]);
        self.git(["add", "-A"]);
        self.git(["commit", "-q", "-m", "first"]);
        self
    }

    /// Creates a sandbox with a folder of this name, without a repository.
    pub fn without_git(name: &str) -> Self {
        Sandbox::around(|base| base.join("w").join(name))
    }

    fn around(project: impl FnOnce(&Path) -> PathBuf) -> Self {
        // The path is short, because socket paths are limited to about 100 bytes. It is resolved, because
        // programs report resolved paths.
        let folder = tempfile::Builder::new().prefix("bc").tempdir().expect("a temporary folder");
        let base = folder.path().canonicalize().expect("the folder exists");
        let project = project(&base);
        for dir in [&project, &base.join("home/.claude"), &base.join("bin"), &base.join("tmp")] {
            fs::create_dir_all(dir).expect("a folder of the sandbox");
        }
        private_dir(&base.join("run"));
        let env = seed::environment(&base);
        let mut sandbox = Sandbox { _folder: folder, root: base.clone(), project, env };
        sandbox.set("PWD", sandbox.project.clone());
        sandbox.seed_claude(&[sandbox.project.as_path()]);
        sandbox
    }

    /// The sandbox's folder, which contains the home folder and, except for [`Sandbox::with_project`], the
    /// project.
    pub fn root(&self) -> PathBuf {
        self.root.clone()
    }

    /// The project's folder.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The value of `HOME`.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// The value of `CLAUDE_CONFIG_DIR`.
    pub fn claude_dir(&self) -> PathBuf {
        self.home().join(".claude")
    }

    /// The first folder of PATH.
    pub fn bin(&self) -> PathBuf {
        self.root().join("bin")
    }

    /// The complete environment of a process in the sandbox.
    pub fn env(&self) -> &BTreeMap<OsString, OsString> {
        &self.env
    }

    /// Sets an environment variable for processes started from now on.
    pub fn set(&mut self, key: impl Into<OsString>, value: impl Into<OsString>) {
        self.env.insert(key.into(), value.into());
    }

    /// Removes an environment variable for processes started from now on.
    pub fn unset(&mut self, key: &str) {
        self.env.remove(&OsString::from(key));
    }

    /// Makes a real program available on PATH under this name.
    pub fn install(&self, name: &str, program: &Path) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(program, self.bin().join(name)).expect("a link in bin");
        #[cfg(not(unix))]
        fs::copy(program, self.bin().join(name).with_extension("exe")).expect("a copy in bin");
    }

    /// Makes a shell script available on PATH under this name (Unix only).
    pub fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.bin().join(name);
        put(&path, &format!("#!/bin/sh\n{body}\n"));
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
        path
    }

    /// Connects the real claude to a scripted API. Claude retries each failed request once.
    pub fn use_api(&mut self, url: &str) {
        self.set("ANTHROPIC_API_KEY", API_KEY);
        self.set("ANTHROPIC_BASE_URL", url);
        self.set("CLAUDE_CODE_MAX_RETRIES", "1");
    }

    /// Writes claude's own settings file as it is after a first start by a user who trusts only these
    /// folders.
    pub fn seed_claude(&self, trusted: &[&Path]) {
        put(&self.claude_dir().join(".claude.json"), &seed::claude_json(trusted));
    }

    /// Writes a file in the project, and creates its parent folders.
    pub fn write(&self, path: &str, text: &str) {
        put(&self.project.join(path), text);
    }

    /// Reads a file in the project.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        let path = self.project.join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
    }

    /// Creates a command that runs a program in the project's folder with only the sandbox's environment.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        // This crate does not depend on other crates of this workspace, so it spawns the process directly.
        #[allow(clippy::disallowed_methods)]
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.project).env_clear().envs(&self.env);
        command.stdin(std::process::Stdio::null());
        command
    }

    /// Runs git in the project and returns its output without trailing newlines.
    ///
    /// # Panics
    /// If git fails.
    #[track_caller]
    pub fn git<const N: usize>(&self, args: [&str; N]) -> String {
        let out = self.command("git").args(args).output().expect("git is installed");
        text_of(&format!("git {args:?}"), &out)
    }
}

/// Returns the standard output of a program without trailing newlines.
///
/// # Panics
/// If the program failed. The message contains `what` and the program's output.
#[track_caller]
pub fn text_of(what: &str, out: &Output) -> String {
    let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{what} failed with {}:\n{stdout}{stderr}", out.status);
    stdout.trim_end_matches('\n').to_owned()
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        cleanup::end_marked(MARK, &self.root().into_os_string());
    }
}

fn put(path: &Path, text: &str) {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).expect("a folder of the sandbox");
    }
    // The store's rules for writing files do not apply to test data.
    #[allow(clippy::disallowed_methods)]
    fs::write(path, text).unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
}

fn private_dir(path: &Path) {
    fs::create_dir_all(path).expect("a folder of the sandbox");
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("a mode");
}

#[cfg(test)]
mod tests;
