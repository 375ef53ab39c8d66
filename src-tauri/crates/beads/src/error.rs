//! What can go wrong with a tracker, one variant per thing that somebody acts on.

use bc_core::{bead::BeadStatus, ids::BeadId};
use bc_process::run::RunError;
use bc_store::FileError;
use std::{path::PathBuf, time::Duration};

/// A tracker that could not be opened, asked or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrackerError {
    /// The project has no beads.
    #[error("there are no beads in {}; `beads-console init` starts with them", root.display())]
    NoBeads {
        /// The project.
        root: PathBuf,
    },
    /// The project has beads already.
    #[error("{} has beads already", beads_dir.display())]
    AlreadyThere {
        /// Where.
        beads_dir: PathBuf,
    },
    /// `.beads/redirect` leads nowhere.
    #[error("{} names {target:?}, which is no folder; correct it or remove it", file.display())]
    BadRedirect {
        /// The file.
        file: PathBuf,
        /// What it names.
        target: String,
    },
    /// The program that the beads belong to is not installed, and there is no JSONL to show.
    #[error("the beads in {} belong to {program}, which was not found in PATH; {install}", beads_dir.display())]
    ProgramMissing {
        /// Its name.
        program: &'static str,
        /// Where the beads are.
        beads_dir: PathBuf,
        /// What to do.
        install: &'static str,
    },
    /// A fresh clone: the tracker's files say whose the beads are, and its database is not there.
    #[error(
        "the beads belong to {program}, and their database is not on this machine; run `{program} bootstrap` in the project"
    )]
    DatabaseMissing {
        /// The program's name.
        program: &'static str,
    },
    /// Another program has the name.
    #[error("{} is not the bead tracker {wanted}: asked for its version it said {said:?}; put the right one first in PATH or name it in {variable}", program.display())]
    WrongProgram {
        /// What was wanted.
        wanted: &'static str,
        /// What was found.
        program: PathBuf,
        /// What it printed, cut.
        said: String,
        /// The variable that names the right one.
        variable: &'static str,
    },
    /// The program is too old to be spoken to.
    #[error("{} is version {version}; {needed} or newer is needed: {install}", program.display())]
    TooOld {
        /// The program.
        program: PathBuf,
        /// What it is.
        version: String,
        /// What is wanted.
        needed: &'static str,
        /// What to do.
        install: &'static str,
    },
    /// The program was still at it at its deadline and was stopped.
    #[error("`{program} {operation}` did not answer within {after:?} and was stopped; another {program} may hold the beads in {}: end it and try again", beads_dir.display())]
    TimedOut {
        /// The program's name.
        program: &'static str,
        /// What was asked of it.
        operation: &'static str,
        /// The deadline.
        after: Duration,
        /// Where the beads are.
        beads_dir: PathBuf,
    },
    /// The program could not be run.
    #[error("`{program} {operation}` could not be run")]
    Run {
        /// The program's name.
        program: &'static str,
        /// What was asked of it.
        operation: &'static str,
        /// Why.
        #[source]
        source: RunError,
    },
    /// Somebody else held the beads for as long as we tried.
    #[error("the beads in {} are held by somebody else ({said}); try again", beads_dir.display())]
    Busy {
        /// Where the beads are.
        beads_dir: PathBuf,
        /// What was said about it.
        said: String,
    },
    /// The program said no, for a reason that nobody acts on.
    #[error("`{program} {operation}` failed: {said}")]
    Failed {
        /// The program's name.
        program: &'static str,
        /// What was asked of it.
        operation: &'static str,
        /// What it said.
        said: String,
    },
    /// The program answered with something that is not understood.
    #[error("the answer of `{program} {operation}` is not understood: {said:?}")]
    Unreadable {
        /// The program's name.
        program: &'static str,
        /// What was asked of it.
        operation: &'static str,
        /// What it said, cut.
        said: String,
    },
    /// No bead has this id.
    #[error("there is no bead {id}")]
    NotFound {
        /// The id.
        id: BeadId,
    },
    /// Somebody else has the bead.
    #[error("{id} is {by}'s; ask them, or choose another bead")]
    ClaimedByOther {
        /// The bead.
        id: BeadId,
        /// Its assignee.
        by: String,
    },
    /// The bead is closed.
    #[error("{id} is closed; reopen it first (status open)")]
    AlreadyClosed {
        /// The bead.
        id: BeadId,
    },
    /// The bead's state, or a rule of the tracker, forbids it.
    #[error("{operation} {id} was refused: {why}")]
    Refused {
        /// What was to be done.
        operation: &'static str,
        /// The bead.
        id: BeadId,
        /// The rule.
        why: String,
    },
    /// What was given cannot be stored.
    #[error("the {field} cannot be stored: {why}")]
    InvalidInput {
        /// Which part of it.
        field: &'static str,
        /// The rule that it breaks.
        why: String,
    },
    /// The tracker said yes, and the record says no.
    #[error(
        "{operation} {id} was reported done, but reading it back shows {found}; look at the bead before trying again"
    )]
    NotPersisted {
        /// What was to be done.
        operation: &'static str,
        /// The bead.
        id: BeadId,
        /// What is there.
        found: String,
    },
    /// The state has to be added to the tracker's configuration, and nobody was asked.
    #[error("the tracker does not know the state {}; adding it to its configuration (status.custom) needs your consent", status.as_str())]
    NeedsConsent {
        /// The state.
        status: BeadStatus,
    },
    /// The beads can only be read.
    #[error("the beads are read-only here: {why}")]
    ReadOnly {
        /// Why, and what to do.
        why: String,
    },
    /// A merge left its markers in the file.
    #[error("{} has conflict markers (line {line}); resolve the merge first, nothing was written", path.display())]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The first marker, from 1.
        line: usize,
    },
    /// Since it was opened, a program took the beads over.
    #[error("{} belongs to another tracker by now; open the project again", beads_dir.display())]
    Superseded {
        /// Where the beads are.
        beads_dir: PathBuf,
    },
    /// A file could not be read or written.
    #[error("{operation} failed")]
    File {
        /// What was to be done.
        operation: &'static str,
        /// Which file, and why.
        #[source]
        source: FileError,
    },
}
