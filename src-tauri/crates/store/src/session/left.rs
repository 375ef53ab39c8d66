//! `left.json`: what a session's working folder was when its claude ended, so that a resume can tell
//! what others changed since. Removed when claude begins again; without it less can be told.

use super::{SessionDir, SessionLock, StoreError, files};
use crate::file;
use bc_core::{Extra, Timestamp, work::FileLine};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    io::Read,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// A file longer than this, in bytes, is known by its length and time instead of its content.
const CONTENT_MAX: u64 = 16 << 20;

/// What was there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Left {
    /// The format's version.
    pub version: u32,
    /// When it was looked at.
    pub at: Timestamp,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The commit of the branch that the session's one began from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The session's files by [`fingerprint`]; `null` for those that were not there.
    #[serde(default)]
    pub files: BTreeMap<String, Option<String>>,
    /// Files that were not committed.
    #[serde(default)]
    pub tree: Vec<FileLine>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Left {
    /// In the version that this build writes, with nothing known yet.
    pub fn new(at: Timestamp) -> Left {
        Left {
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
    /// What the folder was when claude last ended; `None` where that is not known.
    pub fn left(&self) -> Result<Option<Left>, StoreError> {
        files::read_json(&self.left_path())
    }

    fn left_path(&self) -> PathBuf {
        self.path().join("left.json")
    }
}

impl SessionLock {
    /// Replaces `left.json`.
    pub fn save_left(&self, left: &Left) -> Result<(), StoreError> {
        files::write_json(&self.left_path(), left)
    }

    /// Forgets what was left: claude begins again.
    pub fn clear_left(&self) -> Result<(), StoreError> {
        Ok(file::remove(&self.left_path())?)
    }
}

/// Something that differs when the file's content does; `None` where there is no readable file.
pub fn fingerprint(path: &Path) -> Option<String> {
    let mut file = fs::File::open(path).ok()?;
    let meta = file.metadata().ok().filter(fs::Metadata::is_file)?;
    if meta.len() > CONTENT_MAX {
        let changed = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        return Some(format!("{} bytes of {changed}", meta.len()));
    }
    let mut bytes = Vec::new();
    file.by_ref().take(CONTENT_MAX + 1).read_to_end(&mut bytes).ok()?;
    let digest = Sha256::digest(&bytes);
    Some(digest[..16].iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, at, scribble};
    use super::*;

    #[test]
    fn what_was_left_is_read_back_and_forgotten() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.left().unwrap(), None);
        let left = Left { head: Some("abc".into()), files: [("a".into(), None)].into(), ..Left::new(at(1)) };
        lock.save_left(&left).unwrap();
        assert_eq!(lock.left().unwrap(), Some(left));
        lock.clear_left().unwrap();
        assert_eq!(lock.left().unwrap(), None);
    }

    #[test]
    fn a_fingerprint_goes_by_the_content() {
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
    fn a_long_file_is_known_without_being_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        scribble(&path, "");
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(CONTENT_MAX + 1).unwrap();
        let print = fingerprint(&path).unwrap();
        assert!(print.starts_with(&format!("{} bytes", CONTENT_MAX + 1)), "{print}");
    }
}
