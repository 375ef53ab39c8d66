//! The origin of a forked session: a checkpoint and the conversation of the original session.

use crate::context::{
    Context,
    errors::{file_error, git_error},
};
use bc_claude::transcript::{PromptMark, before_prompt};
use bc_core::{
    ids::{ConversationId, SessionId},
    session::Meta,
};
use bc_git::Checkpoint;
use bc_wire::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The starting point of a forked session: the checkpoint, and the conversation if possible.
pub(crate) struct Origin {
    /// The checkpoint whose files the new session gets.
    pub(super) checkpoint: Checkpoint,
    /// The conversation before the prompt, if its transcript is known.
    pub(super) conversation: Option<OriginConversation>,
}

/// The field of a forked session's record that names its origin.
const ORIGIN_FIELD: &str = "forked_from";

/// The origin in a forked session's record.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordedOrigin {
    pub(super) session: SessionId,
    pub(super) checkpoint: u32,
    /// The number of the first prompt that is omitted.
    pub(super) turn: Option<u32>,
}

impl RecordedOrigin {
    pub(super) fn record_in(&self, meta: &mut Meta) {
        let value = serde_json::to_value(self).expect("an origin has string keys");
        meta.extra.insert(ORIGIN_FIELD.to_owned(), value);
    }

    pub(super) fn of(meta: &Meta) -> Option<RecordedOrigin> {
        serde_json::from_value(meta.extra.get(ORIGIN_FIELD)?.clone()).ok()
    }
}

/// The conversation of the original session, and the prompt at which it is cut.
pub(super) struct OriginConversation {
    pub(super) transcript: PathBuf,
    /// The first prompt that is omitted.
    pub(super) before: PromptMark,
}

/// Writes the checkpoint's files into the new worktree; returns warnings.
pub(super) fn write_files(ctx: &Context, cwd: &Path, origin: &Origin) -> Result<Vec<String>, ApiError> {
    let repo = ctx.project.repo()?.at(cwd).map_err(git_error)?;
    let skipped = repo.fill_from_checkpoint(&origin.checkpoint).map_err(git_error)?;
    let names: Vec<String> =
        skipped.iter().take(5).map(|file| format!("{} ({})", file.path, file.why)).collect();
    Ok(match skipped.len() {
        0 => Vec::new(),
        count => vec![format!("{count} files of the checkpoint were not written: {}", names.join(", "))],
    })
}

/// Writes the conversation before the prompt as the transcript of a new conversation at `path`. Returns
/// whether it was written; otherwise, claude starts without a conversation.
pub(super) fn write_conversation(
    origin: &Origin,
    path: &Path,
    new: ConversationId,
    warnings: &mut Vec<String>,
) -> bool {
    let Some(OriginConversation { transcript, before }) = &origin.conversation else { return false };
    match write_prefix(transcript, before, path, new) {
        Ok(written) => written,
        Err(error) => {
            warnings.push(format!("claude starts without the conversation so far: {}", error.message));
            false
        }
    }
}

fn write_prefix(
    transcript: &Path,
    before: &PromptMark,
    path: &Path,
    new: ConversationId,
) -> Result<bool, ApiError> {
    let read = |source: std::io::Error| {
        ApiError::new(ErrorCode::Io, format!("cannot read {}: {source}", transcript.display()))
    };
    let Some(bytes) = before_prompt(transcript, before, new).map_err(read)? else { return Ok(false) };
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    bc_store::file::create_dir(&folder).map_err(file_error)?;
    bc_store::file::create(path, &bytes).map_err(file_error)
}
