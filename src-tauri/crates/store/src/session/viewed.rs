//! `person/viewed.json`: the changed files of a session that the user has marked as viewed, each with the id
//! of its content.
//!
//! The engine can write the file while a host owns the session. The file is in a subfolder, because the
//! process that takes `host.lock` removes temporary files from the session's folder.

use super::{SessionDir, StoreError, files};
use bc_core::Extra;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// The content of `person/viewed.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewed {
    pub version: u32,
    /// The id of the viewed content, by file path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for Viewed {
    fn default() -> Self {
        Viewed { version: VERSION, files: BTreeMap::new(), extra: Extra::new() }
    }
}

impl SessionDir {
    /// Returns the viewed files. A file that cannot be parsed is treated as empty; the user then only has to
    /// review the files again.
    pub fn viewed(&self) -> Result<Viewed, StoreError> {
        files::read_json_or_default(&self.viewed_path())
    }

    /// Replaces the file. The caller must prevent concurrent writes.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if the session does not exist; another error if a file operation fails.
    pub fn save_viewed(&self, viewed: &Viewed) -> Result<(), StoreError> {
        self.person_folder()?;
        files::write_json(&self.viewed_path(), viewed)
    }

    fn viewed_path(&self) -> PathBuf {
        self.path().join("person").join("viewed.json")
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, scribble};
    use super::*;

    #[test]
    fn viewed_files_are_read_back_even_while_a_host_owns_the_session() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.viewed().unwrap(), Viewed::default());
        let viewed = Viewed { files: [("a".into(), "1..2".into())].into(), ..Viewed::default() };
        lock.save_viewed(&viewed).unwrap();
        assert_eq!(lock.viewed().unwrap(), viewed);
    }

    #[test]
    fn an_unreadable_file_is_replaced() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        lock.save_viewed(&Viewed::default()).unwrap();
        scribble(&lock.viewed_path(), "{\"version\": 1, \"files\": [");
        assert_eq!(lock.viewed().unwrap(), Viewed::default());
        let viewed = Viewed { files: [("a".into(), "1..2".into())].into(), ..Viewed::default() };
        lock.save_viewed(&viewed).unwrap();
        assert_eq!(lock.viewed().unwrap(), viewed);
    }

    #[test]
    fn a_deleted_session_is_not_recreated() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        std::fs::remove_dir_all(lock.path()).unwrap();
        assert!(matches!(lock.save_viewed(&Viewed::default()), Err(StoreError::NoSession { .. })));
        assert!(!lock.path().exists());
    }
}
