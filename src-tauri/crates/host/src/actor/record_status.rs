//! The facts about the session's record that status requests and other parts need: claude's current
//! conversation, and the recorder's counts and problems.

use super::effects::Effects;
use crate::{protocol::Happening, recorder::Note};
use bc_claude::hooks::Hook;
use bc_core::ids::ConversationId;
use std::path::{Path, PathBuf};

pub(super) struct RecordStatus {
    pub(super) conversation: ConversationId,
    /// The path of claude's transcript, if it is known.
    pub(super) transcript: Option<String>,
    /// Whether any hook of claude has reported.
    pub(super) hooks_seen: bool,
    /// The number of recorded messages.
    pub(super) messages: u64,
    /// The number of transcript lines that are unknown or cannot be read.
    pub(super) unknown_lines: u64,
    /// The recorder's current read or write error.
    pub(super) trouble: Option<String>,
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

    /// Called when the recorder cannot read or write a file, or when it can again (`None`).
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
        assert_eq!((status.conversation, status.transcript.as_deref()), (second, Some("/t.jsonl")));
    }

    #[test]
    fn a_solved_problem_is_not_published() {
        let (mut status, mut effects) =
            (RecordStatus::new(ConversationId(Uuid::nil()), None), Effects::default());
        status.on_trouble(Some("full".into()), &mut effects);
        assert_eq!((effects.take().len(), status.trouble.is_some()), (1, true));
        status.on_trouble(None, &mut effects);
        assert_eq!((effects.take().len(), status.trouble), (0, None));
    }
}
