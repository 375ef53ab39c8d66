//! The parameters and results of commands for backups: status, backup, restore, and the tracker's own remote.

use bc_core::{Timestamp, backup::Kind};
use serde::{Deserialize, Serialize};

/// Parameters of `backup.run`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct BackupRunParams {
    /// Whether to push the backup to the remote. If absent, a backup at a session's end follows the settings,
    /// and other backups are not pushed. A failed push is always retried.
    pub push: Option<bool>,
    /// Whether to include conversations. If absent, the settings decide.
    pub transcripts: Option<bool>,
    /// Whether to keep possible secrets in titles and conversations, instead of redacting them.
    pub keep_secrets: bool,
    /// Whether the backup was requested because a session ended. The settings then decide whether to back up.
    pub at_end: bool,
}

/// The numbers of records in a backup, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupCounts {
    pub beads: u32,
    /// Memories, including forgotten ones.
    pub memories: u32,
    pub sessions: u32,
    /// Session records with a conversation.
    pub transcripts: u32,
}

/// The result of `backup.run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupDone {
    /// Whether a new commit was made, because the data differs from the last backup, or the remote had other
    /// records.
    pub changed: bool,
    /// The branch's commit; absent if a backup at a session's end was skipped.
    #[serde(default)]
    pub commit: Option<String>,
    pub counts: BackupCounts,
    /// The number of redacted secrets.
    pub secrets_removed: u32,
    pub push: BackupPush,
    /// Data that is missing from the backup, with the reasons.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The result of a push.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum BackupPush {
    /// No push was requested.
    NotWanted,
    /// The repository has no remote, or several remotes without a default.
    NoRemote,
    /// The push succeeded.
    Done { remote: String },
    /// The push failed. The next backup retries it.
    Failed { remote: String, error: String },
}

/// Parameters of `backup.status`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupStatusParams {
    /// Whether to ask the tracker's program for its remotes, which takes seconds.
    #[serde(default)]
    pub tracker: bool,
}

/// The state of the three places (tiers) that store a project's beads, memories and sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BackupStatus {
    pub local: LocalTier,
    /// The branch of the repository.
    pub branch: BranchTier,
    /// The tracker's own remote.
    pub tracker: TrackerTier,
}

/// The data on this machine: the tracker's beads and the session records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LocalTier {
    /// The kind of tracker: `bd`, `br`, `embedded` or `read_only`; empty if it cannot be opened.
    pub tracker: String,
    /// The number of session records.
    pub sessions: u32,
    /// Why the data cannot be read; absent if it can.
    #[serde(default)]
    pub problem: Option<String>,
}

/// The state of the backup branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BranchTier {
    /// Whether a backup is made when a session ends.
    pub at_end: bool,
    /// Whether the backup at a session's end is pushed.
    pub push: bool,
    /// Whether backups include conversations.
    pub transcripts: bool,
    pub branch: String,
    /// The time of the last backup from this clone, even if nothing had changed.
    #[serde(default)]
    pub last_at: Option<Timestamp>,
    #[serde(default)]
    pub commit: Option<String>,
    #[serde(default)]
    pub counts: Option<BackupCounts>,
    /// The remote to push to.
    #[serde(default)]
    pub remote: Option<String>,
    /// The number of commits that the remote lacks, as of the last fetch or push.
    #[serde(default)]
    pub ahead: u32,
    /// The number of the remote's commits that the local branch lacks.
    #[serde(default)]
    pub behind: u32,
    /// The time of the last push from this clone.
    #[serde(default)]
    pub last_push_at: Option<Timestamp>,
    /// The error of the last push. The next backup retries the push.
    #[serde(default)]
    pub push_error: Option<String>,
    /// Why the last backup failed or is incomplete.
    #[serde(default)]
    pub problem: Option<String>,
}

/// The tracker's own synchronization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerTier {
    /// Whether the tracker supports remotes.
    pub possible: bool,
    /// The tracker's remotes; absent if the tracker was not queried.
    #[serde(default)]
    pub remotes: Option<Vec<TrackerRemote>>,
    /// Why the remotes are unknown.
    #[serde(default)]
    pub problem: Option<String>,
}

/// A remote repository to which the tracker itself pushes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerRemote {
    pub name: String,
    pub url: String,
}

/// Parameters of `backup.sync_tracker`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncTrackerParams {
    pub direction: SyncDirection,
}

/// The direction in which the tracker synchronizes its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SyncDirection {
    /// To the tracker's remote.
    Push,
    /// From the tracker's remote.
    Pull,
}

/// The result of `backup.sync_tracker`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrackerSynced {
    /// The tracker's message, on one line.
    pub said: String,
}

/// Parameters of `backup.preview` and `backup.restore`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct RestoreParams {
    /// A branch, tag or commit with a backup; by default, this clone's branch merged with the remote's.
    pub from: Option<String>,
    /// Whether to fetch from the remote first.
    pub fetch: bool,
}

/// The planned or completed changes of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Restore {
    /// The commits that are restored.
    pub from: Vec<String>,
    /// The time of the latest of these commits.
    #[serde(default)]
    pub made_at: Option<Timestamp>,
    pub counts: BackupCounts,
    /// Beads, memories and sessions that differ from the backup; at most 500.
    pub items: Vec<RestoreItem>,
    pub beads: RestoreCounts,
    pub memories: RestoreCounts,
    pub sessions: RestoreCounts,
    /// Whether the restore creates the tracker's database on this machine first.
    pub fresh_tracker: bool,
    /// Unreadable data and omitted steps.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The numbers of records, by the effect of a restore.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreCounts {
    /// Records that are missing on this machine and are added.
    pub added: u32,
    /// Records that are newer in the backup and replace the local ones.
    pub changed: u32,
    /// Records that are newer on this machine, sessions in the trash and beads that the tracker cannot store.
    /// They are left unchanged.
    pub kept: u32,
    /// Records that are equal on this machine and in the backup.
    pub same: u32,
}

/// A record that differs from the backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RestoreItem {
    pub kind: RestoreKind,
    /// The id of a bead or session, or the key of a memory.
    pub key: String,
    /// The record's title in the backup.
    pub title: String,
    pub change: RestoreChange,
}

/// The kinds of records that a backup contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RestoreKind {
    Bead,
    Memory,
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

/// The effect of a restore on a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RestoreChange {
    /// The record is missing on this machine and is added.
    Added,
    /// The record is older on this machine and is replaced.
    Changed,
    /// The record is left unchanged: it is newer on this machine, its session is in the trash, or the tracker
    /// cannot store the bead.
    Kept,
}
