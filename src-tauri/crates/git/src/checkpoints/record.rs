//! Checkpoint records, which are stored as JSON in commit messages, and the references of checkpoints.

use crate::{commit_builder::ObjectId, error::GitError, program::succeeded, repo::Repo};
use bc_core::{
    Timestamp,
    ids::{ConversationId, SessionId},
};
use serde::{Deserialize, Serialize};

/// The prefix of the references of all checkpoints.
pub(super) const FOLDER: &str = "refs/beads-console/checkpoints";

/// The current version of [`CheckpointRecord`].
pub(super) const VERSION: u32 = 1;

/// The start of the line of a commit message that contains the record as JSON.
const TRAILER: &str = "Beads-Console-Checkpoint: ";

/// The maximum number of left-out files that a record names; further ones are only counted.
const NAMED: usize = 200;

/// A checkpoint of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of the checkpoint in the session, from 1.
    pub number: u32,
    /// The commit under the reference.
    pub commit: ObjectId,
    pub tree: ObjectId,
    /// The commit that was checked out; `None` before the first commit.
    pub head: Option<ObjectId>,
    /// The facts stored in the commit's message.
    pub record: CheckpointRecord,
}

impl Checkpoint {
    /// Whether the checkpoint was made only to keep uncommitted work: without a prompt or a restore.
    pub fn is_work(&self) -> bool {
        self.record.turns.is_empty() && self.record.restored.is_none()
    }

    /// The full name of the checkpoint's reference.
    pub fn reference(&self, session: SessionId) -> String {
        reference(session, self.number)
    }
}

/// The facts about a checkpoint that its commit's message contains as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    pub version: u32,
    /// When the checkpoint was made, or when the last prompt was added to it.
    pub at: Timestamp,
    /// The number of prompts in the session so far.
    pub prompts: u32,
    /// The branch that was checked out; `None` for a detached HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The prompts that were sent when the tree was in this state. Empty if the checkpoint was made without a
    /// prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<CheckpointTurn>,
    /// If this checkpoint was made before a restore, the number of the restored checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<u32>,
    /// The restored files, if not all were restored; folders end in `/`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restored_files: Vec<String>,
    /// The number of files with uncommitted changes.
    #[serde(default)]
    pub uncommitted: u32,
    /// The files that are not in the checkpoint.
    #[serde(default)]
    pub left_out: LeftOut,
    /// The number of submodules, which restores do not change.
    #[serde(default)]
    pub submodules: u32,
}

/// A prompt in a checkpoint's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointTurn {
    /// The number of the prompt in the session, from 1.
    pub turn: u32,
    pub at: Timestamp,
    /// The prompt's first words.
    pub words: String,
    /// The prompt's place in claude's transcript.
    #[serde(default, skip_serializing_if = "PromptPlace::is_unknown")]
    pub place: PromptPlace,
}

/// The place of a prompt in claude's transcript, as far as claude has reported it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptPlace {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    /// Claude's id of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

impl PromptPlace {
    fn is_unknown(&self) -> bool {
        *self == PromptPlace::default()
    }
}

/// Files that are not in a checkpoint. Restores do not change them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The first files, up to a limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LeftOutFile>,
    /// The number of further files, which are not named.
    #[serde(default)]
    pub more: u32,
}

/// A file that is not in a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutFile {
    /// The path relative to the tree.
    pub path: String,
    pub why: LeftOutReason,
}

/// Why a file is not in a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    /// The file is too large, or all changed files together are too large.
    TooLarge,
    /// There are too many untracked files.
    TooMany,
    /// The file cannot be read.
    Unreadable,
    /// A folder with its own repository.
    Repository,
    /// A reason that a later version of this program wrote.
    #[serde(other)]
    Other,
}

impl LeftOut {
    pub(super) fn push(&mut self, path: String, why: LeftOutReason) {
        match self.files.len() < NAMED {
            true => self.files.push(LeftOutFile { path, why }),
            false => self.more += 1,
        }
    }

    /// Whether the record names this file or a folder that contains it. Files that are only counted in `more`
    /// are not found.
    pub(super) fn covers(&self, path: &str) -> bool {
        self.files.iter().any(|file| match file.path.strip_suffix('/') {
            Some(folder) => path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
            None => file.path == path,
        })
    }
}

