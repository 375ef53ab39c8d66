//! The state of the session's record for status requests and later messages: claude's current conversation,
//! and the recorder's counts and problems.

use super::effects::Effects;
use crate::{protocol::Happening, recorder::Note};
use bc_claude::hooks::Hook;
use bc_core::ids::ConversationId;
use std::path::{Path, PathBuf};

pub(super) struct RecordStatus {
    conversation: ConversationId,
    transcript: Option<String>,
    hooks_seen: bool,
    messages: u64,
    unknown_lines: u64,
    trouble: Option<String>,
}

impl RecordStatus {
    /// Creates the status of a run that starts or resumes this conversation.
    pub(super) fn new(conversation: ConversationId, transcript: Option<&Path>) -> RecordStatus {
        RecordStatus {
            conversation,
            transcript: transcript.and_then(Path::to_str).map(str::to_owned),
            hooks_seen: false,
            messages: 0,
            unknown_lines: 0,
            trouble: None,
        }
    }

    pub(super) fn conversation(&self) -> ConversationId {
        self.conversation
    }

    /// The path of claude's transcript, if it is known.
    pub(super) fn transcript(&self) -> Option<String> {
        self.transcript.clone()
    }

    /// Whether any hook of claude has reported.
    pub(super) fn hooks_seen(&self) -> bool {
        self.hooks_seen
    }

    /// The numbers of recorded messages and unreadable lines.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.messages, self.unknown_lines)
    }

    /// The recorder's current write error.
    pub(super) fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }

    pub(super) fn on_hook(&mut self) {
        self.hooks_seen = true;
    }

    /// Called when claude has started or resumed a conversation.
    pub(super) fn on_conversation(&mut self, hook: &Hook, effects: &mut Effects) {
        let Some(id) = hook.conversation else { return };
        let transcript = hook.transcript_path.clone();
        if id != self.conversation {
            self.conversation = id;
            effects.publish(Happening::Conversation { id });
        }
        self.transcript = transcript.clone().or(self.transcript.take());
        effects.note(Note::Conversation { id, transcript: transcript.map(PathBuf::from) });
    }

    pub(super) fn on_counts(&mut self, messages: u64, unknown_lines: u64) {
        (self.messages, self.unknown_lines) = (messages, unknown_lines);
    }

    /// Called when writing fails, or succeeds again (`None`).
    pub(super) fn on_trouble(&mut self, trouble: Option<String>, effects: &mut Effects) {
        if let Some(message) = trouble.clone() {
            effects.publish_trouble(message);
        }
        self.trouble = trouble;
    }
}

#[cfg(test)]
mod tests {
    use super::{super::effects::Effect, *};
    use uuid::Uuid;

    #[test]
    fn another_conversation_is_published_and_each_start_is_recorded() {
        let (first, second) = (ConversationId(Uuid::new_v4()), ConversationId(Uuid::new_v4()));
        let (mut status, mut effects) = (RecordStatus::new(first, None), Effects::default());
        let hook = |id: ConversationId| {
            let json =
                serde_json::json!({"session_id": id, "transcript_path": "/t.jsonl", "source": "startup"});
            Hook::decode("SessionStart", json.to_string().as_bytes()).unwrap()
        };
        status.on_conversation(&hook(first), &mut effects);
        assert!(matches!(&effects.take()[..], [Effect::Note(Note::Conversation { id, .. })] if *id == first));
        status.on_conversation(&hook(second), &mut effects);
        let all = effects.take();
        assert!(
            matches!(&all[..], [Effect::Publish(Happening::Conversation { .. }), Effect::Note(_)]),
            "{all:?}"
        );
        assert_eq!((status.conversation(), status.transcript().as_deref()), (second, Some("/t.jsonl")));
    }

    #[test]
    fn a_solved_problem_is_not_published() {
        let (mut status, mut effects) =
            (RecordStatus::new(ConversationId(Uuid::nil()), None), Effects::default());
        status.on_trouble(Some("full".into()), &mut effects);
        assert_eq!((effects.take().len(), status.trouble().is_some()), (1, true));
        status.on_trouble(None, &mut effects);
        assert_eq!((effects.take().len(), status.trouble()), (0, None));
    }
}
