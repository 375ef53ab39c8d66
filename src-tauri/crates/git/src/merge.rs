//! Merges two branches in a dedicated worktree. Its HEAD is detached, so neither branch moves, and it contains no
//! files that the user works on.
//!
//! The user's settings may request side effects (moving other branches, stashes, recorded resolutions). This
//! module disables them.

use crate::{
    ObjectId,
    error::GitError,
    program::{path_from, refusal, succeeded},
    repo::Repo,
};
use bc_core::fleet::{ConflictFile, MergeMethod};
use bc_process::run::Finished;
use std::{
    ffi::OsStr,
    io::Read,
    path::{Path, PathBuf},
};

/// The maximum number of bytes of a file that are scanned for conflicts.
const CONFLICTS_IN: u64 = 64 << 20;

/// Disables side effects and editors of a rebase or merge, and fixes the format of conflict markers.
const SETTINGS: &[&str] = &[
    "rebase.updateRefs=false",
    "rebase.autoStash=false",
    "rebase.autoSquash=false",
    "rebase.rebaseMerges=false",
    "rebase.forkPoint=false",
    "rebase.backend=merge",
    "notes.rewrite.rebase=false",
    "merge.autoStash=false",
    "merge.conflictStyle=merge",
    "rerere.enabled=false",
    "core.editor=true",
    "sequence.editor=true",
];

/// The result of combining two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Combined {
    /// A commit without conflicts.
    Clean {
        /// The resulting commit; the target itself if it already contained everything.
        commit: ObjectId,
        said: String,
    },
    /// Git reported conflicts in these files.
    Conflict { files: Vec<ConflictFile>, said: String },
    /// The commits have no common history in this clone, which may be shallow.
    Unrelated,
}

impl Repo {
    /// Creates a worktree with a detached HEAD in a new folder. Hooks do not run; submodules are not
    /// initialized.
    pub fn worktree_detached(&self, path: &Path, at: &ObjectId) -> Result<Repo, GitError> {
        if path.symlink_metadata().is_ok() {
            return Err(GitError::PathTaken { path: path.to_owned() });
        }
        let args = ["worktree", "add", "--quiet", "--detach", "--"].map(OsStr::new);
        let args = args.into_iter().chain([path.as_os_str(), at.as_str().as_ref()]);
        self.git.execute("add a worktree", self.main_root(), args)?;
        self.at(path)
    }

    /// Removes a worktree of [`Repo::worktree_detached`] with all its content. Fails if the path is not a
    /// linked worktree of this repository with a detached HEAD.
    pub fn worktree_discard(&self, path: &Path) -> Result<(), GitError> {
        let known = self.worktree_list()?;
        if !known.iter().any(|tree| !tree.main && tree.path == path && tree.branch.is_none()) {
            return Err(self.not_a_worktree(path));
        }
        let args = ["worktree", "remove", "--force", "--force", "--"].map(OsStr::new);
        self.git.execute("remove a worktree", self.main_root(), args.into_iter().chain([path.as_os_str()]))
    }

    /// Resets this worktree to exactly this commit, with a detached HEAD. Discards all changes; ignored
    /// files, such as build results, are kept. Fails for the main tree, and for a worktree on a branch, which a
    /// user may have changed.
    pub fn reset_to(&self, commit: &ObjectId) -> Result<(), GitError> {
        const DOING: &str = "check out a commit";
        if !self.is_linked() || self.head()?.branch.is_some() {
            return Err(self.not_a_worktree(self.top_level()));
        }
        // Abandon an unfinished rebase. If no rebase is in progress, the failure is ignored.
        self.combining(&["rebase", "--quit"])?;
        for args in [
            &["checkout", "--quiet", "--force", "--detach", commit.as_str(), "--"][..],
            &["reset", "--quiet", "--hard", commit.as_str(), "--"],
            &["clean", "--quiet", "-ffd", "--"],
        ] {
            succeeded(DOING, self.top_level(), self.combining(args)?)?;
        }
        Ok(())
    }

    /// Combines two commits in this dedicated worktree. Afterwards its HEAD is the result, or the target if
    /// git failed. For unrelated histories, the worktree stays unchanged.
    pub fn combine(
        &self,
        how: MergeMethod,
        source: &ObjectId,
        target: &ObjectId,
        message: &str,
    ) -> Result<Combined, GitError> {
        if self.fork_point(source, target)?.is_none() {
            return Ok(Combined::Unrelated);
        }
        let done = match how {
            MergeMethod::Rebase => {
                self.reset_to(source)?;
                self.combining(&["rebase", target.as_str()])?
            }
            MergeMethod::Merge => {
                self.reset_to(target)?;
                self.combining(&["merge", "--no-ff", "--no-edit", "-m", message, source.as_str()])?
            }
        };
        let said = said(&done);
        if done.ok() {
            return Ok(Combined::Clean { commit: self.commit_of("HEAD")?, said });
        }
        let files = self.unmerged()?;
        let failed = refusal("combine two branches", self.top_level(), &done);
        self.reset_to(target)?;
        if files.is_empty() { Err(failed) } else { Ok(Combined::Conflict { files, said }) }
    }

    /// The merge base of two commits; `None` if they have no common history.
    pub fn fork_point(&self, one: &ObjectId, other: &ObjectId) -> Result<Option<ObjectId>, GitError> {
        const DOING: &str = "compare two commits";
        let args = ["merge-base", one.as_str(), other.as_str()];
        let done = self.git.ask(DOING, self.top_level(), args)?;
        match done.code {
            Some(0) => self.commit_of(done.out().trim()).map(Some),
            Some(1) => Ok(None),
            _ => Err(refusal(DOING, self.top_level(), &done)),
        }
    }

    fn unmerged(&self) -> Result<Vec<ConflictFile>, GitError> {
        let done = self.diff("list conflicts", ["--name-only", "--diff-filter=U", "-z"])?;
        let paths = done.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(path_from);
        Ok(paths.map(|path| conflicts(self.top_level(), &path)).collect())
    }

    fn combining(&self, args: &[&str]) -> Result<Finished, GitError> {
        let settings = SETTINGS.iter().flat_map(|setting| ["-c", setting]);
        let args: Vec<&str> = settings.chain(args.iter().copied()).collect();
        self.git.make("combine two branches", self.top_level(), &args, b"", self.identity()?)
    }
}

/// Counts the conflict markers in a file. A file without any, such as a binary or deleted file, counts as one
/// conflict.
fn conflicts(root: &Path, path: &PathBuf) -> ConflictFile {
    // Do not follow links from a branch: they may lead to devices, pipes, or out of the tree.
    let file = root.join(path);
    let is_file = file.symlink_metadata().is_ok_and(|found| found.is_file());
    let bytes = is_file.then(|| head_of(&file).ok()).flatten().unwrap_or_default();
    let markers = bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"<<<<<<< ")).count();
    ConflictFile {
        path: path.display().to_string(),
        conflicts: u32::try_from(markers).unwrap_or(u32::MAX).max(1),
    }
}

/// Reads the first [`CONFLICTS_IN`] bytes of a file.
fn head_of(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(CONFLICTS_IN).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn said(done: &Finished) -> String {
    let lines = done.out() + &done.err();
    // Git's hints for resolving by hand are useless without a terminal.
    let lines = lines.split(['\n', '\r']).map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("hint:"));
    lines.collect::<Vec<_>>().join("\n")
}
