//! Errors of a tracker: one variant per error that a caller handles.

use bc_core::{bead::BeadStatus, ids::BeadId};
use bc_process::run::RunError;
use bc_store::FileError;
use std::{path::PathBuf, time::Duration};

/// A tracker could not be opened, read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrackerError {
    #[error("no beads found in {}; create them with `beads-console init`", root.display())]
    NoBeads { root: PathBuf },
    #[error("{} already has beads", beads_dir.display())]
    AlreadyThere { beads_dir: PathBuf },
    /// The target of `.beads/redirect` is not an existing folder.
    #[error("{} names {target:?}, which is not a folder; correct it or remove it", file.display())]
    BadRedirect { file: PathBuf, target: String },
    /// `.beads/redirect` came with the repository and leads out of it.
    #[error(
        "{} in the repository points outside of it, to {}; remove it from git (`git rm --cached`) if you trust its target",
        file.display(), target.display()
    )]
    RedirectOutside { file: PathBuf, target: PathBuf },
    /// The program that owns the beads is not installed, and no JSONL file can be shown instead.
    #[error("the beads in {} need {program}, which was not found in PATH; {install}", beads_dir.display())]
    ProgramMissing { program: &'static str, beads_dir: PathBuf, install: &'static str },
    /// A fresh clone: the files name the tracker, but its database is not on this machine.
    #[error("the database of {program} is missing on this machine; run `{program} bootstrap` in the project")]
    DatabaseMissing { program: &'static str },
    /// The program found under the tracker's name is a different one.
    #[error("{} is not the bead tracker {wanted}: its version output is {said:?}; put the right one first in PATH or name it in {variable}", program.display())]
    WrongProgram {
        wanted: &'static str,
        program: PathBuf,
        /// The program's output, shortened.
        said: String,
        /// The variable that names the right program.
        variable: &'static str,
    },
    #[error("{} is version {version}; {needed} or newer is needed: {install}", program.display())]
    TooOld {
        program: PathBuf,
        version: String,
        /// The required version.
        needed: &'static str,
        install: &'static str,
    },
    /// The program exceeded its deadline and was stopped.
    #[error("`{program} {operation}` did not answer within {after:?} and was stopped; another {program} may have locked the beads in {}: end it and try again", beads_dir.display())]
    TimedOut { program: &'static str, operation: &'static str, after: Duration, beads_dir: PathBuf },
    #[error("cannot run `{program} {operation}`")]
    Run {
        program: &'static str,
        operation: &'static str,
        #[source]
        source: RunError,
    },
    /// The Dolt server with the beads does not answer.
    #[error(
        "cannot reach the Dolt server with the beads: {said}; start it with `bd dolt start` in the project, or correct its address with `bd dolt set`"
    )]
    ServerUnreachable { said: String },
    /// Another process kept the beads locked until the last attempt or the time limit.
    #[error("the beads in {} are locked by another process ({said}); try again", beads_dir.display())]
    Busy {
        beads_dir: PathBuf,
        /// The program's message, or our reason.
        said: String,
    },
    /// The program refused for a reason without its own variant.
    #[error("`{program} {operation}` failed: {said}")]
    Failed { program: &'static str, operation: &'static str, said: String },
    /// The program's answer could not be parsed.
    #[error("unexpected output of `{program} {operation}`: {said:?}")]
    Unreadable {
        program: &'static str,
        operation: &'static str,
        /// The output, shortened.
        said: String,
    },
    /// The bead does not exist.
    #[error("there is no bead {id}")]
    NotFound { id: BeadId },
    /// Another user or session holds the bead.
    #[error("{id} is claimed by {by}; ask them, or choose another bead")]
    ClaimedByOther { id: BeadId, by: String },
    #[error("{id} is closed; reopen it first (status open)")]
    AlreadyClosed { id: BeadId },
    /// The bead's status or a rule of the tracker forbids the operation.
    #[error("{operation} {id} was refused: {why}")]
    Refused { operation: &'static str, id: BeadId, why: String },
    #[error("invalid {field}: {why}")]
    InvalidInput {
        field: &'static str,
        /// The broken rule.
        why: String,
    },
    /// The tracker reported success, but the record shows otherwise.
    #[error(
        "{operation} {id} was reported as done, but reading it back shows {found}; check the bead before trying again"
    )]
    NotPersisted {
        operation: &'static str,
        id: BeadId,
        /// The state found when reading the bead back.
        found: String,
    },
    /// The status must be added to the tracker's configuration, which needs the user's consent.
    #[error("the tracker does not know the status {}; adding it to its configuration (status.custom) needs your consent", status.as_str())]
    NeedsConsent { status: BeadStatus },
    #[error("the beads are read-only here: {why}")]
    ReadOnly {
        /// The reason and the remedy.
        why: String,
    },
    /// The bead changed since the version that the user edited.
    #[error("{id} changed since you opened it; load its current version and edit that")]
    Changed { id: BeadId },
    /// The dependency would close a cycle of blocking dependencies and parents, or lead from the bead to
    /// itself.
    #[error("the dependency would close a cycle: {}", cycle(path))]
    Cycle {
        /// The beads of the cycle: each depends on the next, and the last on the first. Only the changed bead
        /// if the tracker's program detected the cycle.
        path: Vec<BeadId>,
    },
    /// The tracker does not support the operation, or cannot store a value.
    #[error("{why}")]
    Unsupported { why: String },
    /// The file contains merge conflict markers.
    #[error("{} has conflict markers (line {line}); resolve the merge first; nothing was written", path.display())]
    Conflict {
        path: PathBuf,
        /// The line of the first marker, from 1.
        line: usize,
    },
    /// A program took over the beads after they were opened.
    #[error("{} now belongs to another tracker; open the project again", beads_dir.display())]
    Superseded { beads_dir: PathBuf },
    /// A file could not be read or written.
    #[error("{operation} failed")]
    File {
        operation: &'static str,
        #[source]
        source: FileError,
    },
}

/// The error for an operation that the bead's status or a rule forbids.
pub(crate) fn refused<T>(
    operation: &'static str,
    id: &BeadId,
    why: impl Into<String>,
) -> Result<T, TrackerError> {
    Err(TrackerError::Refused { operation, id: id.clone(), why: why.into() })
}

/// The error for a comment that was reported as stored and cannot be found.
pub(crate) fn no_such_comment(id: &BeadId) -> TrackerError {
    TrackerError::NotPersisted {
        operation: "commenting on",
        id: id.clone(),
        found: "no such comment".to_owned(),
    }
}

/// The beads of a cycle as text: "a → b → c → a". Beads after the eighth are replaced by "…".
fn cycle(path: &[BeadId]) -> String {
    const MOST: usize = 8;
    let mut shown: Vec<&str> = path.iter().take(MOST).map(BeadId::as_str).collect();
    if path.len() > MOST {
        shown.push("…");
    }
    shown.extend(path.first().map(BeadId::as_str));
    shown.join(" → ")
}
