//! Functions that write and copy files of the build and of the source tree, and create their folders.

use crate::error::XtaskError;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Empties the folder at this path, or creates it if it is missing.
pub(crate) fn emptied(folder: PathBuf) -> Result<PathBuf, XtaskError> {
    // Ignore an error: the folder may not exist.
    let _ = fs::remove_dir_all(&folder);
    created(folder)
}

/// Creates the folder if it is missing.
pub(crate) fn created(folder: PathBuf) -> Result<PathBuf, XtaskError> {
    fs::create_dir_all(&folder).map_err(|source| XtaskError::Write { path: folder.clone(), source })?;
    Ok(folder)
}

/// Copies a file with its permissions, and creates the target's folder if it is missing.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), XtaskError> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    let copied = made.and_then(|()| fs::copy(from, to));
    copied.map(drop).map_err(|source| XtaskError::Copy { from: from.to_owned(), to: to.to_owned(), source })
}

/// Copies a folder with all its files and their permissions.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<(), XtaskError> {
    let unread = |source| XtaskError::Read { path: from.to_owned(), source };
    for entry in fs::read_dir(from).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_all(&path, &to)? } else { copy(&path, &to)? }
    }
    Ok(())
}

/// Writes a file, and creates its folder if it is missing.
pub(crate) fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), XtaskError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    // The lint applies to the product's files, which only the store may write. This function writes build files
    // and documents.
    #[allow(clippy::disallowed_methods)]
    let written = made.and_then(|()| fs::write(path, content));
    written.map_err(|source| XtaskError::Write { path: path.to_owned(), source })
}
