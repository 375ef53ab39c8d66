//! Commands on backups: status, backup, restore, and the tracker's own remote.

use bc_core::{Timestamp, backup::Kind};
use serde::{Deserialize, Serialize};

/// Parameters of `backup.run`. Absent ones follow the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupRunParams {
    /// Whether to push it to the remote.
    #[serde(default)]
    pub push: Option<bool>,
    /// Whether conversations are in it.
    #[serde(default)]
    pub transcripts: Option<bool>,
    /// Whether to keep possible secrets in titles and conversations.
    #[serde(default)]
    pub keep_secrets: bool,
    /// Whether a session's end is the reason; then the settings decide whether to back up.
    #[serde(default)]
    pub at_end: bool,
}

/// How much there is of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupCounts {
    /// Beads.
    pub beads: u32,
    /// Memories, forgotten ones too.
    pub memories: u32,
    /// Records of sessions.
    pub sessions: u32,
    /// Of how many of them the conversation is there.
    pub transcripts: u32,
}

/// The answer of `backup.run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupDone {
    /// Whether anything changed since the last backup, so that there is a new commit.
    pub changed: bool,
    /// The branch's commit; absent if the settings disable the backup, or another backup is about to start.
    #[serde(default)]
    pub commit: Option<String>,
    /// What is in it.
    pub counts: BackupCounts,
    /// How many secrets were redacted.
    pub secrets_removed: u32,
    /// The result of the push.
    pub push: BackupPush,
    /// What is not in it, and why.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The result of a push.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum BackupPush {
    /// Not requested.
    NotWanted,
    /// There is no remote, or it is ambiguous.
    NoRemote,
    /// Pushed.
    Done {
        /// Its name.
        remote: String,
    },
    /// It failed; the next backup retries it.
    Failed {
        /// The remote's name.
        remote: String,
        /// The error message.
        error: String,
    },
}

/// Parameters of `backup.status`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupStatusParams {
    /// Whether the tracker's program is asked for its remotes, which takes seconds.
    #[serde(default)]
    pub tracker: bool,
}

/// The three places where a project's beads, memories and sessions are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupStatus {
    /// On this machine.
    pub local: LocalTier,
    /// On a branch of the repository.
    pub branch: BranchTier,
    /// Where the tracker itself sends its beads.
    pub tracker: TrackerTier,
}

/// What is on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LocalTier {
    /// The tracker's word: `bd`, `br`, `embedded`, `read_only`.
    pub tracker: String,
    /// How many sessions have a record.
    pub sessions: u32,
    /// What is wrong with it.
    #[serde(default)]
    pub problem: Option<String>,
}

/// What is on the branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BranchTier {
    /// Whether a backup is made when a session ends.
    pub at_end: bool,
    /// Whether that one is pushed.
    pub push: bool,
    /// Whether conversations are in it.
    pub transcripts: bool,
    /// The branch's name.
    pub branch: String,
    /// When a backup was last made from this clone, whether or not there was anything new.
    #[serde(default)]
    pub last_at: Option<Timestamp>,
    /// The commit that the branch stands on.
    #[serde(default)]
    pub commit: Option<String>,
    /// What is in it.
    #[serde(default)]
    pub counts: Option<BackupCounts>,
    /// The remote that it is pushed to.
    #[serde(default)]
    pub remote: Option<String>,
    /// Commits that the remote has not, as far as was seen last.
    #[serde(default)]
    pub ahead: u32,
    /// Commits of the remote that are not here.
    #[serde(default)]
    pub behind: u32,
    /// When it was last pushed from this clone.
    #[serde(default)]
    pub last_push_at: Option<Timestamp>,
    /// Why the last push failed; it is tried again with the next backup.
    #[serde(default)]
    pub push_error: Option<String>,
    /// Why the last backup failed, or what it had to leave out.
    #[serde(default)]
    pub problem: Option<String>,
}

/// What the tracker can do without Beads Console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerTier {
    /// Whether the tracker has such a thing as remotes.
    pub possible: bool,
    /// Its remotes; absent where it was not asked.
    #[serde(default)]
    pub remotes: Option<Vec<TrackerRemote>>,
    /// Why they are not known.
    #[serde(default)]
    pub problem: Option<String>,
}

/// A remote of the tracker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerRemote {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub url: String,
}

/// Parameters of `backup.sync_tracker`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncTrackerParams {
    /// Which way.
    pub direction: SyncDirection,
}

/// Which way beads go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SyncDirection {
    /// To the tracker's remote.
    Push,
    /// From there.
    Pull,
}

/// What the tracker's program said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerSynced {
    /// On one line.
    pub said: String,
}

/// Parameters of `backup.preview` and `backup.restore`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreParams {
    /// A branch, tag or commit with a backup; the branch of this clone and the remote's, in one, unless given.
    #[serde(default)]
    pub from: Option<String>,
    /// Whether the remote is asked first.
    #[serde(default)]
    pub fetch: bool,
}

/// What a restore does, or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Restore {
    /// The commits that it is from.
    pub from: Vec<String>,
    /// When the last of them was made.
    #[serde(default)]
    pub made_at: Option<Timestamp>,
    /// What is in the backup.
    pub counts: BackupCounts,
    /// Beads, memories and sessions that are not as they are in the backup; at most 500 of them.
    pub items: Vec<RestoreItem>,
    /// How many of each there are.
    pub beads: RestoreCounts,
    /// Of memories.
    pub memories: RestoreCounts,
    /// Of sessions.
    pub sessions: RestoreCounts,
    /// Whether the tracker has no database on this machine yet: it makes one first.
    pub fresh_tracker: bool,
    /// What could not be read, and what was not done.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// What becomes of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreCounts {
    /// Not here yet.
    pub added: u32,
    /// Later in the backup than here.
    pub changed: u32,
    /// Later here than in the backup: left alone.
    pub kept: u32,
    /// The same.
    pub same: u32,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreItem {
    /// What it is.
    pub kind: RestoreKind,
    /// A bead's or a session's id, a memory's key.
    pub key: String,
    /// Its title in the backup.
    pub title: String,
    /// What becomes of it.
    pub change: RestoreChange,
}

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RestoreKind {
    /// A bead.
    Bead,
    /// A memory.
    Memory,
    /// A session.
    Session,
}

impl From<Kind> for RestoreKind {
    fn from(kind: Kind) -> RestoreKind {
        match kind {
            Kind::Beads => RestoreKind::Bead,
            Kind::Memories => RestoreKind::Memory,
            Kind::Sessions => RestoreKind::Session,
        }
    }
}

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RestoreChange {
    /// It is not here yet.
    Added,
    /// It is here in an earlier state.
    Changed,
    /// It is later here, and stays.
    Kept,
}
