//! `left.json`: the state of a session's working folder when claude exited. A resume compares the folder with
//! it, and reports the changes. The file is removed when claude starts again; without it, a resume reports
//! fewer changes.

use super::{SessionDir, SessionLock, StoreError, files};
use crate::file;
use bc_core::{Extra, Timestamp, work::FileLine};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// The maximum size of a file that is identified by its content, in bytes. Larger files are identified by
/// size and time.
const CONTENT_MAX: u64 = 16 << 20;

/// The state of a session's working folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkdirSnapshot {
    pub version: u32,
    pub at: Timestamp,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The commit, at that time, of the branch on which the session's branch is based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The [`fingerprint`] of each of the session's files, by path; `null` for files that cannot be read.
    #[serde(default)]
    pub files: BTreeMap<String, Option<String>>,
    /// Uncommitted files.
    #[serde(default)]
    pub tree: Vec<FileLine>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl WorkdirSnapshot {
    /// Creates an empty snapshot in the version that this build writes.
    pub fn new(at: Timestamp) -> WorkdirSnapshot {
        WorkdirSnapshot {
            version: 1,
            at,
            head: None,
            base: None,
            files: BTreeMap::new(),
            tree: Vec::new(),
            extra: Extra::new(),
        }
    }
}

impl SessionDir {
    /// Returns the folder's state when claude last exited, or `None` if it is unknown.
    pub fn workdir_snapshot(&self) -> Result<Option<WorkdirSnapshot>, StoreError> {
        files::read_json(&self.left_path())
    }

    fn left_path(&self) -> PathBuf {
        self.path().join("left.json")
    }
}

impl SessionLock {
    /// Replaces `left.json`.
    pub fn save_workdir_snapshot(&self, left: &WorkdirSnapshot) -> Result<(), StoreError> {
        files::write_json(&self.left_path(), left)
    }

    /// Removes `left.json`. Call it when claude starts again.
    pub fn clear_workdir_snapshot(&self) -> Result<(), StoreError> {
        Ok(file::remove(&self.left_path())?)
    }
}

/// Returns a string that changes with the file's content, or `None` if the file cannot be read.
pub fn fingerprint(path: &Path) -> Option<String> {
    let file = file::open_regular(path).ok()?;
    let meta = file.metadata().ok()?;
    if meta.len() > CONTENT_MAX {
        let changed = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        return Some(format!("{} bytes of {changed}", meta.len()));
    }
    let mut bytes = Vec::new();
    file.take(CONTENT_MAX + 1).read_to_end(&mut bytes).ok()?;
    let digest = Sha256::digest(&bytes);
    Some(digest[..16].iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, at, scribble};
    use super::*;
    use std::fs;

    #[test]
    fn a_workdir_snapshot_is_read_back_and_removed() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.workdir_snapshot().unwrap(), None);
        let left = WorkdirSnapshot {
            head: Some("abc".into()),
            files: [("a".into(), None)].into(),
            ..WorkdirSnapshot::new(at(1))
        };
        lock.save_workdir_snapshot(&left).unwrap();
        assert_eq!(lock.workdir_snapshot().unwrap(), Some(left));
        lock.clear_workdir_snapshot().unwrap();
        assert_eq!(lock.workdir_snapshot().unwrap(), None);
    }

    #[test]
    fn a_fingerprint_depends_on_the_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert_eq!(fingerprint(&path), None);
        assert_eq!(fingerprint(folder.path()), None, "a folder has no content");
        scribble(&path, "one");
        let one = fingerprint(&path).unwrap();
        scribble(&path, "two");
        assert_ne!(fingerprint(&path).unwrap(), one);
        scribble(&path, "one");
        assert_eq!(fingerprint(&path).unwrap(), one);
    }

    #[test]
    fn a_long_file_is_identified_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        scribble(&path, "");
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(CONTENT_MAX + 1).unwrap();
        let print = fingerprint(&path).unwrap();
        assert!(print.starts_with(&format!("{} bytes", CONTENT_MAX + 1)), "{print}");
    }
}
