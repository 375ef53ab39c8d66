//! `opening.json`: a session's opening prompt. If a start fails before claude receives the prompt, the next
//! start uses it.

use super::{
    SessionDir, SessionLock, StoreError,
    files::{read_json, write_json},
};
use crate::file;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Opening {
    version: u32,
    prompt: String,
}

impl SessionDir {
    fn opening_path(&self) -> PathBuf {
        self.path().join("opening.json")
    }

    /// Returns the session's opening prompt. Returns `None` if the session has none, or if claude has
    /// received it.
    pub fn opening(&self) -> Result<Option<String>, StoreError> {
        Ok(read_json::<Opening>(&self.opening_path())?.map(|opening| opening.prompt))
    }
}

impl SessionLock {
    /// Replaces `opening.json`, or removes it if the prompt is empty.
    pub fn save_opening(&self, prompt: &str) -> Result<(), StoreError> {
        if prompt.is_empty() {
            return Ok(file::remove(&self.opening_path())?);
        }
        write_json(&self.opening_path(), &Opening { version: VERSION, prompt: prompt.to_owned() })
    }
}
