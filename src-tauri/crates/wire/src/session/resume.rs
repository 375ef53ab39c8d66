//! Resuming: what would be sent, what changed since the pause, and the decisions needed first.

use super::SessionView;
use bc_core::{
    bead::BeadStatus,
    ids::{BeadId, BranchName, SessionId},
    work::{CommitLine, FileLine},
};
use serde::{Deserialize, Serialize};

/// The answer of `session.resume_preview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ResumePreview {
    /// What would be sent.
    pub prompt: String,
    /// The bead's state, where there is a bead and it is still there.
    #[serde(default)]
    pub bead_status: Option<BeadStatus>,
    /// What should be known and needs no decision.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// What has to be decided: while there is any, `session.resume` is refused unless its parameters
    /// make a choice.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// The current bead; absent if the session has none or it cannot be read.
    #[serde(default)]
    pub bead: Option<BeadNow>,
    /// What changed outside the session since it was paused.
    #[serde(default)]
    pub changes: OutsideChanges,
    /// Where it would go on.
    pub folder: ResumeFolder,
    /// What becomes of the conversation.
    pub conversation: ResumeConversation,
}

/// A session's bead as it is when the session is to be resumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct BeadNow {
    /// Its id.
    pub id: BeadId,
    /// Its title.
    pub title: String,
    /// Its state.
    pub status: BeadStatus,
    /// Who has it.
    #[serde(default)]
    pub assignee: Option<String>,
}

/// Something that has to be decided before a session is resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Obstacle {
    /// What it is, for programs.
    pub kind: ObstacleKind,
    /// What it is, for people.
    pub message: String,
    /// What can be done, the usual one first.
    pub choices: Vec<ResumeChoice>,
}

/// What stands in the way of a resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleKind {
    /// The bead was closed.
    BeadClosed,
    /// The bead is in review.
    BeadInReview,
    /// The bead is in another state that is not in progress.
    BeadMoved,
    /// The bead is assigned to another actor.
    BeadReassigned,
    /// The tracker has no such bead any more.
    BeadGone,
    /// The session's folder has another branch checked out and it cannot just be changed.
    OtherBranch,
    /// The session's branch is not there any more.
    BranchGone,
}

/// What can be done about an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ResumeChoice {
    /// `anyway`: resume; the bead stays unchanged.
    Anyway,
    /// `reclaim`: the bead is in progress again, for this session.
    Reclaim,
    /// `place: restore`: the branch is made or checked out again.
    Restore,
    /// `place: stay`: the session continues with the current branch.
    Stay,
    /// `place: worktree`: the branch is checked out in its own worktree.
    Worktree,
    /// `session.end`: the session is closed instead.
    End,
}

/// Where a session continues whose folder has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ResumePlace {
    /// In its folder, with its branch made or checked out again.
    Restore,
    /// In its folder as that is; the branch that is checked out is the session's from now on.
    Stay,
    /// In a worktree with its branch.
    Worktree,
}

/// What changed outside a session since it was paused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct OutsideChanges {
    /// Why the changes are unknown; the lists are then empty.
    #[serde(default)]
    pub unknown: Option<String>,
    /// Commits on the session's branch that the session did not make, oldest first.
    #[serde(default)]
    pub commits: Vec<CommitLine>,
    /// The hashes of those `commits` whose author is the user, as git would name the author of a commit now.
    #[serde(default)]
    pub user_commits: Vec<String>,
    /// The branch that the session's one began from, where that is known.
    #[serde(default)]
    pub base: Option<BranchName>,
    /// Commits on it since the pause, oldest first.
    #[serde(default)]
    pub base_commits: Vec<CommitLine>,
    /// Files that the session read or wrote and that are different now.
    #[serde(default)]
    pub files: Vec<FileLine>,
    /// Files of the working tree that are not committed.
    #[serde(default)]
    pub tree: Vec<TreeFile>,
}

/// A file that is not committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TreeFile {
    /// Which and how.
    #[serde(flatten)]
    pub file: FileLine,
    /// Whether it was like that already when the session was paused.
    pub before_pause: bool,
}

/// Where a resumed session works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ResumeFolder {
    /// The absolute working folder.
    pub cwd: String,
    /// The branch that will be checked out there.
    #[serde(default)]
    pub branch: Option<String>,
    /// Whether it is a worktree.
    pub worktree: bool,
    /// What is done to make it so; absent where everything is as it was left.
    #[serde(default)]
    pub action: Option<String>,
}

/// What becomes of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ResumeConversation {
    /// Claude still has it and continues it.
    Continues,
    /// Nothing was said yet: it begins now.
    Begins,
    /// Claude no longer has it: a new one starts, and its prompt contains the record.
    Primed,
}

/// Parameters of `session.resume`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SessionResumeParams {
    /// Which session.
    pub id: SessionId,
    /// The prompt, if not the one of the preview. An empty one opens claude without.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The terminal's size, columns and rows.
    #[serde(default)]
    pub size: Option<(u16, u16)>,
    /// Whether to resume although something has to be decided: the first choice that leaves the bead
    /// as it is.
    #[serde(default)]
    pub anyway: bool,
    /// Whether to take the bead again: in progress, for this session.
    #[serde(default)]
    pub reclaim: bool,
    /// Where, if the folder is not as it was left.
    #[serde(default)]
    pub place: Option<ResumePlace>,
}

/// A session that was started or resumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct SessionStarted {
    /// It.
    pub session: SessionView,
    /// What to know: claude asks for trust, hooks are silent …
    #[serde(default)]
    pub warnings: Vec<String>,
}
