//! The two forms of an answer: a tree of values for clients that inspect it, and its text for clients that
//! forward it.

use crate::{ApiError, ErrorCode};
use serde::Serialize;
use serde_json::Value;

/// A form of an answer: [`Value`] or [`Text`].
pub trait Answer: Sized {
    /// Converts a method's result.
    ///
    /// # Errors
    /// The result cannot be serialized.
    fn of<T: Serialize>(result: T) -> Result<Self, ApiError>;

    /// Converts a JSON result that another process sent.
    fn of_value(value: Value) -> Self;
}

impl Answer for Value {
    fn of<T: Serialize>(result: T) -> Result<Value, ApiError> {
        serde_json::to_value(result).map_err(not_serializable)
    }

    fn of_value(value: Value) -> Value {
        value
    }
}

/// An answer as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(pub String);

impl Answer for Text {
    fn of<T: Serialize>(result: T) -> Result<Text, ApiError> {
        serde_json::to_string(&result).map(Text).map_err(not_serializable)
    }

    fn of_value(value: Value) -> Text {
        Text(value.to_string())
    }
}

fn not_serializable(error: serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Internal, format!("cannot serialize an answer: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::bead::BeadStatus;

    #[test]
    fn both_forms_are_equivalent() {
        let result = (BeadStatus::InReview, Some("ein \"Text\" – größer"), u64::MAX, -1.5f64, None::<u8>);
        let Text(text) = Text::of(&result).unwrap();
        let value = <Value as Answer>::of(&result).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(Text::of_value(value), Text(text));
    }
}
