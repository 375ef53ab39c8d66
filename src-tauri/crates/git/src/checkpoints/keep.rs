//! Makes checkpoints. Each is a snapshot with a record, under a reference that protects both from garbage
//! collection.

use super::{
    private_index::IndexCopy,
    record::{
        Checkpoint, CheckpointRecord, CheckpointTurn, Listed, PromptPlace, VERSION, message, reference,
    },
    snapshot::{LIMITS, TreeSnapshot},
};
use crate::{
    commit_builder::{FALLBACK_IDENTITY, ObjectId},
    error::GitError,
    program::refusal,
    repo::Repo,
};
use bc_core::{
    Timestamp,
    ids::SessionId,
    text::{cut, one_line},
};
use std::time::{Duration, Instant};

const DOING: &str = "keep a checkpoint";

/// The maximum number of checkpoints of a session; older ones are removed.
const KEPT: usize = 200;

/// The maximum number of prompts in one checkpoint's record.
const TURNS: usize = 50;

/// The maximum length of a prompt's first words in a record, in characters.
const WORDS: usize = 160;

/// The maximum number of attempts if another process takes the next number.
const ATTEMPTS: usize = 5;

/// A prompt that was sent to claude and starts a turn.
#[derive(Debug, Clone)]
pub struct NewTurn {
    pub prompt: String,
    pub at: Timestamp,
    /// The prompt's place in claude's transcript.
    pub place: PromptPlace,
}

/// The checkpoint that keeps the current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptState {
    pub checkpoint: Checkpoint,
    /// Whether the checkpoint is new; otherwise, the prompt was added to the session's last checkpoint.
    pub is_new: bool,
}

/// The checked-out commit and branch. No commit before the first one; no branch if HEAD is detached.
struct CheckedOut {
    commit: Option<ObjectId>,
    branch: Option<String>,
}

impl Repo {
    /// Keeps the state of the working tree before a prompt, with a time limit. If the session's last checkpoint
    /// has the same files, left-out files and HEAD, the prompt is added to its record, unless the record is full
    /// or of a restore.
    pub fn keep_before_prompt(
        &self,
        session: SessionId,
        turn: &NewTurn,
        within: Duration,
    ) -> Result<KeptState, GitError> {
        let (snapshot, index) = self.snapshot_with(Instant::now() + within, LIMITS)?;
        let head = self.checked_out()?;
        for _ in 0..ATTEMPTS {
            let last = self.checkpoints_of(session, &Listed::Last)?.pop();
            let prompts = last.as_ref().map_or(0, |last| last.record.prompts) + 1;
            let words = cut(&one_line(&turn.prompt), WORDS);
            let new = CheckpointTurn { turn: prompts, at: turn.at, words, place: turn.place.clone() };
            let same = last.as_ref().filter(|last| {
                last.tree == snapshot.tree
                    && last.head == head.commit
                    && last.record.restored.is_none()
                    && last.record.left_out == snapshot.left_out
                    && last.record.turns.len() < TURNS
            });
            let (place, record) = match same {
                Some(same) => {
                    let mut record = same.record.clone();
                    (record.at, record.prompts) = (turn.at, prompts);
                    record.turns.push(new);
                    ((same.number, Some(&same.commit)), record)
                }
                None => {
                    let record = described(&snapshot, &head, turn.at);
                    let record = CheckpointRecord { turns: vec![new], prompts, ..record };
                    ((last.as_ref().map_or(1, |last| last.number + 1), None), record)
                }
            };
            if let Some(checkpoint) = self.put(&index, session, place, &snapshot.tree, &head, record)? {
                let is_new = same.is_none();
                if is_new {
                    self.remove_oldest(session, checkpoint.number)?;
                }
                return Ok(KeptState { checkpoint, is_new });
            }
        }
        Err(self.raced())
    }

