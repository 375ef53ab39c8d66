//! Measures the disk space of a folder.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

/// The folder's size on disk in bytes, and whether it was measured completely before `until`. Links are not followed,
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
            let Ok(metadata) = entry.metadata() else { continue };
            if !same_disk(&top, &metadata) {
                continue;
            }
            bytes += share(&metadata);
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    (bytes, true)
}

/// The share of a file's size that counts for one of its names: the size is divided among the file's hard links.
fn share(metadata: &fs::Metadata) -> u64 {
    match metadata.is_dir() {
        true => on_disk(metadata),
        false => on_disk(metadata) / names(metadata).max(1),
    }
}

#[cfg(unix)]
fn on_disk(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(metadata) * 512
}

#[cfg(unix)]
fn names(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(unix)]
fn same_disk(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.dev() == other.dev()
}

#[cfg(not(unix))]
fn on_disk(metadata: &fs::Metadata) -> u64 {
    metadata.len()
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

#[cfg(not(unix))]
fn same_disk(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}
