//! Errors of repository operations, many with a remedy.

use bc_core::{
    ids::{BranchName, InvalidId},
    session::human_duration,
};
use bc_process::run::RunError;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// A failed operation on a repository.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("git was not found: install it (on Debian `apt install git`) and check that it is in PATH")]
    GitMissing,
    /// Git was found but could not be run, or exceeded its time limit.
    #[error("git could not {doing} in {}", .dir.display())]
    Run {
        /// The attempted operation.
        doing: &'static str,
        /// The working folder.
        dir: PathBuf,
        #[source]
        source: RunError,
    },
    /// The folder does not exist.
    #[error("{} is not a folder", .path.display())]
    NoFolder { path: PathBuf },
    /// The folder is not in a repository.
    #[error("{} is not in a git repository: run `git init` there and make a first commit", .path.display())]
    NotARepository {
        /// The searched folder.
        path: PathBuf,
    },
    /// A repository without a working tree, or a folder inside `.git`.
    #[error("{} has no working tree: open a clone or a worktree of this repository instead", .path.display())]
    Bare {
        /// The searched folder.
        path: PathBuf,
    },
    /// Git refuses the repository because it belongs to another user.
    #[error(
        "git does not trust {} because it belongs to another user: if you trust it, run \
         `git config --global --add safe.directory` with this folder", .path.display()
    )]
    OtherOwner { path: PathBuf },
    /// The repository has no commit from which a branch could start.
    #[error("{} has no commits yet: create one (`git commit`)", .path.display())]
    NoCommits { path: PathBuf },
    /// Git or our own rules refuse the branch name.
    #[error("invalid branch name")]
    InvalidBranch {
        /// The broken rule.
        #[source]
        source: InvalidId,
    },
    /// A new branch has the name of an existing one.
    #[error("the branch {branch} already exists: choose another name, or work on that branch")]
    BranchExists { branch: BranchName },
    /// Git stores branches as files: `a` and `a/b` exclude each other.
    #[error("the branch {branch} conflicts with the branch {existing}: choose another name")]
    BranchConflict {
        branch: BranchName,
        /// The conflicting name.
        existing: String,
    },
    /// On macOS and Windows, both names refer to the same file.
    #[error(
        "the branch {branch} differs from the branch {existing} only by case or accents, and would be the same \
         branch on macOS and Windows: choose another name, or work on that branch"
    )]
    BranchAlike { branch: BranchName, existing: String },
    /// Windows cannot store the branch, because a branch is a file.
    #[error("the branch {branch} cannot be used on Windows: {why}; choose another name")]
    BranchNotPortable { branch: BranchName, why: &'static str },
    /// The branch does not exist.
    #[error("there is no branch {branch} in {}", .path.display())]
    NoSuchBranch { branch: BranchName, path: PathBuf },
    /// The commit does not exist.
    #[error("no commit {revision:?} in {}", .path.display())]
    NoSuchCommit { revision: String, path: PathBuf },
    /// Tracked files have changes that a switch of branches could lose or carry over.
    #[error("{} has changes in {}: commit or stash them first", .path.display(), listed(.files))]
    Dirty {
        /// The working tree.
        path: PathBuf,
        /// The changed files, relative to the tree.
        files: Vec<PathBuf>,
    },
    /// The switch would overwrite untracked files, or changed files in `.beads`.
    #[error("switching to {branch} would overwrite {}: move or commit them first", listed(.files))]
    WouldOverwrite {
        branch: BranchName,
        /// The files, relative to the tree.
        files: Vec<PathBuf>,
    },
    /// A branch can be checked out in one worktree only.
    #[error("the branch {branch} is checked out in {}: work there, or choose another branch", .worktree.display())]
    BranchInUse {
        branch: BranchName,
        /// The working tree that has the branch checked out.
        worktree: PathBuf,
    },
    /// Like [`GitError::BranchInUse`], but the worktree's folder no longer exists.
    #[error(
        "the branch {branch} is checked out in the missing worktree {}: run `git worktree prune` if it will not \
         come back", .worktree.display()
    )]
    BranchInLostWorktree {
        branch: BranchName,
        /// The missing folder.
        worktree: PathBuf,
    },
    /// The folder for a new worktree already exists.
    #[error("{} already exists: choose another folder for the worktree", .path.display())]
    PathTaken { path: PathBuf },
    /// The folder is not a linked worktree of this repository, or has a branch although HEAD must be detached.
    #[error("{} is not a linked worktree of {}", .path.display(), .repository.display())]
    NotAWorktree {
        path: PathBuf,
        /// The repository's main tree.
        repository: PathBuf,
    },
    /// The worktree contains work and is not removed.
    #[error("the worktree {} has uncommitted or untracked files ({}): it was kept", .path.display(), listed(.files))]
    WorktreeNotClean { path: PathBuf, files: Vec<PathBuf> },
    /// The user locked the worktree.
    #[error("the worktree {} is locked: run `git worktree unlock` first", .path.display())]
    WorktreeLocked { path: PathBuf },
    /// The repository's folder has no parent folder in which worktrees could be created.
    #[error("no location for worktrees beside {}: choose a folder", .path.display())]
    NoPlaceBeside {
        /// The repository's main tree.
        path: PathBuf,
    },
    /// The repository's configuration names programs that git would run.
    #[error("{} makes git run programs that you have not allowed ({}): nothing was run", .path.display(), .settings.join(", "))]
    ProgramsNotAllowed {
        /// The configuration file.
        path: PathBuf,
        /// The settings' names.
        settings: Vec<String>,
    },
    /// Another git process holds a lock, for example on the index or a branch.
    #[error(
        "another git process is running: {} was created {}. Wait for it; if no git runs there, it is left over from a crash: remove it",
        .lock.display(), ago(*.age)
    )]
    Busy {
        lock: PathBuf,
        /// The age of the lock, if known.
        age: Option<Duration>,
    },
    /// The address is neither https nor an absolute folder, so git is not run.
    #[error("{address:?} is neither an https address nor the absolute path of a folder")]
    InvalidAddress { address: String },
    /// A remote could not be reached, or refused.
    #[error("git could not {doing} from {remote}: {said}")]
    Remote {
        /// The attempted operation.
        doing: &'static str,
        remote: String,
        /// Git's message, without control characters.
        said: String,
    },
    /// Git failed for a reason without its own variant.
    #[error("git could not {doing} in {}: {said}", .dir.display())]
    Failed {
        /// The attempted operation.
        doing: &'static str,
        /// The working folder.
        dir: PathBuf,
        /// Git's message, without control characters.
        said: String,
    },
    /// This build cannot parse git's output.
    #[error("cannot parse the output of git, run to {doing} in {}: {what}", .dir.display())]
    Unreadable {
        /// The attempted operation.
        doing: &'static str,
        /// The working folder.
        dir: PathBuf,
        what: String,
    },
}

impl GitError {
    /// Whether git exceeded its time limit.
    pub fn is_timeout(&self) -> bool {
        matches!(self, GitError::Run { source: RunError::TimedOut { .. }, .. })
    }
}

fn ago(age: Option<Duration>) -> String {
    let ms = age.map(|age| u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
    ms.map_or_else(|| "at an unknown time".to_owned(), |ms| format!("{} ago", human_duration(ms)))
}

/// The first few files by name, and the number of further ones.
fn listed(files: &[PathBuf]) -> String {
    const NAMED: usize = 5;
    let names: Vec<_> = files.iter().take(NAMED).map(|f| quoted(f)).collect();
    match files.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// A path as text that cannot break a line or move a cursor.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    if text.chars().any(char::is_control) { format!("{text:?}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_files_is_cut_and_a_file_name_cannot_break_the_line() {
        let mut files: Vec<PathBuf> = (1..=7).map(|n| format!("f{n}").into()).collect();
        assert_eq!(listed(&files[..2]), "f1, f2");
        assert_eq!(listed(&files), "f1, f2, f3, f4, f5 and 2 more");
        files[0] = "a\nb".into();
        assert_eq!(listed(&files[..1]), r#""a\nb""#);
    }
}
