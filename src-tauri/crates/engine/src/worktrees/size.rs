//! Measures the disk space of a folder.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

/// The folder's size on disk, and whether it was measured completely before the time limit. Links are not followed,
/// and other file systems are excluded.
pub(super) fn of(folder: &Path, until: Instant) -> (u64, bool) {
    let Ok(top) = folder.symlink_metadata() else { return (0, true) };
    let mut bytes = on_disk(&top);
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if Instant::now() > until {
            return (bytes, false);
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(there) = entry.metadata() else { continue };
            if !same_disk(&top, &there) {
                continue;
            }
            bytes += share(&there);
            if there.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    (bytes, true)
}

/// A file with several hard links is divided among them.
fn share(there: &fs::Metadata) -> u64 {
    match there.is_dir() {
        true => on_disk(there),
        false => on_disk(there) / names(there).max(1),
    }
}

#[cfg(unix)]
fn on_disk(there: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(there) * 512
}

#[cfg(unix)]
fn names(there: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(there)
}

#[cfg(unix)]
fn same_disk(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.dev() == other.dev()
}

#[cfg(not(unix))]
fn on_disk(there: &fs::Metadata) -> u64 {
    there.len()
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

#[cfg(not(unix))]
fn same_disk(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}
