//! `backup.json` beside the sessions: what happened last. Losing it costs a date and a warning; what is true of
//! the branch is asked of git.

use crate::engine::Engine;
use bc_core::{Extra, Timestamp};
use bc_store::file;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    /// When a backup was last made, whether or not there was anything new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_at: Option<Timestamp>,
    /// Why the last one failed, or what it had to leave out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_push_at: Option<Timestamp>,
    /// Why the last push failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) push_error: Option<String>,
    /// Whether the conversations on the branch were written with their secrets in them.
    #[serde(default)]
    pub(super) secrets_kept: bool,
    #[serde(flatten)]
    extra: Extra,
}

impl Default for State {
    fn default() -> State {
        State {
            version: VERSION,
            last_at: None,
            problem: None,
            last_push_at: None,
            push_error: None,
            secrets_kept: false,
            extra: Extra::new(),
        }
    }
}

impl State {
    pub(super) fn read(engine: &Engine) -> State {
        let bytes = file::read(&engine.store.path().join("backup.json")).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Keeps it. That this fails costs what the file is for.
    pub(super) fn write(&self, engine: &Engine) {
        if let Ok(mut bytes) = serde_json::to_vec_pretty(self) {
            bytes.push(b'\n');
            let _ = file::replace(&engine.store.path().join("backup.json"), &bytes);
        }
    }
}
