//! Resolves the real path of a project file: links are followed, but never to a path outside the repository.

use crate::context::{errors::file_error, paths::canonical};
use bc_store::FileError;
use bc_wire::{ApiError, ErrorCode};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The maximum size of a file that is changed, in bytes; instruction files are smaller.
const FILE_MAX: u64 = 4 << 20;

/// The real path of a project file, with all links resolved. Path components that do not exist yet stay unchanged.
pub(super) fn resolve_within(root: &Path, boundary: &Path, name: &str) -> Result<PathBuf, ApiError> {
    let mut path = root.to_owned();
    let mut words = name.split('/').peekable();
    while let Some(word) = words.next() {
        let next = path.join(word);
        match next.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(words.fold(next, |path, word| path.join(word)));
            }
            Err(source) => return Err(file_error(FileError::Read { path: next, source })),
            Ok(_) => {}
        }
        path = canonical(&next).map_err(|_| refuse(name, "it is a broken link"))?;
        let inside = path.strip_prefix(boundary).ok();
        let inside = inside.ok_or_else(|| refuse(name, "it is a link out of the repository"))?;
        if inside.components().any(|part| part.as_os_str() == ".git") {
            return Err(refuse(name, "it is a link into git's folder"));
        }
        let metadata =
            path.metadata().map_err(|source| file_error(FileError::Read { path: path.clone(), source }))?;
        match words.peek() {
            Some(_) if !metadata.is_dir() => return Err(refuse(name, &format!("`{word}` is not a folder"))),
            None if !metadata.is_file() => return Err(refuse(name, "it is not a file")),
            None if metadata.len() > FILE_MAX => return Err(refuse(name, "it is larger than 4 MiB")),
            _ => {}
        }
    }
    Ok(path)
}

pub(super) fn refuse(name: &str, why: &str) -> ApiError {
    ApiError::new(ErrorCode::FileRefused, format!("{name} cannot be changed: {why}"))
        .hint("nothing was changed; to continue without it, name only the other files")
}
