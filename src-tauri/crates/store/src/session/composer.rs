//! The user's unsent text (`person/draft.json`), files attached to prompts (`person/attachments`), and the
//! conversation's images (`images`).
//!
//! The engine can write the `person` folder while a host owns the session. The recorder writes each image
//! once, under a name derived from its bytes.

use super::{SessionDir, SessionLock, StoreError, files};
use crate::{file, repository};
use bc_core::Extra;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of the file that this build writes.
const VERSION: u32 = 1;

/// The maximum size of an image that can be read, in bytes.
const IMAGE_MAX: u64 = 64 << 20;

/// The content of `person/draft.json`: the text that the user has not sent yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedDraft {
    pub version: u32,
    #[serde(default)]
    pub text: String,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for SavedDraft {
    fn default() -> Self {
        SavedDraft { version: VERSION, text: String::new(), extra: Extra::new() }
    }
}

impl SessionDir {
    /// Returns the unsent text. The text is empty if no text was saved or the file cannot be parsed.
    pub fn draft(&self) -> Result<SavedDraft, StoreError> {
        files::read_json_or_default(&self.draft_path())
    }

    /// Replaces the unsent text. An empty text without unknown fields removes the file. The caller must
    /// prevent concurrent writes.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if text is saved for a session that does not exist, or a file operation
    /// failed.
    pub fn save_draft(&self, draft: &SavedDraft) -> Result<(), StoreError> {
        let path = self.draft_path();
        if draft.text.is_empty() && draft.extra.is_empty() {
            return Ok(file::remove(&path)?);
        }
        self.person_folder()?;
        files::write_json(&path, draft)
    }

    /// Stores a file that is attached to a prompt and returns its path. `name` must not contain path
    /// separators.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if the session does not exist; another error if a file operation fails.
    pub fn save_attachment(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
        let folder = self.person_folder()?.join("attachments");
        file::create_dir(&folder)?;
        let path = folder.join(name);
        file::replace(&path, bytes)?;
        Ok(path)
    }

    /// Returns the bytes of one of the conversation's images. Returns `None` if the image was not recorded,
    /// or if the name is not a valid image name.
    pub fn image(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        if !is_image_name(name) {
            return Ok(None);
        }
        Ok(repository::read(&self.path().join("images").join(name), IMAGE_MAX)?)
    }

    /// Returns the `person` folder of an existing session, and creates the folder if it is missing.
    pub(super) fn person_folder(&self) -> Result<PathBuf, StoreError> {
        if !self.path().is_dir() {
            return Err(StoreError::NoSession { id: self.id() });
        }
        let folder = self.path().join("person");
        file::create_dir(&folder)?;
        Ok(folder)
    }

    fn draft_path(&self) -> PathBuf {
        self.path().join("person").join("draft.json")
    }
}

impl SessionLock {
    /// Stores one of the conversation's images unless it already exists. Does nothing if the name is not a
    /// valid image name.
    pub fn save_image(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let folder = self.path().join("images");
        let path = folder.join(name);
        if !is_image_name(name) || path.exists() {
            return Ok(());
        }
        file::create_dir(&folder)?;
        Ok(file::replace(&path, bytes)?)
    }
}

/// Whether the name consists of 16 to 64 hexadecimal digits and a known extension.
fn is_image_name(name: &str) -> bool {
    let Some((hex, ending)) = name.split_once('.') else { return false };
    (16..=64).contains(&hex.len())
        && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
        && matches!(ending, "png" | "jpg" | "gif" | "webp")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, scribble};
    use super::*;

    const NAME: &str = "709e80c88487a2411e1ee4dfb9f22a86.png";

    #[test]
    fn a_draft_is_read_back_and_an_empty_one_leaves_no_file() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        let draft = SavedDraft { text: "half a thought".into(), ..SavedDraft::default() };
        lock.save_draft(&draft).unwrap();
        assert_eq!(lock.draft().unwrap(), draft);
        scribble(&lock.draft_path(), "{\"version\": 1, \"te");
        assert_eq!(lock.draft().unwrap(), SavedDraft::default());
        lock.save_draft(&SavedDraft::default()).unwrap();
        assert!(!lock.draft_path().exists());
    }

    #[test]
    fn an_image_is_stored_once_and_only_under_a_hexadecimal_name() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        lock.save_image(NAME, b"first").unwrap();
        lock.save_image(NAME, b"second").unwrap();
        assert_eq!(lock.image(NAME).unwrap().as_deref(), Some(&b"first"[..]));
        for name in ["../meta.json", "meta.json", "709e80c88487a241.svg", "709e80c88487a241", ".png"] {
            lock.save_image(name, b"x").unwrap();
            assert_eq!(lock.image(name).unwrap(), None, "{name}");
        }
        assert_eq!(std::fs::read_dir(lock.path().join("images")).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_kept_for_a_deleted_session() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        std::fs::remove_dir_all(lock.path()).unwrap();
        let draft = SavedDraft { text: "x".into(), ..SavedDraft::default() };
        assert!(matches!(lock.save_draft(&draft), Err(StoreError::NoSession { .. })));
        assert!(matches!(lock.save_attachment("a.png", b"x"), Err(StoreError::NoSession { .. })));
        assert!(!lock.path().exists());
    }
}
