//! Determines the conversation with which a resumed session continues: its last one if claude still has it, else a
//! new one.

use crate::{
    context::{Context, now},
    places,
    session::{agent, launch::Conversation},
};
use bc_core::{
    ids::ConversationId,
    session::{ClaudeSession, Meta},
};
use bc_wire::session::ResumeConversation;
use uuid::Uuid;

/// The session's last conversation.
pub(super) enum Found {
    /// Claude still has it.
    Known(ConversationId),
    /// It never had a message, so claude does not know its id yet.
    Unused(ConversationId),
    /// It had messages, but claude no longer has it.
    Lost,
    /// There is none that can be continued.
    None,
}

pub(super) fn find(ctx: &Context, meta: &Meta) -> Found {
    match meta.claude_sessions.last() {
        None => Found::None,
        // Claude's transcripts are at the place. If another machine has lost one, claude says so at its start.
        Some(last) if meta.place.is_some() => match last.prompted {
            true if is_container_gone(meta) => Found::Lost,
            true => Found::Known(last.id),
            false => Found::Unused(last.id),
        },
        Some(last) if agent::conversation_exists(ctx, meta, last) => Found::Known(last.id),
        Some(last) if last.prompted => Found::Lost,
        // Claude refuses to start a conversation with this id if its transcript file exists, even without messages.
        Some(last) => match agent::transcript_of(ctx, meta, last).is_some_and(|path| path.exists()) {
            true => Found::None,
            false => Found::Unused(last.id),
        },
    }
}

fn is_container_gone(meta: &Meta) -> bool {
    let place = meta.place.as_deref().map(places::access);
    place.is_some_and(|place| place.is_ok_and(|place| place.for_session(meta.id).is_gone()))
}

impl Found {
    /// How the conversation goes on, for the preview.
    pub(super) fn becomes(&self) -> ResumeConversation {
        match self {
            Found::Known(_) => ResumeConversation::Continues,
            Found::Unused(_) | Found::None => ResumeConversation::Begins,
            Found::Lost => ResumeConversation::Primed,
        }
    }

    /// The conversation to launch with; a new one is added to the session's record.
    pub(super) fn take(self, meta: &mut Meta, prompt: String) -> Conversation {
        let id = match self {
            Found::Known(id) => return Conversation::Old { id, prompt },
            Found::Unused(id) => id,
            Found::Lost | Found::None => ConversationId(Uuid::new_v4()),
        };
        if meta.claude_sessions.iter().all(|known| known.id != id) {
            meta.claude_sessions.push(ClaudeSession {
                id,
                transcript_path: None,
                started_at: now(),
                prompted: false,
                extra: Default::default(),
            });
        }
        Conversation::New { id, prompt }
    }
}
