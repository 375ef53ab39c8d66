//! What a new worktree gets of the project's folder beside what is committed: copies and links. Nothing outside the
//! project is read, and nothing outside the worktree is written, whatever links a branch or the project has.

use bc_core::{fleet::FleetSettings, worktree::inside};
use bc_git::Repo;
use bc_wire::{ApiError, ErrorCode};
use std::{
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Files longer than this are not compared.
const COMPARED: u64 = 8 << 20;
/// How the name begins of what is not there whole yet.
const HALF: &str = ".beads-console-half-";

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Copy,
    Link,
}

/// Gives a worktree what it is to have; returns what to know besides. `root` is the project's folder, `here` the
/// folder of the same place in the worktree.
pub(super) fn give(
    settings: &FleetSettings,
    root: &Path,
    here: &Path,
    tree: &Repo,
) -> Result<Vec<String>, ApiError> {
    let mut notes = Vec::new();
    let root = root.canonicalize().map_err(|e| failed(root, &e))?;
    for (name, how) in listed(settings) {
        inside(name).map_err(|e| ApiError::new(ErrorCode::Usage, e.to_string()))?;
        let given = one(&root, here, tree, name, how, &mut notes)?;
        if let Some(path) = given.filter(|path| !tree.is_ignored(path).unwrap_or(true)) {
            notes.push(format!(
                "{} is not ignored by git in the worktree and may be committed there",
                path.strip_prefix(tree.top_level()).unwrap_or(&path).display()
            ));
        }
    }
    Ok(notes)
}

fn listed(settings: &FleetSettings) -> impl Iterator<Item = (&str, How)> {
    let copies = settings.worktree_copy.iter().map(|name| (name.as_str(), How::Copy));
    copies.chain(settings.worktree_link.iter().map(|name| (name.as_str(), How::Link)))
}

/// Where it is now, if it was given.
fn one(
    root: &Path,
    here: &Path,
    tree: &Repo,
    name: &str,
    how: How,
    notes: &mut Vec<String>,
) -> Result<Option<PathBuf>, ApiError> {
    let wanted = root.join(name);
    let source = match wanted.canonicalize() {
        Ok(source) => source,
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "it is not there".to_owned(),
                _ => error.to_string(),
            };
            notes.push(format!("{name:?} was not given to the worktree: {why}"));
            return Ok(None);
        }
    };
    if !source.starts_with(root) || source == *root || tree.top_level().starts_with(&source) {
        notes.push(format!(
            "{name:?} was not given to the worktree: it leads out of the project, or holds the worktree"
        ));
        return Ok(None);
    }
    let place = plain(here, name);
    // What the branch has itself stays.
    if place.symlink_metadata().is_ok() {
        return Ok(None);
    }
    if !make_way(here, &place).map_err(|e| failed(&place, &e))? {
        notes.push(format!("{name:?} was not given to the worktree: a link of the branch leads out there"));
        return Ok(None);
    }
    let done = match how {
        How::Link => link(&source, &place),
        How::Copy => copy_whole(&source, &place),
    };
    done.map_err(|e| failed(&place, &e))?;
    Ok(Some(place))
}

fn plain(here: &Path, name: &str) -> PathBuf {
    let parts = Path::new(name).components().filter(|part| matches!(part, Component::Normal(_)));
    here.join(parts.collect::<PathBuf>())
}

/// Makes the folders above `place`; false where one of them is a link.
fn make_way(here: &Path, place: &Path) -> io::Result<bool> {
    let above = place.parent().and_then(|parent| parent.strip_prefix(here).ok()).unwrap_or(Path::new(""));
    let mut at = here.to_owned();
    for part in above.components() {
        at.push(part);
        match at.symlink_metadata() {
            Ok(there) if there.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(_) => fs::create_dir(&at)?,
        }
    }
    Ok(true)
}

/// Beside its place first: what a kill left half there would be taken for the whole.
fn copy_whole(from: &Path, to: &Path) -> io::Result<()> {
    let mut name = OsString::from(HALF);
    name.push(to.file_name().unwrap_or_default());
    let half = to.with_file_name(name);
    match half.symlink_metadata() {
        Ok(left) if left.is_dir() => fs::remove_dir_all(&half)?,
        Ok(_) => fs::remove_file(&half)?,
        Err(_) => {}
    }
    copy(from, &half)?;
    fs::rename(&half, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let there = from.symlink_metadata()?;
    if there.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return fs::set_permissions(to, there.permissions());
    }
    if there.is_symlink() {
        // As it is: what it leads to is not followed.
        return link(&fs::read_link(from)?, to);
    }
    match there.is_file() {
        true => fs::copy(from, to).map(drop),
        // A pipe or a socket belongs to whoever made it.
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

fn failed(path: &Path, error: &io::Error) -> ApiError {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
        _ => ErrorCode::Io,
    };
    ApiError::new(code, format!("{} could not be given to the worktree: {error}", path.display()))
}

/// Of what a worktree was given: what is as it was, and the copies that were changed.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Their places.
    pub(super) same: Vec<PathBuf>,
    /// Theirs.
    pub(super) changed: Vec<PathBuf>,
}

/// Compares what a worktree was given with the project's.
pub(super) fn kept(settings: &FleetSettings, root: &Path, here: &Path) -> Kept {
    let mut kept = Kept::default();
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    for (name, how) in listed(settings).filter(|(name, _)| inside(name).is_ok()) {
        let (source, place) = (root.join(name).canonicalize(), plain(here, name));
        let (Ok(source), Ok(there)) = (source, place.symlink_metadata()) else { continue };
        let same = match how {
            How::Link => there.is_symlink() && fs::read_link(&place).is_ok_and(|to| to == source),
            How::Copy => same(&source, &place),
        };
        match same {
            true => kept.same.push(place),
            // What became of a folder of copies is not told: it may be a giant.
            false if there.is_file() && how == How::Copy => kept.changed.push(place),
            false => {}
        }
    }
    kept
}

fn same(one: &Path, other: &Path) -> bool {
    let (Ok(a), Ok(b)) = (one.symlink_metadata(), other.symlink_metadata()) else { return false };
    if a.is_file() && b.is_file() {
        return a.len() == b.len()
            && a.len() <= COMPARED
            && matches!((fs::read(one), fs::read(other)), (Ok(a), Ok(b)) if a == b);
    }
    false
}
