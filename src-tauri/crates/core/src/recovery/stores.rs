//! The record of a session's work on beads: `recovery.json`.
//!
//! Pure transitions: a claim sets the current bead, a release removes it, and a completed turn is counted.
//! The session's host observes these events; the holder of the session's lock writes the file.

use super::Facts;
use crate::{Extra, ids::BeadId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of [`Stores`] that this build writes.
pub const STORES_VERSION: u32 = 1;

/// The maximum number of remembered files per bead.
const FILES_MAX: usize = 2_000;
/// The maximum number of remembered commits that have a comment.
const COMMITS_MAX: usize = 500;

/// The content of `recovery.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stores {
    pub version: u32,
    #[serde(default)]
    pub current_bead: Option<BeadId>,
    /// Files edited for each bead, relative to the session's folder if inside it.
    #[serde(default)]
    pub edited_files: BTreeMap<BeadId, BTreeSet<String>>,
    /// The number of turns, and the last turn with a commit or comment.
    #[serde(default)]
    pub checkpoint: CheckpointState,
    /// Whether files were edited since the last commit or comment.
    #[serde(default)]
    pub edited_since: bool,
    /// Commits that have a comment or do not need one.
    #[serde(default)]
    pub commits: Vec<String>,
    /// Commits that still need a comment.
    #[serde(default)]
    pub uncommented: Vec<MadeCommit>,
    /// The tracker's last answer, and the mark that shows whether it is current.
    #[serde(default)]
    pub known: Option<Known>,
    /// The last recovery block, used if a new one is not available in time.
    #[serde(default)]
    pub last_block: Option<String>,
    /// Unknown fields of other versions, which are kept.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Turn counters for the current bead. They are reset when the bead is claimed or released.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointState {
    /// The turn of the last commit or comment.
    pub last_checkpoint_turn: u64,
    /// The number of completed turns since the last reset.
    pub turn_index: u64,
    /// The turn of the last reminder.
    #[serde(default)]
    pub reminded_turn: u64,
}

/// A commit made while working on a bead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeCommit {
    pub hash: String,
    /// The first line of the commit message.
    pub subject: String,
    pub bead: BeadId,
}

/// A change to apply to the stores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Calls [`Stores::claim`].
    Claimed(BeadId),
    /// Calls [`Stores::release`].
    #[serde(rename = "closed")]
    Released(BeadId),
    /// Calls [`Stores::record_progress`].
    #[serde(rename = "checkpointed")]
    ProgressRecorded,
    /// The hash of a commit that has a comment or does not need one; see [`Stores::commented_on`].
    CommentedOn(String),
    /// The tracker's current answer.
    Known(Box<Known>),
    Block(String),
}

/// A tracker's answer about the session's beads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The tracker's mark at the time of the answer. If the mark is unchanged, no bead has changed.
    pub mark: String,
    #[serde(rename = "held", default)]
    pub in_progress: BTreeSet<BeadId>,
    /// The current bead's data.
    #[serde(default)]
    pub facts: Option<Facts>,
    #[serde(default)]
    pub comments: usize,
}

impl Default for Stores {
    fn default() -> Self {
        Stores {
            version: STORES_VERSION,
            current_bead: None,
            edited_files: BTreeMap::new(),
            checkpoint: CheckpointState::default(),
            edited_since: false,
            commits: Vec::new(),
            uncommented: Vec::new(),
            known: None,
            last_block: None,
            extra: Extra::new(),
        }
    }
}

impl Stores {
    /// Sets the current bead after a claim, and resets its edited files and the counted turns. A repeated
    /// claim changes nothing.
    pub fn claim(&mut self, bead: &BeadId) {
        if self.current_bead.as_ref() == Some(bead) {
            return;
        }
        self.current_bead = Some(bead.clone());
        self.edited_files.insert(bead.clone(), BTreeSet::new());
        self.checkpoint = CheckpointState::default();
        self.edited_since = false;
    }

    /// Removes a bead that was closed or released. Returns the files edited for it.
    pub fn release(&mut self, bead: &BeadId) -> BTreeSet<String> {
        let files = self.edited_files.remove(bead).unwrap_or_default();
        if self.current_bead.as_ref() == Some(bead) {
            self.current_bead = None;
            self.checkpoint = CheckpointState::default();
            self.edited_since = false;
        }
        files
    }

    /// Records an edited file for the current bead. Returns whether the stores changed.
    pub fn edited(&mut self, path: &str) -> bool {
        let Some(bead) = &self.current_bead else { return false };
        let files = self.edited_files.entry(bead.clone()).or_default();
        let new = files.len() < FILES_MAX && files.insert(path.to_owned());
        !std::mem::replace(&mut self.edited_since, true) || new
    }

    /// The files edited for a bead.
    pub fn files(&self, bead: &BeadId) -> BTreeSet<String> {
        self.edited_files.get(bead).cloned().unwrap_or_default()
    }

    /// Counts a completed turn.
    pub fn turn_over(&mut self) {
        self.checkpoint.turn_index += 1;
    }

    /// Marks the current turn as the last one with a commit or comment.
    pub fn record_progress(&mut self) {
        self.checkpoint.last_checkpoint_turn = self.checkpoint.turn_index;
        self.edited_since = false;
    }

    /// Whether files were edited or turns ended since the last commit or comment.
    pub fn has_news(&self) -> bool {
        self.edited_since || self.turns_since() > 0
    }

    /// The number of turns since the last commit or comment.
    pub fn turns_since(&self) -> u64 {
        self.checkpoint.turn_index.saturating_sub(self.checkpoint.last_checkpoint_turn)
    }

    /// Whether a reminder is due: the session has a current bead, and `after` turns passed without a commit,
    /// comment or reminder. Never due if `after` is 0.
    pub fn reminder_due(&self, after: u64) -> bool {
        let state = &self.checkpoint;
        let last = state.last_checkpoint_turn.max(state.reminded_turn);
        after > 0 && self.current_bead.is_some() && state.turn_index.saturating_sub(last) >= after
    }

    /// Records a reminder.
    pub fn reminded(&mut self) {
        self.checkpoint.reminded_turn = self.checkpoint.turn_index;
    }

    /// Records a commit for the current bead, so that it needs a comment. Returns false and changes nothing
    /// if there is no current bead or the commit is known.
    pub fn committed(&mut self, hash: &str, subject: &str) -> bool {
        let Some(bead) = self.current_bead.clone() else { return false };
        let known = self.commits.iter().chain(self.uncommented.iter().map(|commit| &commit.hash));
        if known.into_iter().any(|known| known == hash) {
            return false;
        }
        self.uncommented.push(MadeCommit { hash: hash.to_owned(), subject: subject.to_owned(), bead });
        true
    }

    /// Records that a commit has a comment or does not need one.
    pub fn commented_on(&mut self, hash: &str) {
        self.uncommented.retain(|commit| commit.hash != hash);
        if !self.commits.iter().any(|known| known == hash) {
            self.commits.push(hash.to_owned());
        }
        let excess = self.commits.len().saturating_sub(COMMITS_MAX);
        self.commits.drain(..excess);
    }

    /// Applies a change, in most cases with the method named in [`Change`].
    pub fn apply(&mut self, change: Change) {
        match change {
            Change::Claimed(bead) => self.claim(&bead),
            Change::Released(bead) => drop(self.release(&bead)),
            Change::ProgressRecorded => self.record_progress(),
            Change::CommentedOn(hash) => self.commented_on(&hash),
            Change::Known(known) => self.known = Some(*known),
            Change::Block(text) => self.last_block = Some(text),
        }
    }
}
