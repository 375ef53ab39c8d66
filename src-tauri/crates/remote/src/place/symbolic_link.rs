//! Symbolic links at a place.

use std::{io, path::Path};

#[cfg(unix)]
pub(super) fn create(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
pub(super) fn create(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::other("a place needs a Unix system"))
}
