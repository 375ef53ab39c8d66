//! An errand: what a host asks of the program beside it, because a host knows neither beads nor the
//! person's settings. JSON goes in, JSON comes out; the program is ours, under a hidden verb.
//!
//! So a host that nobody else is there for, no window and no engine, still gives its agent a fresh
//! recovery block and leaves its comments on the bead.

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

/// The version of [`Errand`] and [`Report`].
pub const ERRAND_VERSION: u32 = 1;

/// The hidden verb that runs one.
pub const ERRAND_VERB: &str = "errand";

/// What is wanted, and all that is known for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    /// [`ERRAND_VERSION`] of whoever wrote it.
    pub version: u32,
    /// The session.
    pub session: SessionId,
    /// The project's root.
    pub project_root: PathBuf,
    /// The session's working folder.
    pub cwd: PathBuf,
    /// Who the session is for the tracker.
    #[serde(default)]
    pub actor: Option<String>,
    /// The bead that the session was started on.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// What is remembered until now.
    pub stores: Stores,
    /// What is wanted.
    pub wanted: Wanted,
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// The recovery block as it is now.
    Block,
    /// What became of the session's beads; commits that wait for their comment get it.
    Look,
    /// The same, and a comment that says where the session stands: its conversation is about to be
    /// compacted.
    Checkpoint {
        /// The last thing that the agent said.
        last: String,
    },
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`ERRAND_VERSION`] of whoever wrote it.
    pub version: u32,
    /// What the stores must know, in order.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// How things are done in this project, and by this person.
    #[serde(default)]
    pub ways: Option<Ways>,
    /// The state of the session's own bead, where it was asked for: it is not in progress any more.
    #[serde(default)]
    pub bead_status: Option<BeadStatus>,
    /// The memories as the agent shall be told them, where the block was wanted and they could be read.
    #[serde(default)]
    pub memories: Option<String>,
    /// What did not work; it is tried again with the next errand.
    #[serde(default)]
    pub problems: Vec<String>,
}

/// How things are done in a project, and by a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ways {
    /// The words of the tracker.
    pub commands: Commands,
    /// After how many turns without a commit or a comment the agent is reminded; 0 never.
    pub remind_after: u64,
}

/// Why an errand came to nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ErrandError {
    /// The program could not be run to its end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It failed.
    #[error("{} {ERRAND_VERB} failed: {said}", .program.display())]
    Failed { program: PathBuf, said: String },
    /// It printed what is no report of this version.
    #[error("{} {ERRAND_VERB} printed no report", .program.display())]
    Unreadable {
        program: PathBuf,
        #[source]
        source: serde_json::Error,
    },
}

impl Errand {
    pub(crate) fn of(spec: &LaunchSpec, stores: Stores, wanted: Wanted) -> Errand {
        Errand {
            version: ERRAND_VERSION,
            session: spec.session,
            project_root: spec.project_root.clone(),
            cwd: spec.cwd.clone(),
            actor: spec.actor.clone(),
            bead: spec.bead.clone(),
            stores,
            wanted,
        }
    }

    /// Lets the program run it, within a time.
    pub(crate) fn run(&self, program: &Path, within: Duration) -> Result<Report, ErrandError> {
        let stdin = serde_json::to_vec(self).expect("an errand has string keys and always encodes");
        let done = Program::new(program)
            .arg(ERRAND_VERB)
            .cwd(&self.project_root)
            .stdin(stdin)
            .timeout(within)
            .cap(4 << 20)
            .run()?;
        let program = || program.to_owned();
        if !done.ok() {
            let said = bc_core::text::cut(&bc_core::text::one_line(&done.err()), 300);
            return Err(ErrandError::Failed { program: program(), said });
        }
        serde_json::from_slice(&done.stdout)
            .map_err(|source| ErrandError::Unreadable { program: program(), source })
    }
}
