//! Copies and links uncommitted files from the project's folder into a new worktree. Invariants: no file
//! outside the project is read, and nothing outside the worktree is written, even through links.

use crate::context::paths::{canonical, canonical_or_same};
use bc_core::{fleet::FleetSettings, worktree::inside};
use bc_git::Repo;
use bc_wire::{ApiError, ErrorCode};
use std::{
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// The maximum size of a file that is compared, in bytes; larger files count as changed.
const COMPARE_MAX_BYTES: u64 = 8 << 20;
/// The prefix of the names of incomplete copies.
const PARTIAL_PREFIX: &str = ".beads-console-half-";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Copy,
    Link,
}

/// Copies and links the configured files, unless they already exist; returns warnings. `root` is the
/// project's folder, `folder` the corresponding folder in the worktree.
pub(super) fn copy_and_link(
    settings: &FleetSettings,
    root: &Path,
    folder: &Path,
    tree: &Repo,
) -> Result<Vec<String>, ApiError> {
    let mut notes = Vec::new();
    let root = canonical(root).map_err(|e| transfer_error(root, &e))?;
    for (name, transfer) in transfers(settings) {
        inside(name).map_err(|e| ApiError::new(ErrorCode::Usage, e.to_string()))?;
        let created = transfer_one(&root, folder, tree, name, transfer, &mut notes)?;
        if let Some(path) = created.filter(|path| !tree.is_ignored(path).unwrap_or(true)) {
            notes.push(format!(
                "{} is not ignored by git in the worktree and may be committed by mistake",
                path.strip_prefix(tree.top_level()).unwrap_or(&path).display()
            ));
        }
    }
    Ok(notes)
}

fn transfers(settings: &FleetSettings) -> impl Iterator<Item = (&str, Transfer)> {
    let copies = settings.worktree_copy.iter().map(|name| (name.as_str(), Transfer::Copy));
    copies.chain(settings.worktree_link.iter().map(|name| (name.as_str(), Transfer::Link)))
}

/// Copies or links one file or folder; returns its new path if it was created.
fn transfer_one(
    root: &Path,
    folder: &Path,
    tree: &Repo,
    name: &str,
    transfer: Transfer,
    notes: &mut Vec<String>,
) -> Result<Option<PathBuf>, ApiError> {
    let source = match canonical(&root.join(name)) {
        Ok(source) => source,
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "it does not exist".to_owned(),
                _ => error.to_string(),
            };
            notes.push(format!("{name:?} was not added to the worktree: {why}"));
            return Ok(None);
        }
    };
    if !source.starts_with(root) || source == *root || tree.top_level().starts_with(&source) {
        notes.push(format!(
            "{name:?} was not added to the worktree: it is outside the project, or contains the worktree"
        ));
        return Ok(None);
    }
    let target = target_of(folder, name);
    // A file that exists on the branch is kept.
    if target.symlink_metadata().is_ok() {
        return Ok(None);
    }
    if !create_parents(folder, &target).map_err(|e| transfer_error(&target, &e))? {
        notes.push(format!("{name:?} was not added to the worktree: a link on the branch leads out of it"));
        return Ok(None);
    }
    let done = match transfer {
        Transfer::Link => link(&source, &target),
        Transfer::Copy => copy_atomically(&source, &target),
    };
    done.map_err(|e| transfer_error(&target, &e))?;
    Ok(Some(target))
}

fn target_of(folder: &Path, name: &str) -> PathBuf {
    let parts = Path::new(name).components().filter(|part| matches!(part, Component::Normal(_)));
    folder.join(parts.collect::<PathBuf>())
}

/// Creates the parent folders of `target`; `false` if a parent is not a folder, such as a link.
fn create_parents(folder: &Path, target: &Path) -> io::Result<bool> {
    let above = target.parent().and_then(|parent| parent.strip_prefix(folder).ok()).unwrap_or(Path::new(""));
    let mut at = folder.to_owned();
    for part in above.components() {
        at.push(part);
        match at.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(_) => fs::create_dir(&at)?,
        }
    }
    Ok(true)
}

/// Copies to a temporary name first, so that an interrupted copy is not mistaken for a complete copy.
fn copy_atomically(from: &Path, to: &Path) -> io::Result<()> {
    let mut name = OsString::from(PARTIAL_PREFIX);
    name.push(to.file_name().unwrap_or_default());
    let partial = to.with_file_name(name);
    match partial.symlink_metadata() {
        Ok(left) if left.is_dir() => fs::remove_dir_all(&partial)?,
        Ok(_) => fs::remove_file(&partial)?,
        Err(_) => {}
    }
    copy(from, &partial)?;
    fs::rename(&partial, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = from.symlink_metadata()?;
    if metadata.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return fs::set_permissions(to, metadata.permissions());
    }
    if metadata.is_symlink() {
        // Copy links unchanged, without following them.
        return link(&fs::read_link(from)?, to);
    }
    match metadata.is_file() {
        true => fs::copy(from, to).map(drop),
        // Pipes and sockets are not copied.
        false => Ok(()),
    }
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    match to.is_dir() {
        true => std::os::windows::fs::symlink_dir(to, at),
        false => std::os::windows::fs::symlink_file(to, at),
    }
}

fn transfer_error(path: &Path, error: &io::Error) -> ApiError {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
        _ => ErrorCode::Io,
    };
    ApiError::new(code, format!("{} could not be added to the worktree: {error}", path.display()))
}

#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Unchanged copies of files, and unchanged links.
    pub(super) same: Vec<PathBuf>,
    /// Copies that now differ from the project's files.
    pub(super) changed: Vec<PathBuf>,
}

/// Compares a worktree's copies and links with the project. Copied folders are not compared.
pub(super) fn compare(settings: &FleetSettings, root: &Path, folder: &Path) -> Comparison {
    let mut comparison = Comparison::default();
    let root = canonical_or_same(root);
    for (name, transfer) in transfers(settings).filter(|(name, _)| inside(name).is_ok()) {
        let (source, target) = (canonical(&root.join(name)), target_of(folder, name));
        let (Ok(source), Ok(metadata)) = (source, target.symlink_metadata()) else { continue };
        let same = match transfer {
            Transfer::Link => metadata.is_symlink() && fs::read_link(&target).is_ok_and(|to| to == source),
            Transfer::Copy => is_same_file(&source, &target),
        };
        match same {
            true => comparison.same.push(target),
            // Folders are not compared, because they can be huge.
            false if metadata.is_file() && transfer == Transfer::Copy => comparison.changed.push(target),
            false => {}
        }
    }
    comparison
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(a), Ok(b)) = (one.symlink_metadata(), other.symlink_metadata()) else { return false };
    if a.is_file() && b.is_file() {
        return a.len() == b.len()
            && a.len() <= COMPARE_MAX_BYTES
            && matches!((fs::read(one), fs::read(other)), (Ok(a), Ok(b)) if a == b);
    }
    false
}
