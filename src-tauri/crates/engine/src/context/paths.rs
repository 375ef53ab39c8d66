//! Resolves the symbolic links of paths.

use std::{
    io,
    path::{Path, PathBuf},
};

/// The path without symbolic links, and on Windows without the prefix `\\?\`.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize().map(bc_core::paths::plain)
}

/// Like [`canonical`]; a path that cannot be resolved stays unchanged.
pub(crate) fn canonical_or_same(path: &Path) -> PathBuf {
    canonical(path).unwrap_or_else(|_| path.to_owned())
}

/// Joins paths. An empty `inside` would otherwise append a separator.
pub(crate) fn join_inside(folder: &Path, inside: &Path) -> PathBuf {
    if inside.as_os_str().is_empty() { folder.to_owned() } else { folder.join(inside) }
}
