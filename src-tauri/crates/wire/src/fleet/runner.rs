//! Commands on runners: the ways in which agents' programs run elsewhere.

use serde::{Deserialize, Serialize};

/// Parameters of `fleet.runner_probe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RunnerProbeParams {
    /// Which runner; `local` is this machine.
    pub name: String,
}

/// Parameters of `fleet.command_words`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommandWordsParams {
    /// Command lines as the user wrote them.
    pub lines: Vec<String>,
}

/// Command lines, split into words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommandWords {
    /// One entry per line; `null` if a quote is not closed.
    pub words: Vec<Option<Vec<String>>>,
}

/// The capabilities of a runner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RunnerProbe {
    /// Its name.
    pub name: String,
    /// The command line that an agent would be started with there, its arguments left out.
    pub command: Vec<String>,
    /// Whether its probe succeeded; `null` where it has none.
    pub probe: Option<bool>,
    /// Whether a command ran there.
    pub reached: bool,
    /// The output of a failed probe.
    pub said: String,
    /// What a session there has.
    pub parts: Vec<RunnerPart>,
}

/// Something that a session may have, or not, where a runner runs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RunnerPart {
    /// What.
    pub what: RunnerHas,
    /// Whether it does.
    pub there: bool,
    /// What that means, and where it is not there what to do.
    pub means: String,
}

/// What a session may have elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RunnerHas {
    /// A terminal.
    Terminal,
    /// The project's folders, at the same place.
    Folder,
    /// Claude.
    Program,
    /// Claude's hooks, heard by the session's host.
    Hooks,
    /// Claude's transcript, read by the session's host.
    Transcript,
    /// Prompts that only the user can read. A runner's command line shows them to every user of this machine.
    PrivatePrompts,
}
