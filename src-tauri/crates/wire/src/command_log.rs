//! Logging of each command of the contract: its name, session, duration and result.
//!
//! Parameters and results are never logged, because they contain conversations. An error's message is logged
//! only if its code guarantees that the message does not quote the user's text.

use crate::{ApiError, ErrorCode};
use bc_core::ids::SessionId;
use serde::Serialize;
use serde_json::Value;
use std::time::Instant;

/// Runs a command and logs it.
pub(crate) fn logged<R>(
    method: &'static str,
    session: Option<&str>,
    run: impl FnOnce() -> Result<R, ApiError>,
) -> Result<R, ApiError> {
    let _in = tracing::info_span!("command", method, session).entered();
    let started = Instant::now();
    let result = run();
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match &result {
        Ok(_) => tracing::debug!(ms, "command done"),
        Err(error) => {
            let code = error.code.as_str();
            match error.code.is_diagnostic() {
                true => tracing::warn!(ms, code, error = error.message, "command failed"),
                false => tracing::info!(ms, code, "command refused"),
            }
        }
    }
    result
}

/// The session that a command's parameters name; `None` for commands that are not about one session.
pub(crate) fn session_of(method: &str, params: &impl Serialize) -> Option<String> {
    // The parameters of other commands may be large, so they are not serialized only for a log line.
    if !method.starts_with("session.") {
        return None;
    }
    session_in(method, &serde_json::to_value(params).ok()?)
}

/// Like [`session_of`], for parameters that are already JSON.
pub(crate) fn session_in(method: &str, params: &Value) -> Option<String> {
    if !method.starts_with("session.") {
        return None;
    }
    // Any other text may be the user's, and must not be logged.
    let id: SessionId = params.get("id")?.as_str()?.parse().ok()?;
    Some(id.to_string())
}

impl ErrorCode {
    /// The code's name in JSON.
    pub fn as_str(self) -> String {
        match serde_json::to_value(self) {
            Ok(Value::String(name)) => name,
            _ => format!("{self:?}"),
        }
    }

    /// Whether the message is about the program, its tools or the system, and does not quote the user's text.
    fn is_diagnostic(self) -> bool {
        use ErrorCode::*;
        matches!(
            self,
            TrackerTimeout
                | TrackerFailed
                | GitFailed
                | HostUnreachable
                | EngineUnreachable
                | ClaudeExited
                | DiskFull
                | ReadOnly
                | Io
                | Internal
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_session_commands_with_a_valid_id_have_a_session() {
        let id = "0b8f3c1e-8e0a-4c59-9e3e-0a8f3c1e8e0a";
        let check = |method, params: Value, expect: Option<&str>| {
            assert_eq!(session_of(method, &params).as_deref(), expect, "{method} {params}");
        };
        check("session.send", json!({"id": id, "text": "hello"}), Some(id));
        check("session.send", json!({"id": "a secret text", "text": "hello"}), None);
        check("bead.show", json!({"id": id}), None);
        check("session.list", json!({}), None);
    }

    #[test]
    fn codes_have_their_contract_names() {
        assert_eq!(ErrorCode::NoBeads.as_str(), "no_beads");
    }
}
