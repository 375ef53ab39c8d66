//! Requests and answers on the engine's socket: one JSON object per line.
//!
//! The engine greets with [`Hello`]. It acknowledges a request before it executes the request. If the
//! connection breaks before the acknowledgement, a client can therefore safely send the request elsewhere.

use crate::ApiError;
use serde::{Deserialize, Serialize};

/// The version of this line protocol.
pub const PROTOCOL: u32 = 1;

/// The first line that the engine sends on a connection.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hello {
    /// The engine's version of this protocol, [`PROTOCOL`].
    pub protocol: u32,
    /// The engine's process id.
    pub pid: u32,
    /// Whether the engine supports [`Request::person`]; older engines do not.
    #[serde(default)]
    pub people: bool,
}

/// One request from a client.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// A number chosen by the client and repeated in the answer.
    pub id: u64,
    pub method: String,
    pub params: serde_json::Value,
    /// The person for whom the command is carried out; by default the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// One line from the engine in answer to a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The request was accepted and is being processed.
    Ack { id: u64 },
    /// The request succeeded.
    Result { id: u64, result: serde_json::Value },
    /// The request failed.
    Error { id: u64, error: ApiError },
}
