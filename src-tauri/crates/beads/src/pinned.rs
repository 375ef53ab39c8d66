//! Beads that are kept and never work: pinned rows with all their fields, for whoever keeps something in
//! a tracker that is no task. What it means is not this crate's business.
//!
//! Only where a program keeps the beads; a project without one keeps such things in a file of its own.

use crate::{
    Actor, Environment, Layout, TrackerError, TrackerKind,
    cli::{self, Cli},
    detect::{absolute, locate, program},
};
use bc_core::ids::BeadId;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};

/// A pinned bead to make, or what one shall be from now on.
#[derive(Debug, Clone, PartialEq)]
pub struct PinnedBead {
    /// The id that it shall have; a tracker that gives its own ids passes it over.
    pub id: BeadId,
    /// One line, at most 500 characters.
    pub title: String,
    /// Markdown, of any length.
    pub description: String,
    /// `task`, `feature`, `chore` …
    pub issue_type: String,
    /// 0 to 4.
    pub priority: u8,
    /// No commas in them.
    pub labels: Vec<String>,
    /// Whose it is.
    pub assignee: Option<String>,
    /// More about it. A tracker that has no place for it has it in a block of the notes.
    pub metadata: Map<String, Value>,
}

/// A pinned bead that is not there yet, as the row that it shall be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPinned {
    /// All its fields, in the form of an export.
    pub row: Map<String, Value>,
    /// The text that the tracker itself is to remember with it, and its key.
    pub text: Option<(String, String)>,
}

/// Rows that are kept, and the short texts that a tracker itself remembers under a key.
pub trait PinnedBeads: Send + Sync {
    /// Whose program.
    fn kind(&self) -> TrackerKind;
    /// What ids begin with.
    fn prefix(&self) -> String;
    /// Every row with a label that begins like this, closed ones too, with all fields.
    fn rows(&self, label_prefix: &str) -> Result<Vec<Map<String, Value>>, TrackerError>;
    /// Makes a pinned bead, or makes the one of that id like this. The id that it has.
    fn keep(&self, bead: &PinnedBead, known: Option<&BeadId>, actor: &Actor) -> Result<BeadId, TrackerError>;
    /// Makes many that are not there yet in one run of the program; `false` where it has no such way. What of them
    /// was made is seen by reading.
    fn make_many(&self, _new: &[NewPinned], _actor: &Actor) -> Result<bool, TrackerError> {
        Ok(false)
    }
    /// Adds fields to the metadata, where the row has those already known.
    fn note(&self, id: &BeadId, metadata: &Map<String, Value>, actor: &Actor) -> Result<(), TrackerError>;
    /// Pinned again, or closed for this reason.
    fn set_closed(&self, id: &BeadId, reason: Option<&str>, actor: &Actor) -> Result<(), TrackerError>;
    /// The child depends on the parent in this way.
    fn link(&self, child: &BeadId, parent: &BeadId, kind: &str, actor: &Actor) -> Result<(), TrackerError>;
    /// It does not depend on it any more.
    fn unlink(&self, child: &BeadId, parent: &BeadId, actor: &Actor) -> Result<(), TrackerError>;

    /// The tracker's own texts by key; `None` where it has no such thing.
    fn texts(&self) -> Result<Option<BTreeMap<String, String>>, TrackerError>;
    /// Whether a text can be one of them.
    fn takes_text(&self, text: &str) -> bool;
    /// Puts a text under a key; whether another one was there.
    fn put_text(&self, key: &str, text: &str) -> Result<bool, TrackerError>;
    /// Removes it. That there is none is no error.
    fn drop_text(&self, key: &str) -> Result<(), TrackerError>;
}

/// The pinned beads of a project whose tracker is a program; `None` where it has no such tracker, or the
/// program is not installed.
pub fn open_pinned(
    project_root: &Path,
    environment: &Environment,
) -> Result<Option<Box<dyn PinnedBeads>>, TrackerError> {
    let root = absolute(project_root);
    let Some(beads) = locate(&root, environment)? else { return Ok(None) };
    let (name, named) = match beads.layout {
        Layout::Dolt => ("bd", environment.bd.as_ref()),
        Layout::Br => ("br", environment.br.as_ref()),
        Layout::Jsonl | Layout::ClassicBd => return Ok(None),
    };
    let Some(program) = program(name, named, environment) else { return Ok(None) };
    let cli = Cli::new(name, program, &root, &beads.path, environment);
    Ok(Some(match beads.layout {
        Layout::Br => Box::new(cli::PinnedBr::new(cli)),
        _ => Box::new(cli::PinnedBd::new(cli)),
    }))
}

/// What ids begin with in a folder whose tracker was not asked: by its configuration, else by its database's name.
pub fn id_prefix(beads_dir: &Path) -> String {
    crate::jsonl::configured_prefix(beads_dir)
        .or_else(|| crate::place::metadata(beads_dir).get("dolt_database")?.as_str().map(str::to_owned))
        .filter(|prefix| crate::jsonl::is_prefix(prefix))
        .unwrap_or_else(|| "mem".to_owned())
}
