//! `backup.json` in the sessions' folder: the result of the last backup in this clone. Losing the file is
//! harmless, because the branch's state comes from git.

use crate::context::Context;
use bc_core::{Extra, Timestamp};
use bc_store::{
    file,
    repository::{self, limits},
};
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

/// The version of the redaction rules. If it changes, the next backup that includes conversations writes all
/// of them again.
pub(super) const REDACTION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    /// The time of the last successful backup, even if it had no new data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_at: Option<Timestamp>,
    /// The error or the first warning of the last backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_push_at: Option<Timestamp>,
    /// The error of the last push or of the fetch before it; `None` after a success or without a remote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) push_error: Option<String>,
    #[serde(default)]
    pub(super) secrets_kept: bool,
    /// The version of the redaction rules that were applied to the branch's conversations.
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

    /// Saves the state. A failure is ignored, because losing the file is harmless.
    pub(super) fn write(&self, ctx: &Context) {
        if let Ok(mut bytes) = serde_json::to_vec_pretty(self) {
            bytes.push(b'\n');
            let _ = file::replace(&ctx.store.path().join("backup.json"), &bytes);
        }
    }
}
