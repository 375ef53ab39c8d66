//! Two branches made one, in a worktree that is for nothing else: its HEAD is detached, so that neither branch
//! moves by it, and nobody's files are there.
//!
//! The person's own settings may ask for more than that (other branches moved along, stashes, signatures that
//! ask for a passphrase, recorded resolutions): those are off here.

use crate::{
    ObjectId,
    aside::NOBODY,
    error::GitError,
    program::{path_from, refusal},
    repo::Repo,
};
use bc_core::fleet::{ConflictFile, MergeMethod};
use bc_process::run::Finished;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Settings under which combining changes the worktree's HEAD and nothing else.
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
    "merge.verifySignatures=false",
    "rerere.enabled=false",
    "commit.gpgSign=false",
    "core.editor=true",
    "sequence.editor=true",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// What came of combining two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Combined {
    /// It is this commit.
    Clean {
        /// The result; the target itself where nothing was missing in it.
        commit: ObjectId,
        /// What git printed.
        said: String,
    },
    /// Both changed the same lines.
    Conflict {
        /// In these files.
        files: Vec<ConflictFile>,
        /// What git printed.
        said: String,
    },
    /// They have no history in common, as far as this clone knows.
    Unrelated,
}

impl Repo {
    /// Makes a worktree on no branch in a new folder. Hooks do not run; submodules are not filled.
    pub fn worktree_detached(&self, path: &Path, at: &ObjectId) -> Result<Repo, GitError> {
        const DOING: &str = "add a worktree";
        if path.symlink_metadata().is_ok() {
            return Err(GitError::PathTaken { path: path.to_owned() });
        }
        let mut args: Vec<OsString> = ["worktree", "add", "--quiet", "--detach", "--"].map(Into::into).into();
        args.extend([path.as_os_str().to_owned(), at.as_str().into()]);
        let done = self.git.change(DOING, self.main_root(), args)?;
        if done.ok() { self.at(path) } else { Err(refusal(DOING, self.main_root(), &done)) }
    }

    /// Removes such a worktree with whatever is in it. A folder that is no worktree of this repository is
    /// left alone.
    pub fn worktree_discard(&self, path: &Path) -> Result<(), GitError> {
        const DOING: &str = "remove a worktree";
        let known = self.worktree_list()?;
        let Some(tree) = known.iter().find(|tree| !tree.main && tree.path == path && tree.branch.is_none())
        else {
            return Err(GitError::NotAWorktree {
                path: path.to_owned(),
                repository: self.main_root().to_owned(),
            });
        };
        let args = ["worktree", "remove", "--force", "--force", "--"].map(OsString::from);
        let args = args.into_iter().chain([tree.path.as_os_str().to_owned()]);
        let done = self.git.change(DOING, self.main_root(), args)?;
        if done.ok() { Ok(()) } else { Err(refusal(DOING, self.main_root(), &done)) }
    }

    /// Makes this worktree exactly that commit, on no branch. What git ignores stays: a build's results, say.
    /// Only for a worktree that nobody works in.
    pub fn put_at(&self, commit: &ObjectId) -> Result<(), GitError> {
        const DOING: &str = "check out a commit";
        if !self.is_linked() {
            return Err(GitError::NotAWorktree {
                path: self.top_level().to_owned(),
                repository: self.main_root().to_owned(),
            });
        }
        // What a conflict left is not gone on with. That there was none is no error.
        self.combining(&["rebase", "--quit"])?;
        for args in [
            &["checkout", "--quiet", "--force", "--detach", commit.as_str(), "--"][..],
            &["reset", "--quiet", "--hard", commit.as_str(), "--"],
            &["clean", "--quiet", "-ffd", "--"],
        ] {
            let done = self.combining(args)?;
            if !done.ok() {
                return Err(refusal(DOING, self.top_level(), &done));
            }
        }
        Ok(())
    }

    /// Combines two commits in this worktree, which only serves that; its HEAD is the result afterwards, or
    /// the target where there is none.
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
                self.put_at(source)?;
                self.combining(&["rebase", target.as_str()])?
            }
            MergeMethod::Merge => {
                self.put_at(target)?;
                self.combining(&["merge", "--no-ff", "--no-edit", "-m", message, source.as_str()])?
            }
        };
        let said = said(&done);
        if done.ok() {
            return Ok(Combined::Clean { commit: self.commit_of("HEAD")?, said });
        }
        let files = self.unmerged()?;
        let failed = refusal("combine two branches", self.top_level(), &done);
        self.put_at(target)?;
        if files.is_empty() { Err(failed) } else { Ok(Combined::Conflict { files, said }) }
    }

    /// The commit at which two histories parted.
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

    /// The files with conflicts, and how many each has.
    fn unmerged(&self) -> Result<Vec<ConflictFile>, GitError> {
        let args = ["diff", "--name-only", "--diff-filter=U", "-z"];
        let done = self.git.read("list conflicts", self.top_level(), args)?;
        let paths = done.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(path_from);
        Ok(paths.map(|path| conflicts(self.top_level(), &path)).collect())
    }

    fn combining(&self, args: &[&str]) -> Result<Finished, GitError> {
        let known = self.git.ask("ask who commits", self.top_level(), ["var", "GIT_COMMITTER_IDENT"])?.ok();
        let identity: &[(&str, &str)] = if known { &[] } else { &NOBODY };
        let settings = SETTINGS.iter().flat_map(|setting| ["-c", setting]);
        let args: Vec<&str> = settings.chain(args.iter().copied()).collect();
        self.git.make("combine two branches", self.top_level(), &args, b"", identity)
    }
}

/// A file that is gone on one side, or is no text, has one.
fn conflicts(root: &Path, path: &PathBuf) -> ConflictFile {
    // Of a branch's links none is followed: they lead to devices and pipes, or out of the tree.
    let file = root.join(path);
    let is_text = file.symlink_metadata().is_ok_and(|there| there.is_file());
    let bytes = is_text.then(|| std::fs::read(file).ok()).flatten().unwrap_or_default();
    let marks = bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"<<<<<<< ")).count();
    ConflictFile {
        path: path.display().to_string(),
        conflicts: u32::try_from(marks).unwrap_or(u32::MAX).max(1),
    }
}

fn said(done: &Finished) -> String {
    let lines = done.out() + &done.err();
    // How to go on by hand is not for somebody who is not there.
    let lines = lines.split(['\n', '\r']).map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("hint:"));
    lines.collect::<Vec<_>>().join("\n")
}
