//! What can go wrong with a repository, each with what to do about it.

use bc_core::ids::{BranchName, InvalidId};
use bc_process::run::RunError;
use std::path::{Path, PathBuf};

/// An operation on a repository that did not happen.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The git program is not installed.
    #[error("git was not found: install it (on Debian `apt install git`) and see that it is in PATH")]
    GitMissing,
    /// Git was found and could not be run, or did not end.
    #[error("git could not {doing} in {}", .dir.display())]
    Run {
        /// What it was to do.
        doing: &'static str,
        /// Where.
        dir: PathBuf,
        /// Why.
        #[source]
        source: RunError,
    },
    /// The folder to look in is not there.
    #[error("{} is not a folder", .path.display())]
    NoFolder {
        /// What was given.
        path: PathBuf,
    },
    /// No repository holds this folder.
    #[error("{} is not in a git repository: run `git init` there and make a first commit", .path.display())]
    NotARepository {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A repository without files to work on, or a folder inside `.git`.
    #[error("{} has no working tree: open a clone or a worktree of this repository instead", .path.display())]
    Bare {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Git refuses a repository of another user.
    #[error(
        "git does not trust {}, it belongs to another user: if you trust it, run \
         `git config --global --add safe.directory` with this folder", .path.display()
    )]
    OtherOwner {
        /// The folder.
        path: PathBuf,
    },
    /// There is no commit that a branch could start from.
    #[error("{} has no commits yet: make a first one (`git commit`)", .path.display())]
    NoCommits {
        /// The repository.
        path: PathBuf,
    },
    /// A branch name that git or we refuse.
    #[error("the branch name cannot be used")]
    InvalidBranch {
        /// The rule.
        #[source]
        source: InvalidId,
    },
    /// A new branch has the name of one that is there.
    #[error("the branch {branch} exists already: choose another name, or work on that branch")]
    BranchExists {
        /// The name.
        branch: BranchName,
    },
    /// Git keeps branches as files: `a` and `a/b` exclude each other.
    #[error("the branch {branch} cannot be made beside the branch {existing}: choose another name")]
    BranchConflict {
        /// The new name.
        branch: BranchName,
        /// The name that is in its way.
        existing: String,
    },
    /// There is no such branch.
    #[error("there is no branch {branch} in {}", .path.display())]
    NoSuchBranch {
        /// The name.
        branch: BranchName,
        /// The repository.
        path: PathBuf,
    },
    /// There is no such commit.
    #[error("{revision:?} names no commit in {}", .path.display())]
    NoSuchCommit {
        /// What was given.
        revision: String,
        /// The repository.
        path: PathBuf,
    },
    /// Tracked files have changes that a switch of branches could lose or carry away.
    #[error("{} has changes in {}: commit or stash them first", .path.display(), listed(.files))]
    Dirty {
        /// The working tree.
        path: PathBuf,
        /// The changed files, relative to the tree.
        files: Vec<PathBuf>,
    },
    /// Files in the tree would be overwritten by those of the branch.
    #[error("switching to {branch} would overwrite {}: move or commit them first", listed(.files))]
    WouldOverwrite {
        /// The branch.
        branch: BranchName,
        /// The files, relative to the tree.
        files: Vec<PathBuf>,
    },
    /// A branch can be checked out in one worktree only.
    #[error("the branch {branch} is checked out in {}: work there, or choose another branch", .worktree.display())]
    BranchInUse {
        /// The branch.
        branch: BranchName,
        /// Where it is checked out.
        worktree: PathBuf,
    },
    /// As [`GitError::BranchInUse`], but the folder is gone.
    #[error(
        "the branch {branch} belongs to the worktree {}, which is gone: run `git worktree prune` if it will not \
         come back", .worktree.display()
    )]
    BranchInLostWorktree {
        /// The branch.
        branch: BranchName,
        /// Where it was checked out.
        worktree: PathBuf,
    },
    /// The folder for a new worktree is there already.
    #[error("{} exists already: choose another folder for the worktree", .path.display())]
    PathTaken {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is not a worktree of this repository.
    #[error("{} is not a linked worktree of {}", .path.display(), .repository.display())]
    NotAWorktree {
        /// The folder.
        path: PathBuf,
        /// The repository's main tree.
        repository: PathBuf,
    },
    /// A worktree with work in it is not removed.
    #[error("the worktree {} has uncommitted or untracked files ({}): it was kept", .path.display(), listed(.files))]
    WorktreeNotClean {
        /// The worktree.
        path: PathBuf,
        /// What is in it.
        files: Vec<PathBuf>,
    },
    /// The user locked the worktree.
    #[error("the worktree {} is locked: run `git worktree unlock` first", .path.display())]
    WorktreeLocked {
        /// The worktree.
        path: PathBuf,
    },
    /// There is no place beside the repository for a worktree.
    #[error("there is no place for worktrees beside {}: give a folder yourself", .path.display())]
    NoPlaceBeside {
        /// The repository's main tree.
        path: PathBuf,
    },
    /// Another git holds the index.
    #[error("another git is at work in {}: wait for it; if none runs, remove its index.lock", .path.display())]
    Busy {
        /// The working tree.
        path: PathBuf,
    },
    /// A remote could not be reached, or refused.
    #[error("git could not {doing} from {remote}: {said}")]
    Remote {
        /// What it was to do.
        doing: &'static str,
        /// The remote's name.
        remote: String,
        /// What was said, without control characters.
        said: String,
    },
    /// Git said no for a reason that has no variant of its own.
    #[error("git could not {doing} in {}: {said}", .dir.display())]
    Failed {
        /// What it was to do.
        doing: &'static str,
        /// Where.
        dir: PathBuf,
        /// What it printed, without control characters.
        said: String,
    },
    /// Git printed what this build cannot read.
    #[error("git's answer could not be read when it was to {doing} in {}: {what}", .dir.display())]
    Unreadable {
        /// What it was to do.
        doing: &'static str,
        /// Where.
        dir: PathBuf,
        /// What was wrong with it.
        what: String,
    },
}

/// The first few files by name and how many more there are.
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
