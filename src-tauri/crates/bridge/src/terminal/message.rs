//! A message to a client, independent of the transport. [`bc_core::terminal`] defines the contents.

use bc_wire::ApiError;

pub(super) use bc_core::terminal::HEADER;

/// A message to the client. Every transport, WebSocket or window, carries both kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A frame of output: the offset of its first byte (u64, little endian), then the bytes.
    Frame(Vec<u8>),
    /// JSON text; see [`bc_core::terminal::TerminalEvent`].
    Text(String),
}

/// The content of a text message, with the application's error type.
pub(super) type TerminalEvent<'a> = bc_core::terminal::TerminalEvent<&'a ApiError>;

impl From<TerminalEvent<'_>> for Outgoing {
    fn from(event: TerminalEvent<'_>) -> Outgoing {
        Outgoing::Text(event.json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_wire::ErrorCode;

    #[test]
    fn an_unavailable_terminal_reports_the_reason() {
        let error = ApiError::new(ErrorCode::SessionNotFound, "there is no such session");
        let json =
            r#"{"type":"error","error":{"code":"session_not_found","message":"there is no such session"}}"#;
        assert_eq!(Outgoing::from(TerminalEvent::Error { error: &error }), Outgoing::Text(json.to_owned()));
    }
}
