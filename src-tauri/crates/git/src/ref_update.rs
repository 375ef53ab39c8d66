//! Moves a branch to the result of a merge, only from its expected commit, and pushes the result. A branch that a
//! working tree has checked out moves only together with that tree ([`Repo::update_worktree`]).

use crate::{
    ObjectId, PushOutcome, RefMove, error::GitError, program::refusal, repo::Repo, worktree_paths::points_to,
};
use bc_core::ids::BranchName;
use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The time limit for waiting until another git process releases a tree's lock, and the interval between
/// attempts.
const LOCK_WAIT: Duration = Duration::from_secs(10);
const RETRY_EVERY: Duration = Duration::from_millis(50);

/// The result of updating a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeUpdate {
    /// The tree and its branch are at the commit.
    Done,
    /// Not updated, for example because uncommitted work would be lost, or because the tree has another
    /// branch checked out. The text is the reason.
    Refused(String),
}

/// The git folder of a tree: its `.git` folder, or the one that its `.git` file names; `None` if that file is
/// missing or malformed. A fleet has hundreds of trees, and running git in each would be slow.
fn git_dir(tree: &Path) -> Option<PathBuf> {
    let dot = tree.join(".git");
    if dot.is_dir() { Some(dot) } else { points_to(tree) }
}

/// The branches of an unfinished rebase or bisection in the tree with this git folder.
fn busy_with(dir: &Path) -> Vec<String> {
    let names = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"];
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).ok();
    names.into_iter().filter_map(read).map(|text| text.trim().to_owned()).collect()
}

impl Repo {
    /// The working tree that uses a branch: checked out, in a rebase, or in a bisection. `None` if the branch
    /// is free.
    pub fn worktree_using(&self, branch: &BranchName) -> Result<Option<PathBuf>, GitError> {
        let full = format!("refs/heads/{branch}");
        for tree in self.worktree_list()? {
            if tree.branch.as_ref() == Some(branch) {
                return Ok(Some(tree.path));
            }
            let dir = match git_dir(&tree.path) {
                Some(dir) => dir,
                // A tree whose folder is missing uses no branch.
                None => match self.at(&tree.path) {
                    Ok(repo) => repo.own_git_dir()?,
                    Err(_) => continue,
                },
            };
            if busy_with(&dir).iter().any(|name| *name == full || name == branch.as_str()) {
                return Ok(Some(tree.path));
            }
        }
        Ok(None)
    }

    /// Moves a branch, only from its expected commit. Fails with [`GitError::BranchInUse`] if a working tree
    /// uses the branch, and with [`GitError::Failed`] if it is a symbolic reference.
    pub fn move_branch(
        &self,
        branch: &BranchName,
        from: &ObjectId,
        to: &ObjectId,
        why: &str,
    ) -> Result<RefMove, GitError> {
        const DOING: &str = "move a branch";
        let name = format!("refs/heads/{branch}");
        if let Some(worktree) = self.worktree_using(branch)? {
            return Err(GitError::BranchInUse { branch: branch.clone(), worktree });
        }
        if self.git.ask(DOING, self.top_level(), ["symbolic-ref", "--quiet", &name])?.ok() {
            let said = format!("{branch} is only another name of a branch; merge into that branch");
            return Err(GitError::Failed { doing: DOING, dir: self.main_root().to_owned(), said });
        }
        let args = ["update-ref", "--no-deref", "-m", why, &name, to.as_str(), from.as_str()];
        let done = self.git.change(DOING, self.top_level(), args)?;
        if done.ok() {
            return Ok(RefMove::Done);
        }
        match self.reference(&name)?.as_ref() == Some(from) {
            true => Err(refusal(DOING, self.top_level(), &done)),
            false => Ok(RefMove::Raced),
        }
    }

    /// Updates a working tree, which has the branch checked out, to a descendant commit. Uncommitted,
    /// untracked and ignored files stay unchanged, or git refuses.
    pub fn update_worktree(
        &self,
        tree: &Path,
        branch: &BranchName,
        to: &ObjectId,
    ) -> Result<TreeUpdate, GitError> {
        let repo = self.at(tree)?;
        if repo.head()?.branch.as_ref() != Some(branch) {
            return Ok(TreeUpdate::Refused(format!("{} now has another branch checked out", tree.display())));
        }
        let args = [
            "-c",
            "merge.autoStash=false",
            "merge",
            "--ff-only",
            // Ignored files may matter as well; by default, git overwrites them.
            "--no-overwrite-ignore",
            // The branch may have other merge options configured.
            "--no-squash",
            "--quiet",
            to.as_str(),
        ];
        let until = Instant::now() + LOCK_WAIT;
        let done = loop {
            let done = self.git.change("update a working tree", repo.top_level(), args)?;
            if done.ok() {
                return Ok(TreeUpdate::Done);
            }
            // Another git process holds the lock, or a killed git left it. No event reports its release, so poll.
            if !done.err().contains(".lock': File exists") || Instant::now() >= until {
                break done;
            }
            thread::sleep(RETRY_EVERY);
        };
        let said = done.err() + &done.out();
        let lines =
            said.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with("hint:"));
        Ok(TreeUpdate::Refused(lines.collect::<Vec<_>>().join("\n")))
    }

    /// Fetches the remote's branch, then pushes `commit` to it. [`PushOutcome::Behind`] if the remote's
    /// branch has commits that `commit` lacks, or moved after the fetch.
    pub fn push_merged(
        &self,
        remote: &str,
        branch: &BranchName,
        commit: &ObjectId,
    ) -> Result<PushOutcome, GitError> {
        let seen = self.fetch_branch(remote, branch)?;
        if let Some(seen) = &seen
            && !self.is_ancestor(seen, commit)?
        {
            return Ok(PushOutcome::Behind);
        }
        // The remote is already up to date.
        if seen.as_ref() == Some(commit) {
            return Ok(PushOutcome::Done);
        }
        let lease = format!("refs/heads/{branch}:{}", seen.as_ref().map_or("", ObjectId::as_str));
        self.push_with(remote, branch, commit, Some(&format!("--force-with-lease={lease}")))
    }
}
