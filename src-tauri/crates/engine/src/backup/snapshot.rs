//! Reads the local data for a backup, and for a comparison with a backup.

use super::secrets::{Redacted, without_secrets};
use crate::{
    context::{
        Context,
        errors::{chain, store_error, tracker_error},
        secret_redaction,
    },
    memory,
};
use bc_core::{
    backup::{Kind, Record, Records, session_record},
    ids::SessionId,
    memory::is_memory,
};
use bc_wire::ApiError;
use serde_json::Value;

/// This machine's records, with secrets removed unless the caller keeps them.
pub(super) struct Snapshot {
    pub(super) beads: Records,
    pub(super) memories: Records,
    pub(super) sessions: Records,
    /// Whether the project has no beads yet, or its tracker has no local database, as in a fresh clone.
    pub(super) fresh_tracker: bool,
    /// The secrets that were removed from all these records.
    pub(super) redacted: Redacted,
    /// Warnings about data that could not be read and is therefore missing.
    pub(super) warnings: Vec<String>,
}

impl Snapshot {
    /// Reads the local data. If the tracker or the memories cannot be read, their records are missing with a
    /// warning, and the backup keeps its earlier copies.
    pub(super) fn take(ctx: &Context, keep_secrets: bool) -> Result<Snapshot, ApiError> {
        let mut warnings = Vec::new();
        let project = &ctx.project;
        let everything =
            bc_beads::everything(&project.root, &project.environment()).unwrap_or_else(|error| {
                warnings.push(format!("the tracker's beads could not be read: {}", tracker_error(error)));
                bc_beads::Everything::default()
            });
        let fresh_tracker = everything.fresh;
        let beads = Records::of(Kind::Beads, everything.rows.into_iter().filter(|row| !is_of_memory(row)));
        let memories = match fresh_tracker && project.beads_dir.is_dir() && !has_file(ctx) {
            // Without a database and a file, no memories exist, and the tracker's program would fail.
            true => Vec::new(),
            false => memory::rows(ctx).unwrap_or_else(|error| {
                warnings.push(format!("the memories could not be read: {error}"));
                Vec::new()
            }),
        };
        let listing = ctx.store.list().map_err(store_error)?;
        warnings.extend(listing.problems.iter().map(|problem| chain(problem)));
        let mut redacted = Redacted::default();
        let mut shared = |records: Records| match keep_secrets {
            true => records,
            false => without_secrets(records, &mut redacted),
        };
        let beads = shared(beads);
        let memories = shared(Records::of(Kind::Memories, memories));
        let sessions =
            shared(Records::of(Kind::Sessions, listing.sessions.iter().filter_map(session_record)));
        Ok(Snapshot { beads, memories, sessions, fresh_tracker, redacted, warnings })
    }
}

fn has_file(ctx: &Context) -> bool {
    ctx.project.beads_dir.join("memories.jsonl").is_file()
}

fn is_of_memory(row: &Record) -> bool {
    let labels = row.get("labels").and_then(Value::as_array).into_iter().flatten();
    is_memory(&labels.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
}

/// A session's conversation as JSON lines, split into consecutive strings, and the number of secrets removed
/// from it.
pub(super) fn conversation(
    ctx: &Context,
    id: SessionId,
    keep_secrets: bool,
) -> Result<(Vec<String>, u32), ApiError> {
    let messages = ctx.store.session(id).transcript().map_err(store_error)?.messages;
    let (mut texts, secrets) = secret_redaction::serialize_all(messages, "\n", keep_secrets)?;
    texts.iter_mut().for_each(|text| text.push('\n'));
    Ok((texts, secrets))
}
