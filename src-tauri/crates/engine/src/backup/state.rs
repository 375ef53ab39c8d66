//! `backup.json` beside the sessions: the result of the last backup. Losing it is harmless: the branch's state
//! comes from git.

use crate::context::Context;
use bc_core::{Extra, Timestamp};
use bc_store::{
    file,
    repository::{self, limits},
};
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

/// The version of the redaction rules: after a change, conversations are written to the branch again.
pub(super) const REDACTION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    /// When a backup was last made, even without new data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_at: Option<Timestamp>,
    /// The error or warning of the last backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_push_at: Option<Timestamp>,
    /// The error of the last push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) push_error: Option<String>,
    /// Whether the branch's conversations include their secrets.
    #[serde(default)]
    pub(super) secrets_kept: bool,
    /// The redaction rules used for them.
    #[serde(default)]
    pub(super) redaction: u32,
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
            redaction: 0,
            extra: Extra::new(),
        }
    }
}

impl State {
    pub(super) fn read(ctx: &Context) -> State {
        let bytes = repository::read(&ctx.store.path().join("backup.json"), limits::SETTINGS).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Saves it. A failure is as harmless as losing the file.
    pub(super) fn write(&self, ctx: &Context) {
        if let Ok(mut bytes) = serde_json::to_vec_pretty(self) {
            bytes.push(b'\n');
            let _ = file::replace(&ctx.store.path().join("backup.json"), &bytes);
        }
    }
}
