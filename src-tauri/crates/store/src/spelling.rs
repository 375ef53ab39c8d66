//! Finds the spelling of a path's names as stored on disk.
//!
//! If the file system ignores case or normalization, a folder can be opened under several spellings. Paths
//! are compared and recorded in the stored spelling.

use crate::os;
use bc_core::paths::{alike, other_spelling};
use std::{
    ffi::{OsStr, OsString},
    path::{Component, Path, PathBuf},
};

/// Returns the path with each name spelled as in its folder's listing. The caller must have resolved links.
/// Names that cannot be looked up stay unchanged.
pub fn as_listed(path: &Path) -> PathBuf {
    let mut listed = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => {
                let name = listed_name(&listed, name).unwrap_or_else(|| name.to_owned());
                listed.push(name);
            }
            other => listed.push(other),
        }
    }
    listed
}

/// Returns the folder's own spelling of a name. Returns `None` if the folder accepts only one spelling, or if
/// the name already has the listed spelling.
fn listed_name(folder: &Path, name: &OsStr) -> Option<OsString> {
    let text = name.to_str()?;
    let other = folder.join(other_spelling(text)?);
    if !os::is_same_entry(&folder.join(name), &other) {
        return None;
    }
    let names: Vec<OsString> = folder.read_dir().ok()?.map_while(Result::ok).map(|e| e.file_name()).collect();
    let is_listed = names.iter().any(|listed| listed == name);
    let found = || names.into_iter().find(|listed| listed.to_str().is_some_and(|listed| alike(listed, text)));
    if is_listed { None } else { found() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_unchanged_on_a_case_sensitive_file_system() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "A", "gro\u{308}\u{df}e"] {
            crate::file::create_dir(&folder.path().join(name)).unwrap();
        }
        for path in ["a", "A", "gro\u{308}\u{df}e", "gr\u{f6}\u{df}e", "missing/x"] {
            let path = folder.path().join(path);
            assert_eq!(as_listed(&path), path);
        }
    }
}
