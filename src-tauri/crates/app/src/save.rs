//! Writes files to paths that the user chose, such as exports and reports.
//!
//! - A file appears completely or not at all, with the permissions that the umask gives.
//! - An existing file is replaced only if the caller requests that.
//! - A file that is itself a link is refused, and so are git's and the tracker's own folders. A link in a
//!   repository must not lead out of the repository.
//! - If the path names a pipe or device, the pipe or device is written to and never replaced.

use bc_store::{
    FileError,
    file::{self, Refusal},
    repository,
};
use bc_wire::{ApiError, ErrorCode};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The folders in which no file is written for the user.
const RESERVED: [&str; 2] = [".git", ".beads"];

/// How to treat an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Keep the file, and fail with [`ErrorCode::ConfirmationNeeded`].
    Keep,
    Replace,
}

/// Writes a file and returns its path with symbolic links resolved.
///
/// # Errors
/// Returns an error if the path is refused, if the file exists and may not be replaced, or if the system
/// refuses.
pub fn save_as(path: &Path, bytes: &[u8], existing: Existing) -> Result<PathBuf, ApiError> {
    let whole = std::path::absolute(path).map_err(|e| could_not(path, &e))?;
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(is_folder(path));
    };
    let target = resolved(folder).map_err(|e| could_not(path, &e))?.join(name);
    check(path, &target)?;
    match fs::symlink_metadata(&target) {
        Ok(found) if found.is_dir() => return Err(is_folder(path)),
        Ok(found) if found.is_symlink() => {
            return Err(refused(path, "it is a link").hint("choose the link's target, or another file"));
        }
        Ok(found) if !found.is_file() => {
            let mut device =
                fs::OpenOptions::new().write(true).open(&target).map_err(|e| could_not(path, &e))?;
            device.write_all(bytes).map_err(|e| could_not(path, &e))?;
        }
        Ok(_) if existing == Existing::Replace => {
            file::replace_open(&target, bytes).map_err(|e| not_written(path, &e))?;
        }
        Ok(_) => return Err(taken(path)),
        Err(_) => {
            // A file that has appeared since the first check counts as existing.
            if !file::create_open(&target, bytes).map_err(|e| not_written(path, &e))? {
                return Err(taken(path));
            }
        }
    }
    Ok(target)
}

/// Creates a folder for saved files, with its parents, and returns its path with symbolic links resolved.
///
/// # Errors
/// Returns an error if the path is refused, or if the system refuses.
pub fn folder_for_saving(path: &Path) -> Result<PathBuf, ApiError> {
    let whole = std::path::absolute(path).map_err(|e| could_not(path, &e))?;
    // The part of the path that does not exist yet cannot contain symbolic links.
    let existing = whole.ancestors().find(|folder| folder.symlink_metadata().is_ok()).unwrap_or(&whole);
    let rest = whole.strip_prefix(existing).unwrap_or(Path::new(""));
    let folder = resolved(existing).map_err(|e| could_not(path, &e))?.join(rest);
    check(path, &folder)?;
    file::create_open_dir(&folder).map_err(|e| not_written(path, &e))?;
    Ok(folder)
}

fn resolved(folder: &Path) -> io::Result<PathBuf> {
    let real = repository::resolve(folder)?;
    match real.is_dir() {
        true => Ok(real),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Refuses a path in a folder that belongs to git or the tracker.
fn check(path: &Path, target: &Path) -> Result<(), ApiError> {
    let of_program = |part: &std::ffi::OsStr| RESERVED.iter().any(|own| part.eq_ignore_ascii_case(own));
    // A bare repository is recognized by its content, because it may have any name.
    let bare = |folder: &Path| ["HEAD", "objects", "refs"].iter().all(|name| folder.join(name).exists());
    if target.iter().any(of_program) || target.ancestors().skip(1).any(bare) {
        return Err(refused(path, "it is in a folder that belongs to git or the bead tracker")
            .hint("choose a path outside .git and .beads"));
    }
    Ok(())
}

fn refused(path: &Path, why: &str) -> ApiError {
    ApiError::new(ErrorCode::FileRefused, format!("{} was not written: {why}", path.display()))
}

fn is_folder(path: &Path) -> ApiError {
    ApiError::new(ErrorCode::Usage, format!("{} is a folder", path.display())).hint("choose a file in it")
}

fn taken(path: &Path) -> ApiError {
    ApiError::new(ErrorCode::ConfirmationNeeded, format!("{} exists. Replace it?", path.display()))
        .hint("choose another file, or replace it with --force")
}

fn not_written(path: &Path, error: &FileError) -> ApiError {
    could_not(path, error.io())
}

fn could_not(path: &Path, e: &io::Error) -> ApiError {
    if let Some(refusal) = Refusal::of(e) {
        return refused(path, &refusal.to_string()).hint("choose a path without links");
    }
    let (code, hint) = match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (ErrorCode::ReadOnly, "choose a writable folder")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (ErrorCode::DiskFull, "free some space, or choose another disk")
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            (ErrorCode::Io, "its folder does not exist: create it first, or choose another one")
        }
        _ => (ErrorCode::Io, "choose another path"),
    };
    ApiError::new(code, format!("{} could not be written: {}", path.display(), reason(e))).hint(hint)
}

/// The system's reason, without the path of the temporary file, which the user did not choose.
fn reason(e: &io::Error) -> String {
    match e.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => e.kind().to_string(),
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "save_tests.rs"]
mod tests;
