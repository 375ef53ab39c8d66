//! Requests of a place that the user's machine answers, because it has the beads and settings.

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

impl CommandRequest {
    /// The command line for messages, as the agent typed it.
    pub(crate) fn line(&self) -> String {
        let program = match self.tool {
            Tool::Bd => "bd",
            Tool::Console => "beads-console",
        };
        [program].into_iter().chain(self.args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }
}

/// A command that changes beads or memories. It runs only once, even if it arrives twice, and can wait until
/// the user's machine is reachable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangeCommand {
    pub(crate) id: CommandId,
    /// When the agent ran the command, by the place's clock.
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
            HomeRequest::Change(change) => change.command.session,
        }
    }
}
