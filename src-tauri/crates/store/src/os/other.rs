//! Systems without modes and without syncable folders (Windows): a user's profile folder is private
//! by its inherited access list, and a rename is written through by the system.

use std::{
    fs::{File, FileType, Metadata, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Whether a folder with open files can be renamed.
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

/// An open file cannot be removed or replaced on these systems.
pub(crate) fn is_still_at(_file: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// Identifies a file among others of the same name.
pub(crate) type Identity = SystemTime;

pub(crate) fn identity(file: &Metadata) -> Option<Identity> {
    file.created().ok()
}

pub(crate) fn reading_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// This system has no flag to refuse links: the caller resolves the path first.
pub(crate) fn reading_options_without_link() -> OpenOptions {
    reading_options()
}

pub(crate) fn refuse_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(crate) fn opened_path(_file: &File) -> Option<PathBuf> {
    None
}

pub(crate) fn kind(kind: FileType) -> &'static str {
    match kind.is_dir() {
        true => "a folder",
        false => "something else",
    }
}
