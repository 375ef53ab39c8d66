//! What is here now.

use crate::{
    engine::Engine,
    errors::{chain, store_error, tracker_error},
    memory,
};
use bc_core::{
    backup::{Conversation, Kind, Record, Records, session_record},
    ids::SessionId,
    memory::is_memory,
};
use bc_wire::{ApiError, ErrorCode};
use serde_json::Value;

/// Records of this machine.
pub(super) struct Snapshot {
    pub(super) beads: Records,
    pub(super) memories: Records,
    pub(super) sessions: Records,
    /// Whether the tracker has no database here yet.
    pub(super) fresh_tracker: bool,
    pub(super) secrets_removed: u32,
    /// What could not be read and so is not in it.
    pub(super) warnings: Vec<String>,
}

impl Snapshot {
    /// Everything that can be read. A tracker that fails costs its beads alone: what a backup has of them stays
    /// in it.
    pub(super) fn take(engine: &Engine, keep_secrets: bool) -> Result<Snapshot, ApiError> {
        let mut warnings = Vec::new();
        let project = &engine.project;
        let everything =
            bc_beads::everything(&project.root, &project.environment()).unwrap_or_else(|error| {
                warnings.push(format!("the tracker's beads could not be read: {}", tracker_error(error)));
                bc_beads::Everything::default()
            });
        let fresh_tracker = everything.fresh;
        let beads = Records::of(Kind::Beads, everything.rows.into_iter().filter(|row| !is_of_memory(row)));
        let memories = match fresh_tracker && project.beads_dir.is_dir() && !has_file(engine) {
            // Nothing is remembered where there is no database, and its program would only say so.
            true => Vec::new(),
            false => memory::rows(engine).unwrap_or_else(|error| {
                warnings.push(format!("the memories could not be read: {error}"));
                Vec::new()
            }),
        };
        let listing = engine.store.list().map_err(store_error)?;
        warnings.extend(listing.problems.iter().map(|problem| chain(problem)));
        let mut secrets_removed = 0;
        let records = listing.sessions.iter().filter_map(session_record).map(|mut record| {
            if !keep_secrets {
                secrets_removed += without_secrets(&mut record);
            }
            record
        });
        let sessions = Records::of(Kind::Sessions, records.collect::<Vec<_>>());
        let memories = Records::of(Kind::Memories, memories);
        Ok(Snapshot { beads, memories, sessions, fresh_tracker, secrets_removed, warnings })
    }
}

fn has_file(engine: &Engine) -> bool {
    engine.project.beads_dir.join("memories.jsonl").is_file()
}

fn is_of_memory(row: &Record) -> bool {
    let labels = row.get("labels").and_then(Value::as_array).into_iter().flatten();
    is_memory(&labels.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
}

/// Strikes the secrets out of what people wrote in a session's record.
fn without_secrets(record: &mut Record) -> u32 {
    ["title", "objective"].into_iter().map(|key| record.get_mut(key).map_or(0, bc_redact::strike)).sum()
}

/// What was said in a session, and how many secrets were struck out of it.
pub(super) fn conversation(
    engine: &Engine,
    id: SessionId,
    keep_secrets: bool,
) -> Result<(Conversation, u32), ApiError> {
    let messages = engine.store.session(id).transcript().map_err(store_error)?.messages;
    let mut secrets = 0;
    let mut lines = Vec::with_capacity(messages.len());
    for message in messages {
        let mut value = serde_json::to_value(message)
            .map_err(|error| ApiError::new(ErrorCode::Internal, format!("a message is not JSON: {error}")))?;
        if !keep_secrets {
            secrets += bc_redact::strike(&mut value);
        }
        if let Value::Object(line) = value {
            lines.push(line);
        }
    }
    Ok((Conversation::of(lines), secrets))
}
