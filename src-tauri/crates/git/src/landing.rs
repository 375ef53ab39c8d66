//! A branch moved to where a merge ended, for all to see: never below somebody who has it checked out, never
//! from anywhere but where it was seen.

use crate::{
    Moved, ObjectId, Pushed,
    error::GitError,
    program::{line, path_from, refusal},
    repo::Repo,
};
use bc_core::ids::BranchName;
use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long another git at work in a tree is waited for, and how often it is asked.
const OTHERS: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_millis(50);

/// What became of a working tree that was to be brought along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Followed {
    /// Its files are those of the commit, and its branch stands there.
    Done,
    /// Git refused, because something uncommitted would be lost, or the branch is elsewhere by now.
    Refused(String),
}

/// Git's own folder of a tree, by the file that leads there: a fleet has hundreds of trees, and git would have to
/// be asked in each of them. `None` where there is no such file.
fn git_dir(tree: &Path) -> Option<PathBuf> {
    let dot = tree.join(".git");
    if dot.is_dir() {
        return Some(dot);
    }
    let text = std::fs::read(dot).ok()?;
    Some(tree.join(path_from(line(text.strip_prefix(b"gitdir: ")?))))
}

/// The branches that a rebase or a bisection comes back to, in the tree with that folder of git's.
fn busy_with(dir: &Path) -> Vec<String> {
    let names = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"];
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).ok();
    names.into_iter().filter_map(read).map(|text| text.trim().to_owned()).collect()
}

impl Repo {
    /// Where a branch is worked on: checked out, in the middle of a rebase, or bisected. None where it is free.
    pub fn worked_on_in(&self, branch: &BranchName) -> Result<Option<PathBuf>, GitError> {
        let full = format!("refs/heads/{branch}");
        for tree in self.worktree_list()? {
            if tree.branch.as_ref() == Some(branch) {
                return Ok(Some(tree.path));
            }
            let dir = match git_dir(&tree.path) {
                Some(dir) => dir,
                // A tree whose folder is gone is at nothing.
                None => match self.at(&tree.path) {
                    Ok(there) => there.git_dir()?,
                    Err(_) => continue,
                },
            };
            if busy_with(&dir).iter().any(|name| *name == full || name == branch.as_str()) {
                return Ok(Some(tree.path));
            }
        }
        Ok(None)
    }

    /// Git's own folder of this tree.
    fn git_dir(&self) -> Result<PathBuf, GitError> {
        let done =
            self.git.read("find the worktree", self.top_level(), ["rev-parse", "--absolute-git-dir"])?;
        Ok(path_from(line(&done.stdout)))
    }

    /// Moves a branch that nobody works on from where it was seen.
    pub fn move_branch(
        &self,
        branch: &BranchName,
        from: &ObjectId,
        to: &ObjectId,
        why: &str,
    ) -> Result<Moved, GitError> {
        const DOING: &str = "move a branch";
        let name = format!("refs/heads/{branch}");
        if let Some(worktree) = self.worked_on_in(branch)? {
            return Err(GitError::BranchInUse { branch: branch.clone(), worktree });
        }
        if self.git.ask(DOING, self.top_level(), ["symbolic-ref", "--quiet", &name])?.ok() {
            let said = format!("{branch} is only another name of a branch: merge into that one");
            return Err(GitError::Failed { doing: DOING, dir: self.main_root().to_owned(), said });
        }
        let args = ["update-ref", "--no-deref", "-m", why, &name, to.as_str(), from.as_str()];
        let done = self.git.change(DOING, self.top_level(), args)?;
        if done.ok() {
            return Ok(Moved::Done);
        }
        match self.reference(&name)?.as_ref() == Some(from) {
            true => Err(refusal(DOING, self.top_level(), &done)),
            false => Ok(Moved::Raced),
        }
    }

    /// Brings a working tree that has the branch checked out to a commit which its own is part of. What is
    /// uncommitted stays as it is, or git refuses.
    pub fn follow(&self, tree: &Path, branch: &BranchName, to: &ObjectId) -> Result<Followed, GitError> {
        let there = self.at(tree)?;
        if there.head()?.branch.as_ref() != Some(branch) {
            return Ok(Followed::Refused(format!(
                "{} has another branch checked out by now",
                tree.display()
            )));
        }
        let args = [
            "-c",
            "merge.autoStash=false",
            "-c",
            "merge.verifySignatures=false",
            "-c",
            "gc.auto=0",
            "merge",
            "--ff-only",
            // The branch may be set to be merged otherwise.
            "--no-squash",
            "--quiet",
            to.as_str(),
        ];
        let until = Instant::now() + OTHERS;
        let done = loop {
            let done = self.git.change("bring a working tree along", there.top_level(), args)?;
            if done.ok() {
                return Ok(Followed::Done);
            }
            // The git of the person, or of one of ours that was killed, is at it: nothing tells of its end.
            if !done.err().contains(".lock': File exists") || Instant::now() >= until {
                break done;
            }
            thread::sleep(AGAIN);
        };
        let said = done.err() + &done.out();
        let lines =
            said.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with("hint:"));
        Ok(Followed::Refused(lines.collect::<Vec<_>>().join("\n")))
    }

    /// Pushes a branch that was merged to its remote, if that is where it was seen just now and has nothing
    /// that is not part of the commit.
    pub fn push_landed(
        &self,
        remote: &str,
        branch: &BranchName,
        commit: &ObjectId,
    ) -> Result<Pushed, GitError> {
        let seen = self.fetch_branch(remote, branch)?;
        if let Some(seen) = &seen
            && !self.is_ancestor(seen, commit)?
        {
            return Ok(Pushed::Behind);
        }
        // The remote has it already.
        if seen.as_ref() == Some(commit) {
            return Ok(Pushed::Done);
        }
        let lease = format!("refs/heads/{branch}:{}", seen.as_ref().map_or("", ObjectId::as_str));
        self.push_with(remote, branch, commit, Some(&format!("--force-with-lease={lease}")))
    }
}
