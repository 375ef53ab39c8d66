//! The work that the removal of a worktree would lose: uncommitted and untracked files, submodules, and
//! commits that no branch, tag or remote has.

use crate::{commits::Commit, error::GitError, program::path_from, repo::Repo};
use bc_core::{ids::BranchName, work::FileLine};
use std::path::PathBuf;

/// The maximum number of commits to list.
const COMMITS: usize = 200;

/// The work that would be lost if a worktree were removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loss {
    /// Tracked files with uncommitted changes, the tracker's included.
    pub uncommitted: Vec<FileLine>,
    /// Untracked files that are not ignored; a folder without tracked files is one entry.
    pub untracked: Vec<PathBuf>,
    /// Initialized submodules: their repositories, with all unpushed commits, belong to the worktree.
    pub submodules: Vec<PathBuf>,
    /// Commits of HEAD that no other branch, tag or remote has, newest first; at most 200.
    pub commits: Vec<Commit>,
    /// The checked-out branch, which keeps `commits`; `None` if HEAD is detached, so that they would be lost.
    pub kept_on: Option<BranchName>,
}

impl Loss {
    /// Whether no work would be lost.
    pub fn is_none(&self) -> bool {
        self.uncommitted.is_empty()
            && self.untracked.is_empty()
            && self.submodules.is_empty()
            && (self.commits.is_empty() || self.kept_on.is_some())
    }
}

impl Repo {
    /// The work that would be lost if this working tree were removed.
    pub fn loss(&self) -> Result<Loss, GitError> {
        let status = self.status_with_tracker_data()?;
        let head = self.head()?;
        let submodules = self.declared_submodules()?;
        let uncommitted = status.lines_of_changed();
        let commits = match &head.commit {
            Some(commit) => self.commits_only_on(commit, head.branch.as_ref())?,
            None => Vec::new(),
        };
        Ok(Loss { uncommitted, untracked: status.untracked, submodules, commits, kept_on: head.branch })
    }

    /// This commit and its ancestors that no other branch, tag or remote has, newest first; at most [`COMMITS`].
    fn commits_only_on(&self, commit: &str, branch: Option<&BranchName>) -> Result<Vec<Commit>, GitError> {
        let most = format!("--max-count={COMMITS}");
        let exclude = branch.map(|branch| format!("--exclude={}", literal(branch.as_str())));
        let args = ["rev-list", &most, commit, "--not"].into_iter().chain(exclude.as_deref());
        let args = args.chain(["--branches", "--tags", "--remotes"]);
        let done = self.git.read("find commits that are on no other branch", self.top_level(), args)?;
        let hashes: Vec<String> = done.out().lines().map(str::to_owned).collect();
        if hashes.is_empty() { Ok(Vec::new()) } else { self.commits_named(&hashes) }
    }

    /// Like [`Repo::initialized_submodules`], but without running git if the tree has no `.gitmodules`.
    pub(crate) fn declared_submodules(&self) -> Result<Vec<PathBuf>, GitError> {
        match self.top_level().join(".gitmodules").is_file() {
            true => self.initialized_submodules(),
            false => Ok(Vec::new()),
        }
    }

    /// The paths of submodules that are initialized in this tree, whether or not `.gitmodules` lists them.
    pub(crate) fn initialized_submodules(&self) -> Result<Vec<PathBuf>, GitError> {
        let args = ["ls-files", "--stage", "-z"];
        let done = self.git.read("list submodules", self.top_level(), args)?;
        let links = done.stdout.split(|&b| b == 0).filter(|line| line.starts_with(b"160000 "));
        let paths =
            links.filter_map(|line| Some(path_from(&line[line.iter().position(|&b| b == b'\t')? + 1..])));
        Ok(paths.filter(|path| self.top_level().join(path).join(".git").exists()).collect())
    }
}

/// A branch name as a glob pattern that matches only itself.
fn literal(name: &str) -> String {
    name.chars()
        .flat_map(|c| matches!(c, '*' | '?' | '[' | '\\').then_some('\\').into_iter().chain([c]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixture::Sandbox, worktree::WorktreeBranch};

    fn tree(sandbox: &Sandbox, branch: &str) -> Repo {
        let branch = branch.parse().unwrap();
        let path = sandbox.worktree_path(&branch);
        sandbox.repo().worktree_add(&path, WorktreeBranch::New { name: &branch, base: "HEAD" }).unwrap();
        sandbox.repo().at(&path).unwrap()
    }

    fn commit_in(sandbox: &Sandbox, tree: &Repo, subject: &str) {
        let path = tree.top_level().to_str().unwrap();
        sandbox.run(&["-C", path, "commit", "-q", "--allow-empty", "-m", subject]);
    }

    #[test]
    fn a_new_worktree_loses_nothing_and_commits_stay_on_their_branch() {
        let sandbox = Sandbox::with_commit();
        let tree = tree(&sandbox, "feat/x");
        assert_eq!(
            tree.loss().unwrap(),
            Loss { kept_on: Some("feat/x".parse().unwrap()), ..Loss::default() }
        );
        commit_in(&sandbox, &tree, "work");
        let loss = tree.loss().unwrap();
        assert_eq!((loss.commits.len(), loss.commits[0].subject.as_str(), loss.is_none()), (1, "work", true));
        sandbox.run(&["branch", "copy", "feat/x"]);
        assert_eq!(tree.loss().unwrap().commits, []);
    }

    #[test]
    fn commits_without_a_branch_and_uncommitted_work_would_be_lost() {
        let sandbox = Sandbox::with_commit();
        let tree = tree(&sandbox, "b");
        sandbox.run(&["-C", tree.top_level().to_str().unwrap(), "checkout", "-q", "--detach"]);
        assert!(tree.loss().unwrap().is_none());
        commit_in(&sandbox, &tree, "lost");
        let loss = tree.loss().unwrap();
        assert_eq!((loss.commits.len(), &loss.kept_on, loss.is_none()), (1, &None, false));
        sandbox.write("../project-worktrees/b/README.md", "other");
        sandbox.write("../project-worktrees/b/.beads/notes", "mine");
        let loss = tree.loss().unwrap();
        assert_eq!((loss.uncommitted.len(), loss.untracked), (1, vec![PathBuf::from(".beads/")]));
    }

    #[test]
    fn a_rename_in_case_only_is_not_a_loss() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["mv", "README.md", "readme.md"]);
        sandbox.commit("case");
        let tree = tree(&sandbox, "b");
        assert!(tree.loss().unwrap().is_none());
        assert!(tree.top_level().join("readme.md").is_file());
    }

    #[test]
    fn a_populated_submodule_is_a_loss_and_an_empty_one_is_not() {
        let sandbox = Sandbox::with_commit();
        let other = Sandbox::with_commit();
        let url = other.root().to_str().unwrap();
        sandbox.run(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "lib"]);
        sandbox.commit("lib");
        let tree = tree(&sandbox, "b");
        assert!(tree.loss().unwrap().is_none());
        let path = tree.top_level().to_str().unwrap();
        sandbox.run(&[
            "-C",
            path,
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "update",
            "--init",
        ]);
        let loss = tree.loss().unwrap();
        assert_eq!((loss.submodules.clone(), loss.is_none()), (vec![PathBuf::from("lib")], false));
        tree.worktree_remove(tree.top_level()).unwrap_err();
        tree.worktree_remove_whole(tree.top_level()).unwrap();
        assert!(!tree.top_level().exists());
    }

    #[test]
    fn a_branch_name_is_not_a_pattern() {
        assert_eq!(literal("feat/x"), "feat/x");
        assert_eq!(literal("a*b"), "a\\*b");
    }
}
