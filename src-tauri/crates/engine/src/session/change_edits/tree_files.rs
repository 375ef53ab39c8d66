//! Reads, stores and writes the exact state of single files in a working tree.
//!
//! Invariant: no path leads out of the tree, and a folder is never replaced.

use crate::context::errors::{file_error, git_error};
use bc_git::{ObjectId, Repo};
use bc_store::file;
use bc_wire::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use std::{
    io,
    path::{Component, Path, PathBuf},
};

/// The maximum size of a file whose state is read, in bytes.
const MOST: u64 = 256 << 20;

/// The kind of a file, as git distinguishes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    File,
    Executable,
    Link,
}

/// The exact state of a path: its kind, and its content or link target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileState {
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

/// A state whose content is stored as a blob in the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredState {
    pub(super) kind: Kind,
    pub(super) blob: String,
}

/// The absolute path of a file in the tree.
///
/// # Errors
/// The path leads out of the tree, through a file or link, or into `.git`, or one of its folders cannot be
/// read.
pub(super) fn path_in_tree(repo: &Repo, path: &str) -> Result<PathBuf, ApiError> {
    let refused = |why: &str| {
        ApiError::new(ErrorCode::FileRefused, format!("{}: {why}", bc_core::text::one_line(path)))
    };
    let relative = Path::new(path);
    let is_allowed =
        |part: Component<'_>| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git"));
    if path.is_empty() || !relative.components().all(is_allowed) {
        return Err(refused("not a path inside the repository"));
    }
    let mut folder = repo.top_level().to_owned();
    let mut parts: Vec<_> = relative.iter().collect();
    parts.pop();
    for part in parts {
        folder.push(part);
        match folder.symlink_metadata() {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(refused("a part of its path is now a file or a link")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(refused(&error.kind().to_string())),
        }
    }
    Ok(repo.top_level().join(relative))
}

/// The state of a path; `None` if the path does not exist.
pub(super) fn state(path: &Path) -> Result<Option<FileState>, ApiError> {
    let failed = |what: String| ApiError::new(ErrorCode::FileRefused, format!("{}: {what}", path.display()));
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.kind().to_string())),
    };
    if meta.is_symlink() {
        let target = std::fs::read_link(path).map_err(|error| failed(error.kind().to_string()))?;
        return Ok(Some(FileState { kind: Kind::Link, bytes: target.into_os_string().into_encoded_bytes() }));
    }
    if !meta.is_file() {
        return Err(failed("it is a folder or a special file".to_owned()));
    }
    let bytes = bc_store::repository::read(path, MOST).map_err(file_error)?.unwrap_or_default();
    let kind = if is_executable(&meta) { Kind::Executable } else { Kind::File };
    Ok(Some(FileState { kind, bytes }))
}

pub(super) fn store(repo: &Repo, state: &FileState) -> Result<(StoredState, ObjectId), ApiError> {
    let blob = repo.write_blob(&state.bytes).map_err(git_error)?;
    Ok((StoredState { kind: state.kind, blob: blob.as_str().to_owned() }, blob))
}

/// Writes a state to its path, or removes the file if `wanted` is `None`.
pub(super) fn write(path: &Path, wanted: Option<&FileState>) -> Result<(), ApiError> {
    let now = state(path)?;
    if now.as_ref() == wanted {
        return Ok(());
    }
    let Some(wanted) = wanted else { return file::remove(path).map_err(file_error) };
    if let Some(folder) = path.parent() {
        file::create_open_dir(folder).map_err(file_error)?;
    }
    // A replaced file keeps its permissions, and a link cannot be written like a file: remove the old file first.
    if wanted.kind == Kind::Link || now.as_ref().is_some_and(|now| now.kind != wanted.kind) {
        file::remove(path).map_err(file_error)?;
    }
    match wanted.kind {
        Kind::Link => link(path, &wanted.bytes),
        kind => {
            file::replace_open(path, &wanted.bytes).map_err(file_error)?;
            if kind == Kind::Executable { make_executable(path) } else { Ok(()) }
        }
    }
}

#[cfg(unix)]
fn is_executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), ApiError> {
    use std::os::unix::fs::PermissionsExt;
    let changed = path.metadata().and_then(|meta| {
        let mode = meta.permissions().mode();
        // Like git, make the file executable for every user who can read it.
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode | ((mode & 0o444) >> 2)))
    });
    changed.map_err(|error| not_written(path, &error))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), ApiError> {
    Ok(())
}

#[cfg(unix)]
fn link(path: &Path, target: &[u8]) -> Result<(), ApiError> {
    use std::os::unix::ffi::OsStrExt;
    let target = std::ffi::OsStr::from_bytes(target);
    std::os::unix::fs::symlink(target, path).map_err(|error| not_written(path, &error))
}

#[cfg(not(unix))]
fn link(path: &Path, _: &[u8]) -> Result<(), ApiError> {
    Err(not_written(path, &io::ErrorKind::Unsupported.into()))
}

fn not_written(path: &Path, error: &io::Error) -> ApiError {
    ApiError::new(ErrorCode::Io, format!("{} could not be written: {}", path.display(), error.kind()))
}
