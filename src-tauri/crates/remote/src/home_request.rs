//! Requests that are answered by the user's machine, because beads and settings are there.

use bc_core::ids::SessionId;
use bc_host::{HelperReport, HelperRequest};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HomeRequest {
    Helper(Box<HelperRequest>),
    Command(CommandRequest),
}

/// A command on beads or memories that an agent runs at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRequest {
    pub session: SessionId,
    pub tool: Tool,
    /// The arguments after the program's name.
    pub args: Vec<String>,
    /// Standard input, if an argument asks for it.
    pub stdin: Option<String>,
}

/// The program of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    Bd,
    /// `beads-console`.
    Console,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandOutput {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HomeAnswer {
    Helper(Box<HelperReport>),
    Command(CommandOutput),
}

impl HomeRequest {
    pub(crate) fn session(&self) -> SessionId {
        match self {
            HomeRequest::Helper(request) => request.session,
            HomeRequest::Command(request) => request.session,
        }
    }
}
