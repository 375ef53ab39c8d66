//! Helper requests. A host cannot read beads or settings, so it runs a hidden command of our own program to
//! do that. The request and the report are JSON.
//!
//! Helper requests allow a host without a window or an engine to give its agent a fresh recovery block, and
//! to comment on the bead.

use crate::spec::LaunchSpec;
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, SessionId},
    recovery::{Change, Commands, Stores},
};
use bc_process::run::{Program, RunError};
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The version of [`HelperRequest`] and [`HelperReport`].
pub const HELPER_VERSION: u32 = 1;

/// The hidden command that runs a request.
pub const HELPER_VERB: &str = "errand";

/// A request with all the data that the program needs from the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HelperRequest {
    /// The writer's [`HELPER_VERSION`].
    pub version: u32,
    pub session: SessionId,
    pub project_root: PathBuf,
    /// The session's working folder.
    pub cwd: PathBuf,
    /// The session's actor name in the tracker.
    #[serde(default)]
    pub actor: Option<String>,
    /// The bead that the session was started on.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// The recovery stores collected so far.
    pub stores: Stores,
    #[serde(rename = "wanted")]
    pub task: HelperTask,
}

/// The task of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HelperTask {
    /// Creates the current recovery block and reads the memories.
    Block,
    /// Checks the session's beads, and posts the pending comments about commits.
    #[serde(rename = "look")]
    CheckBeads,
    /// Like `CheckBeads`, but also comments on the session's progress before its conversation is compacted.
    Checkpoint {
        /// The agent's last text.
        last: String,
    },
}

/// The result of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HelperReport {
    /// The writer's [`HELPER_VERSION`].
    pub version: u32,
    /// The changes to the recovery stores, in order.
    #[serde(default)]
    pub changes: Vec<Change>,
    #[serde(default, rename = "ways")]
    pub reminders: Option<ReminderSettings>,
    /// The status of the session's own bead, if beads may have changed and the session no longer has it in
    /// progress.
    #[serde(default)]
    pub bead_status: Option<BeadStatus>,
    /// The memories as text for the agent, if the block was requested and the memories could be read.
    #[serde(default)]
    pub memories: Option<String>,
    /// Problems, as text for users. The next request retries.
    #[serde(default)]
    pub problems: Vec<String>,
}

/// When and how the agent is reminded to comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReminderSettings {
    pub commands: Commands,
    /// The number of turns without a commit or a comment before a reminder; 0 disables reminders.
    pub remind_after: u64,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum HelperRequestError {
    /// The program could not be run, or exceeded its time limit.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{} {HELPER_VERB} failed: {stderr}", .program.display())]
    Failed { program: PathBuf, stderr: String },
    /// The output is not a valid report.
    #[error("{} {HELPER_VERB} printed no report", .program.display())]
    InvalidReport {
        program: PathBuf,
        #[source]
        source: serde_json::Error,
    },
}

impl HelperRequest {
    pub(crate) fn of(spec: &LaunchSpec, stores: Stores, task: HelperTask) -> HelperRequest {
        HelperRequest {
            version: HELPER_VERSION,
            session: spec.session,
            project_root: spec.project_root.clone(),
            cwd: spec.cwd.clone(),
            actor: spec.actor.clone(),
            bead: spec.bead.clone(),
            stores,
            task,
        }
    }

    /// Runs the program with this request and a time limit.
    pub(crate) fn run(&self, program: &Path, timeout: Duration) -> Result<HelperReport, HelperRequestError> {
        let stdin = serde_json::to_vec(self).expect("a request has string keys and always encodes");
        let output = Program::new(program)
            .arg(HELPER_VERB)
            .cwd(&self.project_root)
            .stdin(stdin)
            .timeout(timeout)
            .cap(4 << 20)
            .run()?;
        let program = || program.to_owned();
        if !output.ok() {
            let stderr = bc_core::text::cut(&bc_core::text::one_line(&output.err()), 300);
            return Err(HelperRequestError::Failed { program: program(), stderr });
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|source| HelperRequestError::InvalidReport { program: program(), source })
    }
}

/// Runs a helper request of a host at a place, with our own program on this machine.
///
/// # Errors
/// Returns the error as text for users and logs.
pub fn run_helper_request(
    program: &Path,
    request: &HelperRequest,
    timeout: Duration,
) -> Result<HelperReport, String> {
    request.run(program, timeout).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_programs_of_other_builds_read_the_same_names() {
        assert_eq!(serde_json::to_value(HelperTask::CheckBeads).unwrap(), "look");
        let commands = Commands { tracker: "bd".into(), reviews: false };
        let reminders = Some(ReminderSettings { commands, remind_after: 2 });
        let report = HelperReport { reminders, ..HelperReport::default() };
        assert_eq!(serde_json::to_value(&report).unwrap()["ways"]["remind_after"], 2);
    }
}
