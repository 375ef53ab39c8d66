//! Runs the git program with our environment variables and settings.
//!
//! Commands that only read take no optional locks, so that they never block a git process of the user or of claude.

use crate::error::GitError;
use bc_core::text;
use bc_process::{
    find::find,
    run::{Finished, Program, RunError},
};
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The time limits for commands that read or change: enough for a big repository on a slow disk.
const READ: Duration = Duration::from_secs(60);
const CHANGE: Duration = Duration::from_secs(600);

/// The maximum output size of a run in bytes, except for [`Git::read_blob`].
const OUTPUT_MAX: usize = 64 << 20;
/// The maximum size in bytes of a file that is read from a commit. A backup contains whole conversations as
/// files.
const BLOB_MAX: usize = 2 << 30;

/// Environment variables that would point git at other files or change its output. Some are set inside a git
/// hook, for example. Every run removes the inherited values.
pub const INHERITED_VARIABLES: [&str; 12] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_TRACE",
];

/// Settings that keep git from running programs of the repository, and that make its behaviour and output
/// depend less on the user's configuration. A hooks path that is not a folder disables hooks on every system.
/// Garbage collection is off because it would run `gc.recentObjectsHook`, and signatures because they would
/// run `gpg.program`.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.pager=cat",
    "log.showSignature=false",
    "merge.verifySignatures=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "worktree.guessRemote=false",
    "advice.detachedHead=false",
];