/// The reference of a session's checkpoint. The number is padded, so that names sort by it.
pub(crate) fn reference(session: SessionId, number: u32) -> String {
    format!("{FOLDER}/{session}/{number:06}")
}

pub(super) fn message(record: &CheckpointRecord) -> String {
    let title = match (&record.turns.last(), record.restored) {
        (Some(turn), _) => format!("Checkpoint before prompt {}", turn.turn),
        (None, Some(number)) => format!("Checkpoint before the restore of {number}"),
        (None, None) => "Checkpoint".to_owned(),
    };
    let json = serde_json::to_string(record).expect("a record has string keys and always encodes");
    format!("{title}\n\n{TRAILER}{json}\n")
}

fn decode(message: &str) -> Option<CheckpointRecord> {
    let line = message.lines().find_map(|line| line.strip_prefix(TRAILER))?;
    serde_json::from_str(line).ok()
}

pub(super) enum Listed {
    All,
    Last,
    One(u32),
}

impl Repo {
    /// The session's checkpoints, oldest first. References without a readable record are left out.
    pub fn checkpoints(&self, session: SessionId) -> Result<Vec<Checkpoint>, GitError> {
        self.checkpoints_of(session, &Listed::All)
    }

    /// The session's checkpoint with this number; `None` if it does not exist or its record is unreadable.
    pub fn checkpoint(&self, session: SessionId, number: u32) -> Result<Option<Checkpoint>, GitError> {
        Ok(self.checkpoints_of(session, &Listed::One(number))?.pop())
    }

    pub(super) fn checkpoints_of(
        &self,
        session: SessionId,
        part: &Listed,
    ) -> Result<Vec<Checkpoint>, GitError> {
        // Each entry ends with NUL and the control character 1, which JSON does not contain.
        let format = "--format=%(refname)%00%(objectname)%00%(tree)%00%(parent)%00%(contents)%00%01";
        let (options, pattern) = match part {
            Listed::All => (&[][..], format!("{FOLDER}/{session}/")),
            Listed::Last => (&["--count=1", "--sort=-refname"][..], format!("{FOLDER}/{session}/")),
            Listed::One(number) => (&[][..], reference(session, *number)),
        };
        let args = [&["for-each-ref", format], options, &[&pattern]].concat();
        let done = self.git().read("list checkpoints", self.top_level(), args)?;
        let text = done.out();
        Ok(text.split("\0\u{1}").filter_map(parse).collect())
    }

    /// The names of the session's checkpoint references, oldest first, with their commits.
    pub(super) fn checkpoint_references(
        &self,
        session: SessionId,
    ) -> Result<Vec<(String, String)>, GitError> {
        let folder = format!("{FOLDER}/{session}/");
        let args = ["for-each-ref", "--format=%(refname) %(objectname)", &folder];
        let done = self.git().read("list checkpoints", self.top_level(), args)?;
        let text = done.out();
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        Ok(pairs.map(|(name, hash)| (name.to_owned(), hash.to_owned())).collect())
    }

    /// Deletes these references: all or none. Fails if one of them no longer points to its commit.
    pub(super) fn delete_references(&self, references: &[(String, String)]) -> Result<(), GitError> {
        const DOING: &str = "remove checkpoints";
        if references.is_empty() {
            return Ok(());
        }
        let commands: String =
            references.iter().map(|(name, hash)| format!("delete {name}\0{hash}\0")).collect();
        let args = ["update-ref", "--stdin", "-z"];
        let done = self.git().make(DOING, self.top_level(), &args, commands.as_bytes(), &[])?;
        succeeded(DOING, self.top_level(), done).map(drop)
    }

    /// Deletes all checkpoints of a session. Git's garbage collection frees their space.
    pub fn delete_checkpoints(&self, session: SessionId) -> Result<(), GitError> {
        let references = self.checkpoint_references(session)?;
        self.delete_references(&references)
    }
}

fn parse(part: &str) -> Option<Checkpoint> {
    let mut fields = part.trim_start_matches('\n').splitn(5, '\0');
    let (name, commit, tree, parents) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let number = name.rsplit('/').next()?.parse().ok()?;
    let head = parents.split(' ').next().filter(|hash| !hash.is_empty());
    Some(Checkpoint {
        number,
        commit: ObjectId::parsed(commit)?,
        tree: ObjectId::parsed(tree)?,
        head: head.and_then(ObjectId::parsed),
        record: decode(fields.next()?)?,
    })
}
