//! Reads files from a repository safely.
//!
//! A clone can contain anything under a file name that this program reads: a link to `/dev/zero` or to a
//! private key, a named pipe, ten gigabytes of zeros. All files of a repository are therefore read through
//! this module, which follows three rules:
//! - Only regular files are opened, and opening never blocks ([`crate::file::open_regular`]).
//! - At most a fixed number of bytes is read, depending on the kind of file ([`limits`]).
//! - A link may only point to another file in its repository, and never into `.git`. A linked worktree and
//!   its main tree count as one repository.
//!
//! A link outside of any repository was made by the user and may point anywhere. This module does not run
//! git: it reads the few facts that it needs about a repository from git's own files.

use crate::{
    FileError,
    file::{Refusal, found, open_regular, open_resolved, read_at_most},
    os,
};
use std::{
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
};

/// The size limit of each kind of file, in bytes.
pub mod limits {
    /// `.beads/redirect` and git's one-line files.
    pub const POINTER: u64 = 4 << 10;
    /// Settings: `metadata.json`, `config.yaml`, `.claude/settings.json`.
    pub const SETTINGS: u64 = 4 << 20;
    /// A text file for users or agents: `AGENTS.md`, `MEMORY.md`.
    pub const TEXT: u64 = 4 << 20;
    /// All beads, or all memories, of a project.
    pub const ROWS: u64 = 512 << 20;
    /// A JSON file of a session or of the fleet.
    pub const RECORD: u64 = 64 << 20;
    /// A file of JSON lines that is read line by line.
    pub const LOG: u64 = 4 << 30;
}

/// The maximum number of attempts to open a file while it is being replaced.
const TRIES: usize = 16;

/// Folders that mark the top of a project without git.
const MARKS: [&str; 3] = [".beads", ".chipset", ".claude"];

/// Returns the content of a file in a repository, or `None` if the file does not exist. Files larger than
/// `max` bytes are refused.
///
/// # Errors
///
/// The system's error, or a [`Refusal`] as the error's source.
pub fn read(path: &Path, max: u64) -> Result<Option<Vec<u8>>, FileError> {
    found(path, open(path).and_then(|file| read_at_most(file, max)))
}

/// Returns the first `most` bytes of a file in a repository.
///
/// # Errors
///
/// The same errors as [`open`].
pub fn read_head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a log of at most [`limits::LOG`] bytes for reading line by line.
///
/// # Errors
///
/// The same errors as [`open`], and [`Refusal::TooLarge`].
pub fn open_log(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    match file.metadata()?.len() > limits::LOG {
        true => Err(Refusal::TooLarge { max: limits::LOG }.into()),
        false => Ok(file),
    }
}

/// Opens a file in a repository for reading.
///
/// # Errors
///
/// The system's error, or a [`Refusal`] as the error's source.
pub fn open(path: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        let file = open_regular(path)?;
        if is_at(&file, path) == Some(true) {
            // The kernel's path equals the requested path, so no link was followed.
            return Ok(file);
        }
        let resolved = resolve(path)?;
        let file = open_resolved(&resolved)?;
        if is_at(&file, &resolved) != Some(false) {
            return Ok(file);
        }
    }
    Err(Refusal::Unsteady.into())
}

/// Resolves all links in a path.
///
/// # Errors
///
/// The system's error, or [`Refusal::Outside`] for a link that points out of its repository or into `.git`.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut at = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Prefix(_) | Component::RootDir => at.push(part),
            Component::Normal(name) => {
                let next = at.join(name);
                if !fs::symlink_metadata(&next)?.is_symlink() {
                    at = next;
                    continue;
                }
                let target = next.canonicalize().map(bc_core::paths::plain)?;
                if Repository::around(&at).is_some_and(|repository| !repository.holds(&target)) {
                    return Err(Refusal::Outside { target }.into());
                }
                at = target;
            }
        }
    }
    Ok(at)
}

/// Checks, before a write, that links in the folder's path do not point out of the repository. A missing
/// folder is accepted.
///
/// # Errors
///
/// The system's error, or a [`Refusal`] as the error's source.
pub fn check_folder(path: &Path) -> Result<(), FileError> {
    found(path, resolve(path)).map(drop)
}