/// A private index, which git reads and writes instead of the user's index.
#[derive(Debug)]
pub(crate) struct PrivateIndex {
    pub(crate) path: PathBuf,
    /// The deadline of all git runs on this index.
    pub(crate) until: Instant,
    /// Additional environment variables.
    pub(crate) env: Vec<(&'static str, String)>,
}

/// The git program to use.
#[derive(Debug, Clone)]
pub struct Git {
    program: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Git {
    /// The git in PATH, but never one in the current folder.
    pub fn find() -> Result<Git, GitError> {
        find("git", None).map(Git::at).ok_or(GitError::GitMissing)
    }

    /// The git at this path, which is not checked.
    pub fn at(program: impl Into<PathBuf>) -> Git {
        Git { program: program.into(), env: Vec::new() }
    }

    /// Sets an environment variable for every run.
    pub fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Git {
        self.env.push((key.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// The value of an environment variable as git sees it.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let own = self.env.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        own.or_else(|| std::env::var_os(name))
    }

    /// The path that [`Git::find`] found or [`Git::at`] was given.
    pub fn path(&self) -> &Path {
        &self.program
    }

    /// The program's version, such as `2.39.5`.
    pub fn version(&self) -> Result<String, GitError> {
        let done = self.read("report its version", Path::new("."), ["version"])?;
        let line = done.out();
        let version = line.trim().strip_prefix("git version ").and_then(|v| v.split(' ').next());
        version.map(str::to_owned).ok_or_else(|| GitError::Unreadable {
            doing: "report its version",
            dir: PathBuf::from("."),
            what: text::cut(&text::one_line(&line), 120),
        })
    }

    /// Runs a git command that only reads. Does not check the exit code.
    pub(crate) fn ask<S: AsRef<OsStr>>(
        &self,
        doing: &'static str,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<Finished, GitError> {
        let args: Vec<S> = args.into_iter().collect();
        self.check_programs(dir, &args)?;
        self.ask_unchecked(doing, dir, &args)
    }

    /// Like [`Git::ask`], but does not check the repository's programs. Only for commands that never run
    /// them.
    pub(crate) fn ask_unchecked<S: AsRef<OsStr>>(
        &self,
        doing: &'static str,
        dir: &Path,
        args: &[S],
    ) -> Result<Finished, GitError> {
        self.run(doing, dir, self.prepared(READ).env("GIT_OPTIONAL_LOCKS", "0").args(args))
    }

    /// Runs a git command that only reads. Fails if git does.
    pub(crate) fn read<S: AsRef<OsStr>>(
        &self,
        doing: &'static str,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<Finished, GitError> {
        succeeded(doing, dir, self.ask(doing, dir, args)?)
    }

    /// Reads a file of a commit, with a higher limit than for other output.
    pub(crate) fn read_blob(&self, dir: &Path, blob: &str) -> Result<Vec<u8>, GitError> {
        const DOING: &str = "read a file of a commit";
        let args = ["cat-file", "blob", blob];
        self.check_programs(dir, &args)?;
        let program = self.prepared(CHANGE).env("GIT_OPTIONAL_LOCKS", "0").args(args);
        Ok(succeeded(DOING, dir, self.run_up_to(BLOB_MAX, DOING, dir, program)?)?.stdout)
    }

    /// Runs a git command that changes the repository or the tree. Does not check the exit code.
    pub(crate) fn change<S: AsRef<OsStr>>(
        &self,
        doing: &'static str,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<Finished, GitError> {
        let args: Vec<S> = args.into_iter().collect();
        self.check_programs(dir, &args)?;
        self.run(doing, dir, self.prepared(CHANGE).args(&args))
    }

    /// Like [`Git::change`], but fails if git does.
    pub(crate) fn execute<S: AsRef<OsStr>>(
        &self,
        doing: &'static str,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<(), GitError> {
        succeeded(doing, dir, self.change(doing, dir, args)?).map(drop)
    }

    /// Like [`Git::change`], but with standard input and additional environment variables.
    pub(crate) fn make(
        &self,
        doing: &'static str,
        dir: &Path,
        args: &[&str],
        input: &[u8],
        env: &[(&str, &str)],
    ) -> Result<Finished, GitError> {
        self.check_programs(dir, args)?;
        let mut program = self.prepared(CHANGE).args(args).stdin(input.to_vec());
        for (key, value) in env {
            program = program.env(key, value);
        }
        self.run(doing, dir, program)
    }

    /// Runs a git command on a private index, until its deadline. The caller has checked the repository's programs
    /// ([`Git::check_programs`]), once for all runs of a checkpoint or restore.
    pub(crate) fn on_private_index(
        &self,
        doing: &'static str,
        dir: &Path,
        args: &[&str],
        input: Vec<u8>,
        private: &PrivateIndex,
    ) -> Result<Finished, GitError> {
        let left = private.until.saturating_duration_since(Instant::now());
        let mut program = self.prepared(left.max(Duration::from_millis(1))).args(args).stdin(input);
        program = program.env("GIT_INDEX_FILE", &private.path);
        for (key, value) in &private.env {
            program = program.env(key, value);
        }
        self.run(doing, dir, program)
    }

    /// Runs a git command that only reads, without our setting that disables hooks.
    pub(crate) fn with_users_hooks<'a>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = &'a str>,
    ) -> Result<Finished, GitError> {
        let kept: Vec<_> =
            SETTINGS.iter().filter(|setting| !setting.starts_with("core.hooksPath=")).copied().collect();
        self.run("find the hooks", dir, self.prepared_with(READ, &kept).args(args))
    }

    /// Variables that apply our settings to another program's git, so that hooks, for example, do not run, and
    /// that keep it from prompting.
    pub fn safe_settings() -> Vec<(String, String)> {
        let pairs = SETTINGS.iter().filter_map(|setting| setting.split_once('=')).enumerate();
        let mut vars: Vec<(String, String)> = pairs
            .flat_map(|(n, (key, value))| {
                [
                    (format!("GIT_CONFIG_KEY_{n}"), key.to_owned()),
                    (format!("GIT_CONFIG_VALUE_{n}"), value.to_owned()),
                ]
            })
            .collect();
        vars.push(("GIT_CONFIG_COUNT".to_owned(), SETTINGS.len().to_string()));
        vars.push(("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned()));
        vars
    }

    pub(crate) fn prepared(&self, timeout: Duration) -> Program {
        self.prepared_with(timeout, SETTINGS)
    }

    fn prepared_with(&self, timeout: Duration, settings: &[&str]) -> Program {
        let mut program = Program::new(&self.program)
            .timeout(timeout)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_PAGER", "cat")
            .env("GIT_EDITOR", "true")
            .arg("--literal-pathspecs");
        for name in INHERITED_VARIABLES {
            program = program.env_remove(name);
        }
        for (key, value) in &self.env {
            program = program.env(key, value);
        }
        for setting in settings {
            program = program.arg("-c").arg(setting);
        }
        program
    }

    pub(crate) fn run(
        &self,
        doing: &'static str,
        dir: &Path,
        program: Program,
    ) -> Result<Finished, GitError> {
        self.run_up_to(OUTPUT_MAX, doing, dir, program)
    }

    fn run_up_to(
        &self,
        most: usize,
        doing: &'static str,
        dir: &Path,
        program: Program,
    ) -> Result<Finished, GitError> {
        let done = program.cwd(dir).cap(most).run().map_err(|source| match source {
            RunError::NotFound { .. } => GitError::GitMissing,
            _ if !dir.is_dir() => GitError::NoFolder { path: dir.to_owned() },
            source => GitError::Run { doing, dir: dir.to_owned(), source },
        })?;
        if done.truncated {
            let what = format!("it is longer than {} MiB", most >> 20);
            return Err(GitError::Unreadable { doing, dir: dir.to_owned(), what });
        }
        Ok(done)
    }
}

/// Fails if git did.
pub(crate) fn succeeded(doing: &'static str, dir: &Path, done: Finished) -> Result<Finished, GitError> {
    if done.ok() { Ok(done) } else { Err(refusal(doing, dir, &done)) }
}

/// Maps git's message to an error.
pub(crate) fn refusal(doing: &'static str, dir: &Path, done: &Finished) -> GitError {
    let said = done.err();
    let path = dir.to_owned();
    if said.contains("not a git repository") {
        return GitError::NotARepository { path };
    }
    if said.contains("dubious ownership") {
        return GitError::OtherOwner { path };
    }
    if let Some(lock) = lock_in(&said).map(|lock| dir.join(lock)) {
        let made = lock.symlink_metadata().and_then(|found| found.modified());
        // After a clock change, the age may be negative: treat it as unknown.
        let age = made.ok().and_then(|made| made.elapsed().ok());
        return GitError::Busy { lock, age };
    }
    let said = text::cut(&text::one_line(&said), 500);
    let said = if said.is_empty() { format!("it ended with code {:?}", done.code) } else { said };
    GitError::Failed { doing, dir: path, said }
}

/// The path of the lock file that already exists, according to git's message.
fn lock_in(said: &str) -> Option<PathBuf> {
    if let Some((before, _)) = said.split_once(".lock': File exists") {
        let (_, path) = before.rsplit_once("Unable to create '")?;
        return Some(PathBuf::from(format!("{path}.lock")));
    }
    let (_, rest) = said.split_once("could not lock config file ")?;
    let (path, _) = rest.split_once(": File exists")?;
    Some(PathBuf::from(format!("{path}.lock")))
}

#[cfg(unix)]
pub(crate) fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(windows)]
pub(crate) fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Git's output without its last line terminator. A path in the output may contain other line breaks.
pub(crate) fn line(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if cfg!(windows) { bytes.strip_suffix(b"\r").unwrap_or(bytes) } else { bytes }
}

/// Like [`line`], as text.
pub(crate) fn text_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(line(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    #[test]
    fn the_git_version_is_read() {
        let version = Sandbox::new().git().version().unwrap();
        assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{version}");
    }

    #[test]
    fn nothing_starts_a_garbage_collection_or_a_signature() {
        let sandbox = Sandbox::with_commit();
        for (key, ours) in [
            ("gc.auto", "0"),
            ("maintenance.auto", "false"),
            ("commit.gpgSign", "false"),
            ("merge.verifySignatures", "false"),
        ] {
            sandbox.run(&["config", key, "1"]);
            let seen = sandbox.git().read("ask", sandbox.root(), ["config", "--get", key]).unwrap();
            assert_eq!(seen.out().trim(), ours, "{key}");
        }
    }

    #[test]
    fn a_missing_git_is_its_own_error() {
        let error = Git::at("/nowhere/git").version().unwrap_err();
        assert!(matches!(error, GitError::GitMissing), "{error}");
        assert!(error.to_string().contains("install"), "{error}");
    }
}
