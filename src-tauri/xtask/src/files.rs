//! Files and folders that xtask makes in the target folder.

use crate::error::XtaskError;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// An empty folder at this path; earlier contents are removed.
pub(crate) fn emptied(folder: PathBuf) -> Result<PathBuf, XtaskError> {
    // It may not exist.
    let _ = fs::remove_dir_all(&folder);
    created(folder)
}

/// The folder, created if necessary.
pub(crate) fn created(folder: PathBuf) -> Result<PathBuf, XtaskError> {
    fs::create_dir_all(&folder).map_err(|source| XtaskError::Write { path: folder.clone(), source })?;
    Ok(folder)
}

/// Copies a file with its permissions into a folder that is created.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), XtaskError> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    let copied = made.and_then(|()| fs::copy(from, to));
    copied.map(drop).map_err(|source| XtaskError::Copy { from: from.to_owned(), to: to.to_owned(), source })
}

/// Writes a file into a folder that is created.
pub(crate) fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), XtaskError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    // Not a file of the product, for which the store is the only writer.
    #[allow(clippy::disallowed_methods)]
    let written = made.and_then(|()| fs::write(path, content));
    written.map_err(|source| XtaskError::Write { path: path.to_owned(), source })
}
