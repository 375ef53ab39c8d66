//! Determines the conversation that a resumed session continues: its last conversation if claude still has
//! it, else a new one.

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
    /// Claude still has the conversation.
    Known(ConversationId),
    /// The conversation never had a message, so claude does not have a transcript with its id.
    Unused(ConversationId),
    /// The conversation had messages, but claude no longer has it.
    Lost,
    /// No conversation can be continued.
    None,
}

pub(super) fn find(ctx: &Context, meta: &Meta) -> Found {
    match meta.claude_sessions.last() {
        None => Found::None,
        // Claude's transcripts are at the place and cannot be checked from this machine. If the transcript is
        // lost, claude reports that at its start.
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
    /// The kind of conversation, for the preview.
    pub(super) fn becomes(&self) -> ResumeConversation {
        match self {
            Found::Known(_) => ResumeConversation::Continues,
            Found::Unused(_) | Found::None => ResumeConversation::Begins,
            Found::Lost => ResumeConversation::Primed,
        }
    }

    /// Whether claude has received the session's first prompt.
    pub(super) fn has_messages(&self) -> bool {
        matches!(self, Found::Known(_) | Found::Lost)
    }

    /// The conversation for the launch; a new conversation is added to the session's record.
    pub(super) fn take(self, meta: &mut Meta, prompt: String) -> Conversation {
        let id = match self {
            Found::Known(id) => return Conversation { id, prompt, resumes: true },
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
        Conversation { id, prompt, resumes: false }
    }
}
