//! Systems without modes and without syncable folders (Windows): a user's profile folder is private
//! by its inherited access list, and a rename is written through by the system.

use std::{
    fs::{File, Metadata, OpenOptions},
    io,
    path::Path,
    time::SystemTime,
};

/// Whether a folder can be renamed while files in it are open.
pub(crate) const OPEN_FILES_CAN_MOVE: bool = false;

pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

pub(crate) fn private_options() -> OpenOptions {
    OpenOptions::new()
}

pub(crate) fn make_private(_file: &File) -> io::Result<()> {
    Ok(())
}

pub(crate) fn readable(_builder: &mut tempfile::Builder<'_, '_>) {}

pub(crate) fn sync_dir(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A file that is open cannot be removed or replaced here.
pub(crate) fn is_still_at(_file: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// By what a file is told from another one of its name.
pub(crate) type Identity = SystemTime;

pub(crate) fn identity(file: &Metadata) -> Option<Identity> {
    file.created().ok()
}
