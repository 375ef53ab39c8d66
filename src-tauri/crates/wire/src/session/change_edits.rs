//! Parameters and results of actions on a session's changes: revert, commit, publish, open in an editor, comment.

use bc_core::{
    Timestamp,
    ids::{BranchName, SessionId},
    work::FileChange,
};
use serde::{Deserialize, Serialize};

/// Parameters of `session.revert`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RevertParams {
    pub id: SessionId,
    /// The file, named as in `session.changes`.
    pub path: String,
    /// The index of one hunk in the file's diff, from 0; absent for the whole file.
    #[serde(default)]
    pub hunk: Option<u32>,
    /// The `content` of the diff that the user saw. If the file has changed since, nothing is reverted.
    #[serde(default)]
    pub content: Option<String>,
}

/// A revert of a file or of one of its hunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct KeptRevert {
    /// Identifies the revert in `session.undo_revert`.
    pub revert: String,
    pub path: String,
    /// The header of the reverted hunk; absent for a whole file.
    #[serde(default)]
    pub hunk: Option<String>,
    pub at: Timestamp,
    /// Whether the file is unchanged since the revert, so that an undo loses nothing.
    pub undoable: bool,
}

/// A session's reverts, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct KeptReverts {
    pub reverts: Vec<KeptRevert>,
}

/// Parameters of `session.undo_revert`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RevertRef {
    pub id: SessionId,
    pub revert: String,
}

/// Parameters of `session.file_lines`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileLinesParams {
    pub id: SessionId,
    /// The file, named as in `session.changes`.
    pub path: String,
    /// The first line, from 1.
    pub from: u32,
    /// The last line.
    pub to: u32,
}

/// The result of `session.file_lines`: lines of the file's new version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileLines {
    /// The lines, without line endings; at most 2,000.
    pub lines: Vec<String>,
    /// The number of lines in the file.
    pub total: u32,
}

/// An uncommitted file that the user can choose for a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommitFile {
    /// The path relative to the repository's root.
    pub path: String,
    pub change: FileChange,
}

/// The result of `session.commit_preview`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommitPreview {
    pub message: String,
    /// The branch; absent if HEAD is detached.
    pub branch: Option<BranchName>,
    /// The author's name; absent if git has none.
    pub author: Option<String>,
    /// The session's uncommitted files.
    pub files: Vec<CommitFile>,
    /// The repository's git hooks, which the commit does not run.
    pub skipped_hooks: Vec<String>,
    /// Whether git's settings require a signature. The commit is made without a signature.
    pub unsigned: bool,
}

/// Parameters of `session.commit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct CommitParams {
    pub id: SessionId,
    /// The message, at most 64 KiB.
    pub message: String,
    /// The files, named as in `session.commit_preview`; empty for all.
    #[serde(default)]
    pub paths: Vec<String>,
}

/// The result of `session.commit`: the commit that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Committed {
    pub hash: String,
    /// The first line of the commit message.
    pub subject: String,
    /// The number of files in the commit.
    pub files: u32,
}

/// The result of `session.publish_preview`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PublishPreview {
    pub branch: BranchName,
    /// The remote; absent if the repository has no remote, or several without a default.
    pub remote: Option<String>,
    /// The base branch for a pull request; absent if unknown.
    pub base: Option<BranchName>,
    /// The number of commits that the remote's branch lacks, as of the last fetch or push.
    pub unpushed: u32,
    /// The number of the session's uncommitted files; absent if the session's place does not
    /// report it.
    pub uncommitted: Option<u32>,
    /// Whether the program `gh` is installed.
    pub gh: bool,
    pub title: String,
    /// A proposed description.
    pub body: String,
}

/// The result of `session.push`: where the branch was pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Pushed {
    pub remote: String,
    pub branch: BranchName,
}

/// Parameters of `session.pull_request`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PullRequestParams {
    pub id: SessionId,
    pub title: String,
    /// The description, as Markdown.
    #[serde(default)]
    pub body: String,
    /// The branch to merge into; absent for the remote's default.
    #[serde(default)]
    pub base: Option<BranchName>,
    #[serde(default)]
    pub draft: bool,
}

/// The result of `session.pull_request`: the open pull request of the branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PullRequest {
    pub url: String,
    /// Whether the pull request already existed.
    pub existed: bool,
}

/// Parameters of `session.open_file`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct OpenFileParams {
    pub id: SessionId,
    /// The file, named as in `session.changes`.
    pub path: String,
    /// The line at which the editor opens the file.
    #[serde(default)]
    pub line: Option<u32>,
}

/// The version of a file to which a comment's line number refers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum CommentSide {
    /// The version before the change.
    Old,
    /// The version after the change.
    New,
}

/// A comment on a line of a change. It is kept until it is resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ChangeComment {
    /// The comment's id, chosen by the client.
    pub comment: String,
    pub path: String,
    pub line: u32,
    /// The version to which the line number refers.
    pub side: CommentSide,
    /// The line's text when the comment was written.
    pub code: String,
    pub text: String,
    /// When the comment was sent to the agent; absent until then.
    #[serde(default)]
    pub sent_at: Option<Timestamp>,
}

/// The unresolved comments of a session, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ChangeComments {
    pub comments: Vec<ChangeComment>,
}

/// Parameters of `session.set_comments`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SetCommentsParams {
    pub id: SessionId,
    /// Comments to add, or to replace by their id.
    #[serde(default)]
    pub put: Vec<ChangeComment>,
    /// Ids of comments to remove: discarded or resolved.
    #[serde(default)]
    pub remove: Vec<String>,
}
