//! Handles enum values of newer versions in our own fields. They are read as `None` or as the default, so
//! that the rest of the file stays readable. Saving the file drops such a value.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// The value; `None` if it is null or unknown to this build.
pub(crate) fn known<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let word = Option::<Value>::deserialize(deserializer)?;
    Ok(word.and_then(|word| serde_json::from_value(word).ok()))
}

/// The value, or the default if it is null or unknown to this build.
pub(crate) fn known_or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    known(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use crate::{
        message::{Message, MessageKind},
        mode::PermissionMode,
        session::{CloseReason, Meta, PauseReason},
    };
    use serde_json::{Value, json};

    fn message(kind: Value) -> Message {
        let line = json!({"id": "m", "role": "user", "content": "x", "timestamp": "2026-01-19T10:00:00Z", "kind": kind});
        serde_json::from_value(line).unwrap()
    }

    #[test]
    fn messages_of_future_kinds_are_kept() {
        assert_eq!(message(json!("dreamt")).kind, None);
        assert_eq!(message(json!({"of": "sheep"})).kind, None);
        assert_eq!(message(Value::Null).kind, None);
        assert_eq!(message(json!("compaction")).kind, Some(MessageKind::Compaction));
    }

    #[test]
    fn sessions_with_future_end_reasons_are_kept() {
        let meta = |reason: &str, mode: &str| -> Meta {
            let file = json!({
                "id": "00000000-0000-4000-8000-000000000001", "project_id": "p", "status": "closed",
                "created_at": "2026-01-19T10:00:00Z", "pause_reason": reason, "close_reason": reason, "mode": mode
            });
            serde_json::from_value(file).unwrap()
        };
        let strange = meta("moonlight", "telepathy");
        let read = (strange.pause_reason, strange.close_reason, strange.mode);
        assert_eq!(read, (None, None, PermissionMode::Manual));
        let plain = meta("user", "plan");
        let read = (plain.pause_reason, plain.close_reason, plain.mode);
        assert_eq!(read, (Some(PauseReason::User), Some(CloseReason::User), PermissionMode::Plan));
    }
}
