//! Stored beads that are never work: pinned rows with all fields, for callers that store data other than
//! tasks in a tracker. This crate does not interpret them.
//!
//! Only trackers that are programs (bd, br) have pinned beads; in other projects, callers use a separate
//! file.

use crate::{Actor, TrackerError, TrackerKind};
use bc_core::ids::BeadId;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};

/// The new content of a pinned bead.
#[derive(Debug, Clone, PartialEq)]
pub struct PinnedBead {
    /// The id of a new bead; ignored by trackers that assign their own.
    pub id: BeadId,
    /// One line, at most 500 characters.
    pub title: String,
    /// Markdown.
    pub description: String,
    /// `task`, `feature`, `chore` …
    pub issue_type: String,
    /// 0 to 4.
    pub priority: u8,
    /// The labels; none contains a comma.
    pub labels: Vec<String>,
    pub assignee: Option<String>,
    /// Additional data. Trackers without metadata store it in a block of the notes.
    pub metadata: Map<String, Value>,
}

/// A new pinned bead as a complete row.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPinned {
    /// All fields, in the export format.
    pub row: Map<String, Value>,
    /// A key and a value for the tracker's own store.
    pub text: Option<(String, String)>,
}

/// Stored rows, and the tracker's own short values by key.
pub trait PinnedBeads: Send + Sync {
    fn kind(&self) -> TrackerKind;
    fn prefix(&self) -> String;
    /// Every row with a label with this prefix, including closed ones, with all fields.
    fn rows(&self, label_prefix: &str) -> Result<Vec<Map<String, Value>>, TrackerError>;
    /// Creates a pinned bead, or updates the known one. Returns its id.
    fn keep(&self, bead: &PinnedBead, known: Option<&BeadId>, actor: &Actor) -> Result<BeadId, TrackerError>;
    /// Creates many new beads in one run of the program; `false` if the program does not support that. The caller
    /// reads the rows to see which were created.
    fn make_many(&self, _new: &[NewPinned], _actor: &Actor) -> Result<bool, TrackerError> {
        Ok(false)
    }
    /// Adds these fields to a row's metadata, or replaces their values. Other fields of the metadata stay.
    fn note(&self, id: &BeadId, metadata: &Map<String, Value>, actor: &Actor) -> Result<(), TrackerError>;
    /// Closes the bead with this reason; without one, pins it again.
    fn set_closed(&self, id: &BeadId, reason: Option<&str>, actor: &Actor) -> Result<(), TrackerError>;
    /// Adds a dependency of this kind from the child to the parent.
    fn link(&self, child: &BeadId, parent: &BeadId, kind: &str, actor: &Actor) -> Result<(), TrackerError>;
    /// Removes the dependency of the child on the parent.
    fn unlink(&self, child: &BeadId, parent: &BeadId, actor: &Actor) -> Result<(), TrackerError>;

    /// The tracker's own values by key; `None` if it does not support them.
    fn texts(&self) -> Result<Option<BTreeMap<String, String>>, TrackerError>;
    /// Whether this text can be stored with [`Self::put_text`].
    fn takes_text(&self, text: &str) -> bool;
    /// Stores a value under a key. Returns whether it replaced another one.
    fn put_text(&self, key: &str, text: &str) -> Result<bool, TrackerError>;
    /// Removes a value. A missing key is not an error.
    fn drop_text(&self, key: &str) -> Result<(), TrackerError>;
}

/// The prefix of ids without running the tracker: from its configuration, or from its database's name, or
/// else `mem`.
pub fn id_prefix(beads_dir: &Path) -> String {
    crate::jsonl::configured_prefix(beads_dir)
        .or_else(|| crate::place::metadata(beads_dir).get("dolt_database")?.as_str().map(str::to_owned))
        .filter(|prefix| crate::jsonl::is_prefix(prefix))
        .unwrap_or_else(|| "mem".to_owned())
}
