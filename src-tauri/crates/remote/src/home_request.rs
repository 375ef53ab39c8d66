//! Requests from a place that the user's machine answers, because the beads and the settings are on that
//! machine.

use crate::{programs::OWN_NAME, verbs::TRACKER};
use bc_core::{Timestamp, ids::SessionId};
use bc_host::{HelperReport, HelperRequest};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HomeRequest {
    Helper(Box<HelperRequest>),
    Command(CommandRequest),
    Change(ChangeCommand),
}

/// A command on beads or memories that an agent at a place runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRequest {
    pub session: SessionId,
    pub tool: Tool,
    /// The arguments after the program name.
    pub args: Vec<String>,
    /// The standard input, if an argument requests it.
    pub stdin: Option<String>,
}

impl CommandRequest {
    /// The command line for messages, with unquoted arguments.
    pub(crate) fn line(&self) -> String {
        [self.tool.program()]
            .into_iter()
            .chain(self.args.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// A command that changes beads or memories. It runs only once, even if it arrives twice. It can wait until
/// the user's machine is reachable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangeCommand {
    pub(crate) id: CommandId,
    /// When the agent ran the command, according to the place's clock.
    pub(crate) at: Timestamp,
    pub(crate) command: CommandRequest,
}

/// Identifies one run of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct CommandId(Uuid);

impl CommandId {
    pub(crate) fn new() -> CommandId {
        CommandId(Uuid::new_v4())
    }
}

/// The program that a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    Bd,
    Console,
}

impl Tool {
    /// The name of the program, as the agent starts it.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Tool::Bd => TRACKER,
            Tool::Console => OWN_NAME,
        }
    }
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
            HomeRequest::Change(change) => change.command.session,
        }
    }
}
