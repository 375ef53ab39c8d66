//! The parameters and results of commands for runners: the user's command lines that run claude elsewhere.

use serde::{Deserialize, Serialize};

/// Parameters of `fleet.runner_probe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RunnerProbeParams {
    /// The runner's name; `local` stands for this machine.
    pub name: String,
}

/// Parameters of `fleet.command_words`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommandWordsParams {
    /// The command lines as entered.
    pub lines: Vec<String>,
}

/// Command lines, split into words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommandWords {
    /// One entry per line; `null` if a quote is not closed.
    pub words: Vec<Option<Vec<String>>>,
}

/// The result of checking a runner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RunnerProbe {
    pub name: String,
    /// The command line that starts claude with the runner, without claude's arguments.
    pub command: Vec<String>,
    /// Whether the runner's probe succeeded; `null` if it has no probe.
    pub probe: Option<bool>,
    /// Whether a command could run with the runner.
    pub reached: bool,
    /// The output of a failed probe, or the reason why no command could run; otherwise empty.
    pub said: String,
    /// The capabilities of a session with the runner.
    pub parts: Vec<RunnerPart>,
}

/// A capability that a runner may lack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RunnerPart {
    pub what: RunnerHas,
    pub there: bool,
    /// The effect on a session, and the remedy if the capability is missing.
    pub means: String,
}

/// The capabilities that a runner may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RunnerHas {
    Terminal,
    /// The project's folders, at the same path.
    Folder,
    /// Claude.
    Program,
    /// Claude's hooks, received by the session's host.
    Hooks,
    /// Claude's transcript, read by the session's host.
    Transcript,
    /// Prompts that other users of this machine cannot see; a runner's command line shows them.
    PrivatePrompts,
}
