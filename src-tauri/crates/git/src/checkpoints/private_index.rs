//! A private copy of the user's index, in our folder in the working tree's git folder, and the removal of
//! files that killed processes left in our folder.

use crate::{
    error::GitError,
    program::{PrivateIndex, line, path_from},
    repo::Repo,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant, SystemTime},
};

/// The name of our folder in the git folder of a working tree.
const FOLDER: &str = "beads-console";

/// The age at which a file in our folder counts as left by a killed process: no checkpoint or restore takes
/// longer.
const LEFT_AFTER: Duration = Duration::from_secs(1_800);

/// A private index. Dropping it removes its file.
#[derive(Debug)]
pub(super) struct IndexCopy(pub(super) PrivateIndex);

impl Drop for IndexCopy {
    fn drop(&mut self) {
        let lock = lock_of(&self.0.path);
        for path in [&self.0.path, &lock] {
            // If this fails, `remove_old` removes the file later.
            let _ = fs::remove_file(path);
        }
    }
}

fn lock_of(index: &Path) -> PathBuf {
    let mut name = index.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// A file name that no other process or thread uses.
pub(super) fn unused_name(kind: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |age| age.as_nanos());
    format!("{kind}-{}-{nanos:x}-{count}", std::process::id())
}

impl Repo {
    /// The git folder of this working tree.
    pub(crate) fn own_git_dir(&self) -> Result<PathBuf, GitError> {
        let dot = self.top_level().join(".git");
        if dot.is_dir() && !dot.is_symlink() {
            return Ok(dot);
        }
        let args = ["rev-parse", "--absolute-git-dir"];
        let done = self.git().read("find the worktree", self.top_level(), args)?;
        Ok(path_from(line(&done.stdout)))
    }

    /// Our folder in the git folder of this working tree, created if missing. Removes old files of killed processes.
    pub(super) fn private_folder(&self) -> Result<PathBuf, GitError> {
        let folder = self.own_git_dir()?.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|source| self.io("create", &folder, &source))?;
        remove_old(&folder);
        Ok(folder)
    }

    /// A private copy of the user's index; an empty index if the user has none.
    pub(super) fn copy_index(&self, until: Instant) -> Result<IndexCopy, GitError> {
        let index = self.own_git_dir()?.join("index");
        let copy = self.empty_index(until)?;
        match copy_with_time(&index, &copy.0.path) {
            Ok(()) => Ok(copy),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(copy),
            Err(error) => Err(self.io("copy", &index, &error)),
        }
    }

    /// An empty private index, whose file does not exist yet.
    pub(super) fn empty_index(&self, until: Instant) -> Result<IndexCopy, GitError> {
        let path = self.private_folder()?.join(unused_name("index"));
        Ok(IndexCopy(PrivateIndex { path, until, env: Vec::new() }))
    }

    pub(super) fn io(&self, doing: &str, path: &Path, error: &io::Error) -> GitError {
        let said = format!("cannot {doing} {}: {error}", path.display());
        GitError::Failed { doing: "keep a checkpoint", dir: self.top_level().to_owned(), said }
    }
}

/// Copies an index with its modification time. Git compares that time with the files' times to detect files that
/// changed right after they were added.
fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    let source = fs::File::open(from)?;
    let changed = source.metadata()?.modified()?;
    let mut source = io::BufReader::with_capacity(1 << 20, source);
    let mut copy = fs::OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(&mut source, &mut copy)?;
    copy.set_modified(changed)
}

/// Removes files and folders that killed processes left.
fn remove_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(found) = entry.metadata() else { continue };
        let age = found.modified().ok().and_then(|time| time.elapsed().ok());
        if age.is_none_or(|age| age < LEFT_AFTER) {
            continue;
        }
        // Leftovers are harmless; the next run tries again.
        let _ = match found.is_dir() {
            true => fs::remove_dir_all(entry.path()),
            false => fs::remove_file(entry.path()),
        };
    }
}
