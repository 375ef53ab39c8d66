//! What is remembered of a session's work on beads: `recovery.json`.
//!
//! Pure transitions: a claim sets, a close clears, a turn counts. Who sees these things happen is the
//! session's host; who writes the file is whoever holds the session.

use super::Facts;
use crate::{Extra, ids::BeadId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of [`Stores`] that this build writes.
pub const STORES_VERSION: u32 = 1;

/// How many files are remembered for a bead.
const FILES_MAX: usize = 2_000;
/// How many commits are remembered as commented on.
const COMMITS_MAX: usize = 500;

/// What is remembered; see the module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stores {
    /// The format's version.
    pub version: u32,
    /// The bead that is worked on.
    #[serde(default)]
    pub current_bead: Option<BeadId>,
    /// Files edited for each bead, relative to the session's folder.
    #[serde(default)]
    pub edited_files: BTreeMap<BeadId, BTreeSet<String>>,
    /// How many turns there were, and the last one with a commit or a comment.
    #[serde(default)]
    pub checkpoint: CheckpointState,
    /// Whether something was edited since the last checkpoint.
    #[serde(default)]
    pub edited_since: bool,
    /// Commits that have their comment, or need none.
    #[serde(default)]
    pub commits: Vec<String>,
    /// Commits that wait for theirs.
    #[serde(default)]
    pub uncommented: Vec<MadeCommit>,
    /// What the tracker said last, and the mark that tells whether that still holds.
    #[serde(default)]
    pub known: Option<Known>,
    /// The last block that was made: what is given where no fresh one can be had in time.
    #[serde(default)]
    pub last_block: Option<String>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How far a session has come since it last left something behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointState {
    /// The turn of the last commit or comment.
    pub last_checkpoint_turn: u64,
    /// Turns until now.
    pub turn_index: u64,
    /// The turn of the last reminder.
    #[serde(default)]
    pub reminded_turn: u64,
}

/// A commit that was made while a bead was worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeCommit {
    /// The full hash.
    pub hash: String,
    /// The first line of its message.
    pub subject: String,
    /// The bead.
    pub bead: BeadId,
}

/// What somebody found out or did that the stores must know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// [`Stores::claim`].
    Claimed(BeadId),
    /// [`Stores::close`].
    Closed(BeadId),
    /// [`Stores::checkpointed`].
    Checkpointed,
    /// [`Stores::commented_on`].
    CommentedOn(String),
    /// What the tracker says now.
    Known(Box<Known>),
    /// The block as it was made last.
    Block(String),
}

/// What a tracker said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Differs after every change of the tracker.
    pub mark: String,
    /// The beads in progress that are the session's.
    #[serde(default)]
    pub held: BTreeSet<BeadId>,
    /// The current bead.
    #[serde(default)]
    pub facts: Option<Facts>,
    /// How many comments it has.
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
    /// A bead was claimed: it is the current one, with nothing edited for it yet. Claimed again it
    /// stays as it is.
    pub fn claim(&mut self, bead: &BeadId) {
        if self.current_bead.as_ref() == Some(bead) {
            return;
        }
        self.current_bead = Some(bead.clone());
        self.edited_files.insert(bead.clone(), BTreeSet::new());
        self.checkpoint = CheckpointState::default();
        self.edited_since = false;
    }

    /// A bead was closed, or is the session's no more: what was edited for it.
    pub fn close(&mut self, bead: &BeadId) -> BTreeSet<String> {
        let files = self.edited_files.remove(bead).unwrap_or_default();
        if self.current_bead.as_ref() == Some(bead) {
            self.current_bead = None;
            self.checkpoint = CheckpointState::default();
            self.edited_since = false;
        }
        files
    }

    /// A file was edited, for the current bead where there is one; whether that is new.
    pub fn edited(&mut self, path: &str) -> bool {
        let Some(bead) = &self.current_bead else { return false };
        let files = self.edited_files.entry(bead.clone()).or_default();
        let new = files.len() < FILES_MAX && files.insert(path.to_owned());
        !std::mem::replace(&mut self.edited_since, true) || new
    }

    /// What was edited for a bead.
    pub fn files(&self, bead: &BeadId) -> BTreeSet<String> {
        self.edited_files.get(bead).cloned().unwrap_or_default()
    }

    /// A turn is over.
    pub fn turn_over(&mut self) {
        self.checkpoint.turn_index += 1;
    }

    /// A commit or a comment was made.
    pub fn checkpointed(&mut self) {
        self.checkpoint.last_checkpoint_turn = self.checkpoint.turn_index;
        self.edited_since = false;
    }

    /// Whether there is something to tell since the last checkpoint.
    pub fn has_news(&self) -> bool {
        self.edited_since || self.turns_since() > 0
    }

    /// Turns since the last checkpoint.
    pub fn turns_since(&self) -> u64 {
        self.checkpoint.turn_index.saturating_sub(self.checkpoint.last_checkpoint_turn)
    }

    /// Whether that many turns went by without a commit, a comment or a reminder; 0 never. Without a
    /// bead there is nothing to leave a comment on.
    pub fn reminder_due(&self, after: u64) -> bool {
        let state = &self.checkpoint;
        let last = state.last_checkpoint_turn.max(state.reminded_turn);
        after > 0 && self.current_bead.is_some() && state.turn_index.saturating_sub(last) >= after
    }

    /// A reminder was given.
    pub fn reminded(&mut self) {
        self.checkpoint.reminded_turn = self.checkpoint.turn_index;
    }

    /// A commit was made for the current bead, if there is one; whether it waits for its comment now.
    pub fn committed(&mut self, hash: &str, subject: &str) -> bool {
        let Some(bead) = self.current_bead.clone() else { return false };
        let known = self.commits.iter().chain(self.uncommented.iter().map(|commit| &commit.hash));
        if known.into_iter().any(|known| known == hash) {
            return false;
        }
        self.uncommented.push(MadeCommit { hash: hash.to_owned(), subject: subject.to_owned(), bead });
        true
    }

    /// A commit has its comment, or needs none.
    pub fn commented_on(&mut self, hash: &str) {
        self.uncommented.retain(|commit| commit.hash != hash);
        if !self.commits.iter().any(|known| known == hash) {
            self.commits.push(hash.to_owned());
        }
        let excess = self.commits.len().saturating_sub(COMMITS_MAX);
        self.commits.drain(..excess);
    }

    /// Lets a change happen.
    pub fn apply(&mut self, change: Change) {
        match change {
            Change::Claimed(bead) => self.claim(&bead),
            Change::Closed(bead) => drop(self.close(&bead)),
            Change::Checkpointed => self.checkpointed(),
            Change::CommentedOn(hash) => self.commented_on(&hash),
            Change::Known(known) => self.known = Some(*known),
            Change::Block(text) => self.last_block = Some(text),
        }
    }
}
