//! One message to a client, for any transport. What they mean is [`bc_core::terminal`]'s.

use bc_wire::ApiError;

pub(super) use bc_core::terminal::HEADER;

/// One message to the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A frame: the offset of its first byte (u64, little endian), then the bytes.
    Frame(Vec<u8>),
    /// JSON: see [`bc_core::terminal::Told`].
    Text(String),
}

/// What the texts say, with the application's errors.
pub(super) type Told<'a> = bc_core::terminal::Told<&'a ApiError>;

impl From<Told<'_>> for Outgoing {
    fn from(told: Told<'_>) -> Outgoing {
        Outgoing::Text(told.json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_wire::ErrorCode;

    #[test]
    fn a_terminal_that_cannot_be_had_says_why() {
        let error = ApiError::new(ErrorCode::SessionNotFound, "there is no such session");
        let said =
            r#"{"type":"error","error":{"code":"session_not_found","message":"there is no such session"}}"#;
        assert_eq!(Outgoing::from(Told::Error { error: &error }), Outgoing::Text(said.to_owned()));
    }
}
