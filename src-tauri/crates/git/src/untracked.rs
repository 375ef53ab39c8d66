//! Differences for untracked files: every line is new.

use crate::file_diff::{FileDiff, up_to_most};
use std::{fs, io::Read, path::Path};

/// The maximum number of bytes that are read from a file.
const READ_MAX: u64 = 1 << 20;

/// Git looks for a NUL byte within this many bytes to detect binary files.
const PROBED: usize = 8_000;

/// Reads a file of the tree; an unreadable file counts as binary.
pub(crate) fn read(top: &Path, path: &Path) -> FileDiff {
    let file = FileDiff::new(path.display().to_string(), 'A');
    let Some((bytes, whole)) = content(&top.join(path)) else { return file };
    if bytes.iter().take(PROBED).any(|byte| *byte == 0) {
        return file;
    }
    let text = String::from_utf8_lossy(&bytes);
    let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    if count == 0 {
        return FileDiff { lines: Some((0, 0)), ..file };
    }
    let mut hunks = format!("@@ -0,0 +1,{count} @@\n");
    for line in text.split_inclusive('\n') {
        hunks.push('+');
        hunks.push_str(line);
    }
    if !text.ends_with('\n') {
        hunks.push('\n');
        if whole {
            hunks.push_str("\\ No newline at end of file\n");
        }
    }
    let (hunks, cut) = up_to_most(&hunks);
    FileDiff { lines: Some((count, 0)), hunks, cut: cut || !whole, ..file }
}

/// The first [`READ_MAX`] bytes of a file, and whether they are all. The content of a link is its target, as
/// in git.
fn content(path: &Path) -> Option<(Vec<u8>, bool)> {
    let meta = fs::symlink_metadata(path).ok()?;
    if meta.is_symlink() {
        return Some((fs::read_link(path).ok()?.to_string_lossy().into_owned().into_bytes(), true));
    }
    // Opening a pipe would block until it has a writer.
    if !meta.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(path).ok()?.take(READ_MAX + 1).read_to_end(&mut bytes).ok()?;
    let whole = read as u64 <= READ_MAX;
    bytes.truncate(READ_MAX as usize);
    Some((bytes, whole))
}
