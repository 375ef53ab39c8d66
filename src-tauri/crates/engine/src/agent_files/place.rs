//! Where a file of the project really is: links are followed, but never out of the repository.

use crate::errors::file_error;
use bc_store::FileError;
use bc_wire::{ApiError, ErrorCode};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Nobody's instructions are longer; a file of gigabytes is not read for them.
const FILE_MAX: u64 = 4 << 20;

/// Where the file is once every link on the way is followed; what of the way is not there yet is as named.
pub(super) fn really(root: &Path, boundary: &Path, name: &str) -> Result<PathBuf, ApiError> {
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
        path = next.canonicalize().map_err(|_| refuse(name, "it is a link that leads nowhere"))?;
        let inside = path.strip_prefix(boundary).ok();
        let inside = inside.ok_or_else(|| refuse(name, "it is a link out of the repository"))?;
        if inside.components().any(|part| part.as_os_str() == ".git") {
            return Err(refuse(name, "it is a link into git's own folder"));
        }
        let there =
            path.metadata().map_err(|source| file_error(FileError::Read { path: path.clone(), source }))?;
        match words.peek() {
            Some(_) if !there.is_dir() => return Err(refuse(name, &format!("`{word}` is no folder"))),
            None if !there.is_file() => return Err(refuse(name, "it is no file")),
            None if there.len() > FILE_MAX => return Err(refuse(name, "it is longer than 4 MiB")),
            _ => {}
        }
    }
    Ok(path)
}

/// The file stays as it is.
pub(super) fn refuse(name: &str, why: &str) -> ApiError {
    ApiError::new(ErrorCode::FileRefused, format!("{name} is left as it is: {why}"))
        .hint("nothing was changed; name the other files alone to go on without it")
}
