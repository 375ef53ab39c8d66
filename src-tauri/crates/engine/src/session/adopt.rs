//! Adopts one of claude's own conversations: creates a paused session with all its messages. Resuming the
//! session continues the conversation.
//!
//! A crash during the adoption leaves a draft, which is recovered like any other draft. The conversation
//! itself is never changed.

use super::{claim, conversations, plan::startable, start::discard, view};
use crate::context::{
    Context,
    errors::{chain, store_error},
    now,
};
use bc_claude::{conversations::ConversationFile, transcript::Decoded};
use bc_core::{
    Timestamp,
    ids::SessionId,
    message::{Message, Role},
    session::{ClaudeSession, Draft, Event, Meta, PauseReason, Refusal},
};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, session::*};
use uuid::Uuid;

/// A gap between two messages longer than this, in milliseconds, counts as a pause.
const APART: i64 = 15 * 60 * 1_000;
/// The number of messages per write; small, so that their text stays in the processor's cache.
const TOGETHER: usize = 32;
/// Keys of a conversation's fields in `meta.json`; the session host uses the same keys.
const COST: &str = "cost_usd";
const UNKNOWN: &str = "unknown_lines";
const UNKNOWN_KINDS: &str = "unknown_kinds";

pub(crate) fn adopt(ctx: &Context, params: AdoptParams) -> Result<SessionStarted, ApiError> {
    ctx.writable()?;
    let file = conversations::adoptable(ctx, params.conversation, params.anyway)?;
    let bead = params.bead_id.as_ref().map(|id| ctx.bead(id)).transpose()?;
    // Decode before taking the session lock, because decoding a long conversation takes a while.
    let decoded = Decoded::of_conversation(&file.path, &file.cwd)
        .map_err(|error| ApiError::new(ErrorCode::Io, chain(&error)))?;
    if decoded.messages.is_empty() {
        let text = format!("the conversation {} has no message", file.id);
        return Err(ApiError::new(ErrorCode::SessionState, text));
    }
    let sessions = ctx.session_lock();
    conversations::refuse_owned(ctx, file.id)?;
    if let Some(bead) = &bead {
        startable(ctx, bead)?;
    }
    let id = SessionId(Uuid::new_v4());
    let actor = ctx.session_actor(id);
    let own = params.title.filter(|title| !title.trim().is_empty());
    let title = own.or_else(|| Some(file.title.clone()).filter(|title| !title.is_empty()));
    let draft = Meta::draft(Draft {
        bead_id: params.bead_id,
        title: title.or_else(|| decoded.title.clone()),
        cwd: Some(file.cwd.display().to_string()),
        actor: Some(actor.as_str().to_owned()),
        ..Draft::new(id, ctx.project_id()?, now())
    });
    let lock = ctx.store.create(&draft).map_err(store_error)?;
    let unknown: u64 = decoded.unknown.values().sum();
    let done = record(&lock, draft, &file, decoded).and_then(|meta| {
        if let Some(bead) = &bead {
            claim::claim(ctx, bead, &actor)?;
        }
        lock.save_meta(&meta).map_err(store_error).inspect_err(|_| {
            bead.iter().for_each(|bead| claim::undo_claim(ctx, bead, &actor));
        })
    });
    if let Err(error) = done {
        discard(ctx, &sessions, lock);
        return Err(error);
    }
    drop(lock);
    drop(sessions);
    ctx.sync_index()?;
    let warnings = match unknown {
        0 => Vec::new(),
        n => vec![format!("{n} lines of the conversation are of unknown kinds; `session show` counts them")],
    };
    Ok(SessionStarted { session: view::show(ctx, id)?, warnings })
}

/// Writes the messages and images, and returns the record of the paused session.
fn record(
    lock: &SessionLock,
    mut meta: Meta,
    file: &ConversationFile,
    decoded: Decoded,
) -> Result<Meta, ApiError> {
    for image in &decoded.images {
        lock.save_image(&image.name, &image.bytes).map_err(store_error)?;
    }
    let (writer, _) = lock.message_writer().map_err(store_error)?;
    for part in decoded.messages.chunks(TOGETHER) {
        writer.write_all(part).map_err(store_error)?;
    }
    writer.sync().map_err(store_error)?;
    let mut extra = bc_core::Extra::new();
    if let Some(cost) = decoded.cost {
        extra.insert(COST.to_owned(), cost.into());
    }
    if !decoded.unknown.is_empty() {
        extra.insert(UNKNOWN.to_owned(), decoded.unknown.values().sum::<u64>().into());
        extra.insert(UNKNOWN_KINDS.to_owned(), serde_json::json!(decoded.unknown));
    }
    meta.claude_sessions.push(ClaudeSession {
        id: file.id,
        transcript_path: file.path.to_str().map(str::to_owned),
        started_at: file.started_at,
        prompted: true,
        extra,
    });
    if let Some(first) = decoded.messages.iter().find(|message| message.role == Role::User) {
        meta.name_after(&first.content);
    }
    meta.message_count = decoded.messages.len() as u64;
    meta.tokens = decoded.tokens.without(decoded.inherited);
    meta.total_tokens = Some(meta.tokens.total());
    meta.cost_usd = decoded.cost;
    meta.files_touched = decoded.files;
    meta.unknown_transcript_lines = decoded.unknown.values().sum();
    meta.unknown_kinds = decoded.unknown;
    apply_activity(&mut meta, &decoded.messages, file.started_at)
        .map_err(|refusal| ApiError::new(ErrorCode::Internal, refusal.to_string()))?;
    Ok(meta)
}

/// Applies the starts and pauses that the messages' times imply. The resulting session is paused.
fn apply_activity(meta: &mut Meta, messages: &[Message], started: Timestamp) -> Result<(), Refusal> {
    let mut times: Vec<Timestamp> = messages.iter().map(|message| message.timestamp).collect();
    times.retain(|at| *at >= started);
    times.sort();
    meta.created_at = started;
    meta.transition(Event::Start, started)?;
    let mut last = started;
    for at in times {
        if (at - last).num_milliseconds() > APART {
            meta.transition(Event::Pause(PauseReason::Exited), last)?;
            meta.transition(Event::Resume, at)?;
        }
        last = at;
    }
    meta.transition(Event::Pause(PauseReason::Exited), last)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::session::Status;

    fn at(minute: u32) -> Timestamp {
        format!("2026-01-19T10:{minute:02}:00Z").parse().unwrap()
    }

    #[test]
    fn a_long_silence_is_a_pause_and_the_session_ends_paused() {
        let mut meta = Meta::draft(Draft::new(SessionId(Uuid::nil()), "proj-1".parse().unwrap(), now()));
        let messages: Vec<Message> =
            [2, 5, 40, 41].map(|n| Message::new(n.to_string(), Role::User, "x", at(n))).into();
        apply_activity(&mut meta, &messages, at(0)).unwrap();
        assert_eq!((meta.status, meta.pause_reason), (Status::Paused, Some(PauseReason::Exited)));
        let intervals: Vec<_> = meta.active_intervals.iter().map(|i| (i.start, i.end)).collect();
        assert_eq!(intervals, [(at(0), Some(at(5))), (at(40), Some(at(41)))]);
        assert_eq!((meta.created_at, meta.started_at, meta.paused_at), (at(0), Some(at(0)), Some(at(41))));
        assert_eq!(meta.active_ms(now()), 6 * 60_000);
    }
}
