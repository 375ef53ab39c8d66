//! Puts files into a working tree, and removes files from it, one at a time and never through a link.
//!
//! Invariant: at each moment, a file has its old or its new content; a kill leaves no file half written.

use std::{
    fs, io,
    path::{Component, Path},
};

/// A file that a restore did not change, although it differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// The path relative to the tree.
    pub path: String,
    pub why: String,
}

/// Removes a file or a link, and the folders that become empty.
pub(super) fn remove(top: &Path, path: &Path) -> Result<(), String> {
    if !folders_are_real(top, path)? {
        return Ok(());
    }
    let full = top.join(path);
    match fs::symlink_metadata(&full) {
        Ok(found) if found.is_dir() => return Err("a folder now has its name".to_owned()),
        Ok(_) => fs::remove_file(&full).map_err(|error| reason(&error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(reason(&error)),
    }
    let mut folder = path.parent();
    while let Some(dir) = folder.filter(|dir| !dir.as_os_str().is_empty()) {
        // A folder with other files is kept.
        if fs::remove_dir(top.join(dir)).is_err() {
            break;
        }
        folder = dir.parent();
    }
    Ok(())
}

/// Moves a staged file to its place. With `replaces`, it may replace an existing file.
pub(super) fn put(top: &Path, path: &Path, staged: &Path, replaces: bool) -> Result<(), String> {
    if fs::symlink_metadata(staged).is_err() {
        return Err("git could not write it".to_owned());
    }
    let full = top.join(path);
    if !folders_are_real(top, path)? {
        let folder = full.parent().unwrap_or(top);
        fs::create_dir_all(folder).map_err(|error| reason(&error))?;
        if !folders_are_real(top, path)? {
            return Err("its folder was removed meanwhile".to_owned());
        }
    }
    match fs::symlink_metadata(&full) {
        Ok(found) if found.is_dir() => {
            // Git does not track empty folders. A folder with ignored files is kept.
            fs::remove_dir(&full)
                .map_err(|_| "a folder with its name contains files that git ignores".to_owned())?;
        }
        Ok(_) if !replaces => return Err("a file that git ignores has its name".to_owned()),
        _ => {}
    }
    fs::rename(staged, &full).map_err(|error| reason(&error))
}

/// Whether all folders of the path exist. Fails if one is a link, which could lead out of the tree, or a file.
fn folders_are_real(top: &Path, path: &Path) -> Result<bool, String> {
    let mut dir = top.to_owned();
    for part in path.parent().into_iter().flat_map(Path::components) {
        let Component::Normal(name) = part else { return Err("its path leaves the folder".to_owned()) };
        if name.eq_ignore_ascii_case(".git") {
            return Err("its path is in git's folder".to_owned());
        }
        dir.push(name);
        match fs::symlink_metadata(&dir) {
            Ok(found) if found.is_dir() => {}
            Ok(found) if found.is_symlink() => return Err("its folder is a link".to_owned()),
            Ok(_) => return Err("a file has the name of its folder".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(reason(&error)),
        }
    }
    Ok(true)
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        _ => error.to_string(),
    }
}
