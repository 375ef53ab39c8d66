//! Requests and answers on the engine's socket: one JSON object per line.
//!
//! The engine greets with [`Hello`]. It acknowledges a request before it acts on it, so a client whose connection
//! breaks before that may safely retry it elsewhere.

use crate::ApiError;
use serde::{Deserialize, Serialize};

/// The version of this line protocol.
pub const PROTOCOL: u32 = 1;

/// The engine's greeting.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`] of the engine.
    pub protocol: u32,
    /// The engine's process.
    pub pid: u32,
}

/// One request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Chosen by the client, repeated in the answer.
    pub id: u64,
    /// The method, `session.start`.
    pub method: String,
    /// Its parameters.
    pub params: serde_json::Value,
}

/// One line of the engine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The request was read and is being worked on.
    Ack {
        /// Of the request.
        id: u64,
    },
    /// It is done.
    Result {
        /// Of the request.
        id: u64,
        /// What the method returns.
        result: serde_json::Value,
    },
    /// It failed.
    Error {
        /// Of the request.
        id: u64,
        /// Why.
        error: ApiError,
    },
}