/// Whether the open file is at this path and no link was followed. Returns `None` if the system does not
/// report the path.
fn is_at(file: &File, path: &Path) -> Option<bool> {
    let real = os::opened_path(file)?;
    // The Linux kernel appends this suffix to the path of a removed or replaced file.
    let mut removed = path.as_os_str().to_owned();
    removed.push(" (deleted)");
    Some(bc_core::paths::same(&real, path) || real.as_os_str() == removed)
}

/// A working tree, with the main tree if it is a linked worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    top: PathBuf,
    main: Option<PathBuf>,
}

impl Repository {
    /// Finds the repository that contains `folder`. The folder's path must not contain links. Without a git
    /// repository, finds the enclosing project folder; returns `None` if that does not exist either.
    pub fn around(folder: &Path) -> Option<Repository> {
        let with = |names: &[&str]| {
            let has = |folder: &&Path| names.iter().any(|name| folder.join(name).symlink_metadata().is_ok());
            folder.ancestors().find(has).map(Path::to_owned)
        };
        match with(&[".git"]) {
            Some(top) => Some(Repository { main: main_tree(&top), top }),
            None => with(&MARKS).map(|top| Repository { top, main: None }),
        }
    }

    /// Returns the top folder of the working tree, or the project folder if the project does not use git.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Whether a path is in the working tree or the main tree, and not in `.git`. The path must not contain
    /// links.
    pub fn holds(&self, path: &Path) -> bool {
        let inside = |tree: &PathBuf| {
            bc_core::paths::inside(path, tree).is_some_and(|inside| inside.iter().all(|part| part != ".git"))
        };
        inside(&self.top) || self.main.as_ref().is_some_and(inside)
    }

    /// Whether this working tree is a linked worktree.
    pub fn is_linked(&self) -> bool {
        self.main.is_some()
    }

    /// Whether git's index lists this file, which means that the file may come from a clone. In doubt returns
    /// true: if the index is too large, unreadable or in version 4, which abbreviates names, if it lists a longer
    /// path that ends with this one, or if the path is not UTF-8 or not in the tree. Returns false if the index is
    /// missing or cannot be opened.
    pub fn tracks(&self, file: &Path) -> bool {
        let Some(index) = self.git_dir().and_then(|git| open_regular(&git.join("index")).ok()) else {
            return false;
        };
        let Ok(bytes) = read_at_most(index, limits::ROWS) else { return true };
        let Some(name) = file.strip_prefix(&self.top).ok().and_then(Path::to_str) else { return true };
        let abbreviates = bytes.get(4..8).is_none_or(|version| version == [0, 0, 0, 4]);
        let entry = [name.replace('\\', "/").as_bytes(), b"\0"].concat();
        abbreviates || memchr::memmem::find(&bytes, &entry).is_some()
    }

    /// Returns the git folder of this working tree.
    fn git_dir(&self) -> Option<PathBuf> {
        let dot = self.top.join(".git");
        match dot.is_dir() {
            true => Some(dot),
            false => Some(self.top.join(line(&dot)?.strip_prefix("gitdir: ")?)),
        }
    }

    /// Whether both working trees belong to the same repository.
    pub fn is_same(&self, other: &Repository) -> bool {
        let main = |repository: &Repository| repository.main.clone().unwrap_or(repository.top.clone());
        main(self) == main(other)
    }
}

/// Returns the content of one of git's one-line files.
fn line(path: &Path) -> Option<String> {
    let bytes = read_at_most(open_resolved(path).ok()?, limits::POINTER).ok()?;
    Some(String::from_utf8(bytes).ok()?.trim_end().to_owned())
}

/// Returns the main tree of a linked worktree, in which `.git` is a file. The worktree and the main tree must
/// refer to each other, because a `.git` file alone could be forged.
fn main_tree(top: &Path) -> Option<PathBuf> {
    let dot = top.join(".git");
    let own =
        top.join(line(&dot)?.strip_prefix("gitdir: ")?).canonicalize().map(bc_core::paths::plain).ok()?;
    let back = own.join(line(&own.join("gitdir"))?).canonicalize().map(bc_core::paths::plain).ok()?;
    let git = own.parent().filter(|folder| folder.ends_with("worktrees"))?.parent()?;
    (back == dot && git.ends_with(".git")).then(|| git.parent().map(Path::to_owned)).flatten()
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
