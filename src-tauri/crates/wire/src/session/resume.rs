//! Resuming a session: the prompt to be sent, the changes since the pause, and the required decisions.

use super::SessionView;
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, BranchName, SessionId},
    work::{CommitLine, FileLine},
};
use serde::{Deserialize, Serialize};

/// The result of `session.resume_preview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ResumePreview {
    /// The prompt for claude.
    pub prompt: String,
    /// The bead's state, if the session has a bead and it exists.
    #[serde(default)]
    pub bead_status: Option<BeadStatus>,
    /// Notices that need no decision.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The required decisions. `session.resume` is refused unless its parameters contain all of them.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// The current bead; absent if the session has no bead or the bead cannot be read.
    #[serde(default)]
    pub bead: Option<BeadNow>,
    /// The changes outside the session since it was paused.
    #[serde(default)]
    pub changes: OutsideChanges,
    pub folder: ResumeFolder,
    /// Whether the conversation continues.
    pub conversation: ResumeConversation,
}

/// The current state of a paused session's bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadNow {
    pub id: BeadId,
    pub title: String,
    pub status: BeadStatus,
    #[serde(default)]
    pub assignee: Option<String>,
}

/// A decision that is required before a resume.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    pub message: String,
    /// The choices, the recommended one first.
    pub choices: Vec<ResumeChoice>,
}

/// Why a session cannot be resumed without a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleKind {
    BeadClosed,
    BeadInReview,
    /// The bead is neither in progress nor in review nor closed.
    BeadMoved,
    /// The bead is assigned to another actor.
    BeadReassigned,
    /// The bead no longer exists in the tracker.
    BeadGone,
    /// The session's folder has another branch checked out, and only the user can decide whether to switch.
    OtherBranch,
    /// The session's branch no longer exists.
    BranchGone,
}

/// A decision about an obstacle, with the parameter or command that carries it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ResumeChoice {
    /// `anyway`: resume; the bead stays unchanged.
    Anyway,
    /// `reclaim`: the session claims the bead again.
    Reclaim,
    /// `place: restore`: the branch is created or checked out again.
    Restore,
    /// `place: stay`: the session continues on the branch that is checked out.
    Stay,
    /// `place: worktree`: the branch is checked out in its own worktree.
    Worktree,
    /// `session.end`: the session is closed instead.
    End,
}

/// The choice of folder for a session whose folder has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ResumePlace {
    /// The session's folder, with its branch created or checked out again.
    Restore,
    /// The session's folder, unchanged; the session moves to the branch that is checked out.
    Stay,
    /// A worktree with the session's branch.
    Worktree,
}

/// Changes by other programs and people since a session was paused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct OutsideChanges {
    /// Why the changes are unknown; the lists are then empty.
    pub unknown: Option<String>,
    /// Commits on the session's branch that the session did not make, oldest first.
    pub commits: Vec<CommitLine>,
    /// The hashes of the `commits` whose author is the user in git's current settings.
    pub user_commits: Vec<String>,
    /// The branch from which the session's branch was created, if known.
    pub base: Option<BranchName>,
    /// Commits on the base branch since the pause, oldest first.
    pub base_commits: Vec<CommitLine>,
    /// Files that the session read or wrote and that have changed since.
    pub files: Vec<FileLine>,
    /// Uncommitted files in the working tree.
    pub tree: Vec<TreeFile>,
}

/// An uncommitted file of the working tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TreeFile {
    /// The file and its change.
    #[serde(flatten)]
    pub file: FileLine,
    /// Whether the file had this change before the pause.
    pub before_pause: bool,
}

/// The folder in which a resumed session will work, and the required preparation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ResumeFolder {
    /// The absolute working folder.
    pub cwd: String,
    /// The branch that will be checked out in the folder.
    #[serde(default)]
    pub branch: Option<String>,
    pub worktree: bool,
    /// The required preparation, as text for the user; absent if none is required.
    #[serde(default)]
    pub action: Option<String>,
}

/// How the conversation continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ResumeConversation {
    /// Claude still has the conversation and continues it.
    Continues,
    /// The conversation has no message yet and starts now.
    Begins,
    /// Claude no longer has the conversation. A new conversation starts, and its prompt contains the
    /// session's record.
    Primed,
}

/// Parameters of `session.resume`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionResumeParams {
    pub id: SessionId,
    /// The prompt; by default the prompt of the preview. If it is empty, claude is resumed without a prompt.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The terminal's size: columns and rows.
    #[serde(default)]
    pub size: Option<(u16, u16)>,
    /// Whether to resume despite open decisions. The bead stays unchanged; for the folder, the first choice
    /// is taken.
    #[serde(default)]
    pub anyway: bool,
    /// Whether to claim the bead again for this session.
    #[serde(default)]
    pub reclaim: bool,
    /// The choice of folder, if the folder has changed.
    #[serde(default)]
    pub place: Option<ResumePlace>,
}

/// The result of `session.start`, `session.started`, `session.resume`, `session.fork` and `session.adopt`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionStarted {
    pub session: SessionView,
    /// Notices, for example that claude asks for trust or that hooks do not report.
    #[serde(default)]
    pub warnings: Vec<String>,
}