    /// Keeps uncommitted work without a prompt, with a time limit, unless the session's last checkpoint has it.
    /// Replaces that checkpoint if it also only keeps work ([`Checkpoint::is_work`]). Returns whether a checkpoint
    /// was made.
    pub fn keep_work(&self, session: SessionId, at: Timestamp, within: Duration) -> Result<bool, GitError> {
        let (snapshot, index) = self.snapshot_with(Instant::now() + within, LIMITS)?;
        let head = self.checked_out()?;
        for _ in 0..ATTEMPTS {
            let last = self.checkpoints_of(session, &Listed::Last)?.pop();
            let known =
                last.as_ref().is_some_and(|last| last.tree == snapshot.tree && last.head == head.commit);
            if known || snapshot.uncommitted == 0 {
                return Ok(false);
            }
            let record = CheckpointRecord {
                prompts: last.as_ref().map_or(0, |last| last.record.prompts),
                ..described(&snapshot, &head, at)
            };
            let place = match &last {
                Some(last) if last.is_work() => (last.number, Some(&last.commit)),
                last => (last.as_ref().map_or(1, |last| last.number + 1), None),
            };
            if let Some(kept) = self.put(&index, session, place, &snapshot.tree, &head, record)? {
                self.remove_oldest(session, kept.number)?;
                return Ok(true);
            }
        }
        Err(self.raced())
    }

    /// Keeps a snapshot before the restore of a checkpoint.
    pub(super) fn keep_before_restore(
        &self,
        session: SessionId,
        (snapshot, index): (&TreeSnapshot, &IndexCopy),
        to: u32,
        files: &[String],
        at: Timestamp,
    ) -> Result<Checkpoint, GitError> {
        let head = self.checked_out()?;
        for _ in 0..ATTEMPTS {
            let last = self.checkpoints_of(session, &Listed::Last)?.pop();
            let record = CheckpointRecord {
                prompts: last.as_ref().map_or(0, |last| last.record.prompts),
                restored: Some(to),
                restored_files: files.to_vec(),
                ..described(snapshot, &head, at)
            };
            let number = last.map_or(1, |last| last.number + 1);
            if let Some(kept) = self.put(index, session, (number, None), &snapshot.tree, &head, record)? {
                self.remove_oldest(session, kept.number)?;
                return Ok(kept);
            }
        }
        Err(self.raced())
    }

    /// Creates or replaces a checkpoint; `None` if another process changed its reference first.
    fn put(
        &self,
        index: &IndexCopy,
        session: SessionId,
        (number, seen): (u32, Option<&ObjectId>),
        tree: &ObjectId,
        head: &CheckedOut,
        record: CheckpointRecord,
    ) -> Result<Option<Checkpoint>, GitError> {
        let mut args = vec!["commit-tree", tree.as_str()];
        if let Some(head) = &head.commit {
            args.extend(["-p", head.as_str()]);
        }
        let message = message(&record).into_bytes();
        let commit = self.object(DOING, &args, &message, &FALLBACK_IDENTITY)?;
        let name = reference(session, number);
        let nothing = "0".repeat(commit.as_str().len());
        let seen = seen.map_or(nothing.as_str(), ObjectId::as_str);
        let args = ["update-ref", "--no-deref", &name, commit.as_str(), seen];
        let done = self.git().on_private_index(DOING, self.top_level(), &args, Vec::new(), &index.0)?;
        if done.ok() {
            let (tree, head) = (tree.clone(), head.commit.clone());
            return Ok(Some(Checkpoint { number, commit, tree, head, record }));
        }
        let now = self.reference(&name)?;
        match now.as_ref().map_or(nothing.as_str(), ObjectId::as_str) == seen {
            true => Err(refusal(DOING, self.top_level(), &done)),
            false => Ok(None),
        }
    }

    fn checked_out(&self) -> Result<CheckedOut, GitError> {
        let head = self.head()?;
        let commit = head.commit.as_deref().and_then(ObjectId::parsed);
        Ok(CheckedOut { commit, branch: head.branch.map(|branch| branch.to_string()) })
    }

    fn remove_oldest(&self, session: SessionId, last: u32) -> Result<(), GitError> {
        if last as usize <= KEPT {
            return Ok(());
        }
        let all = self.checkpoint_references(session)?;
        let spare = all.len().saturating_sub(KEPT);
        self.delete_references(&all[..spare])
    }

    fn raced(&self) -> GitError {
        let said = "another process makes checkpoints of this session at the same time".to_owned();
        GitError::Failed { doing: DOING, dir: self.top_level().to_owned(), said }
    }
}

fn described(snapshot: &TreeSnapshot, head: &CheckedOut, at: Timestamp) -> CheckpointRecord {
    CheckpointRecord {
        version: VERSION,
        at,
        prompts: 0,
        branch: head.branch.clone(),
        turns: Vec::new(),
        restored: None,
        restored_files: Vec::new(),
        uncommitted: snapshot.uncommitted,
        left_out: snapshot.left_out.clone(),
        submodules: snapshot.submodules,
    }
}
