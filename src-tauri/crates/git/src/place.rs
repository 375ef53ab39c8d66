//! The branch of a session at a place. It is pushed before the host starts at the place, and fetched while the
//! session runs and when it ends.
//!
//! Git reaches the place through a command instead of ssh. Pushed commits go to
//! `refs/beads-console/home/BRANCH`, so that a push never moves a branch that an agent has checked out.
//! Fetched commits go to `refs/beads-console/PLACE/BRANCH`, and the session's checkpoints to their own
//! references.

use crate::{ObjectId, checkpoints::checkpoint_reference, error::GitError, repo::Repo};
use bc_core::ids::{BranchName, SessionId};

/// The address of a place's repository. It is a placeholder: the transport's command determines the place.
const ADDRESS: &str = "ssh://place/repository";

/// How git reaches a place's repository.
#[derive(Debug, Clone)]
pub struct PlaceTransport {
    /// The shell command line that git runs instead of ssh.
    pub command: String,
    /// Environment variables for `command`.
    pub env: Vec<(String, String)>,
}

/// The checkpoints that are pushed to a place.
#[derive(Debug, Clone, Copy, Default)]
pub struct PushedCheckpoints {
    /// The session and number of one checkpoint.
    pub one: Option<(SessionId, u32)>,
    /// A session, all of whose checkpoints are pushed.
    pub all_of: Option<SessionId>,
}

fn home(branch: &BranchName) -> String {
    format!("refs/beads-console/home/{branch}")
}

fn fetched(name: &str, branch: &BranchName) -> String {
    format!("refs/beads-console/{name}/{branch}")
}

impl Repo {
    /// Force-pushes a branch to its `refs/beads-console/home` reference at a place, and checkpoints to their own
    /// references.
    pub fn push_to_place(
        &self,
        place: &PlaceTransport,
        branch: &BranchName,
        checkpoints: PushedCheckpoints,
    ) -> Result<(), GitError> {
        let same = |reference: String| format!("+{reference}:{reference}");
        let specs = [
            Some(format!("+refs/heads/{branch}:{}", home(branch))),
            checkpoints.one.map(|(session, number)| same(checkpoint_reference(session, number))),
            checkpoints.all_of.map(|session| same(format!("refs/beads-console/checkpoints/{session}/*"))),
        ];
        let mut args =
            vec!["push", "--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", ADDRESS];
        args.extend(specs.iter().flatten().map(String::as_str));
        self.with_place("send a branch to a place", place, &args)
    }

    /// Fetches a branch and a session's checkpoints from a place. Returns the branch's commit at the place.
    pub fn fetch_from_place(
        &self,
        place: &PlaceTransport,
        name: &str,
        branch: &BranchName,
        session: SessionId,
    ) -> Result<Option<ObjectId>, GitError> {
        let fetched = fetched(name, branch);
        let specs = [
            format!("+refs/heads/{branch}:{fetched}"),
            format!("+refs/beads-console/checkpoints/{session}/*:refs/beads-console/checkpoints/{session}/*"),
        ];
        // Check the objects, because they come from another machine.
        let mut args = vec!["-c", "fetch.fsckObjects=true", "fetch", "--quiet", "--no-tags"];
        args.extend(["--no-write-fetch-head", "--no-recurse-submodules", ADDRESS]);
        args.extend(specs.iter().map(String::as_str));
        self.with_place("fetch a branch from a place", place, &args)?;
        self.reference(&fetched)
    }

    /// The commit of a branch that [`Repo::fetch_from_place`] last fetched from the place with this name.
    pub fn fetched_tip(&self, name: &str, branch: &BranchName) -> Result<Option<ObjectId>, GitError> {
        self.reference(&fetched(name, branch))
    }

    /// The commit that [`Repo::push_to_place`] last stored for a branch. Called on the repository at the
    /// place.
    pub fn pushed_tip(&self, branch: &BranchName) -> Result<Option<ObjectId>, GitError> {
        self.reference(&home(branch))
    }

    /// Detaches HEAD in this worktree, so that another worktree can check out its branch. Files stay
    /// unchanged. Called on the repository at the place.
    pub fn detach_head(&self) -> Result<(), GitError> {
        self.git.execute("detach HEAD", self.top_level(), ["checkout", "--quiet", "--detach"])
    }

    /// Configures `author` for this repository's commits, unless an author is configured. `author` has the
    /// format of [`Git::author`]; a malformed one is ignored.
    pub fn use_author_if_none(&self, author: &str) -> Result<(), GitError> {
        if self.git.author(self.top_level())?.is_some() {
            return Ok(());
        }
        let Some((name, email)) = author.strip_suffix('>').and_then(|author| author.split_once(" <")) else {
            return Ok(());
        };
        for (key, value) in [("user.name", name), ("user.email", email)] {
            let args = ["config", "--local", key, value];
            self.git.execute("set the author of commits", self.top_level(), args)?;
        }
        Ok(())
    }

    fn with_place(&self, doing: &'static str, place: &PlaceTransport, args: &[&str]) -> Result<(), GitError> {
        let mut git = self.git.clone();
        for (name, value) in &place.env {
            git = git.env(name, value);
        }
        let git = git.env("GIT_SSH_COMMAND", &place.command).env("GIT_SSH_VARIANT", "simple");
        git.execute(doing, self.top_level(), args)
    }
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::disallowed_methods)] // Sample files.
mod tests {
    use super::*;
    use crate::{WorktreeBranch, fixture::Sandbox};
    use std::path::Path;

    fn transport(repository: &Path) -> PlaceTransport {
        // Git appends two arguments: `place`, and `git-upload-pack '/repository'` for a fetch or
        // `git-receive-pack '/repository'` for a push.
        let script = "service=${2%% *}; exec git \"${service#git-}\" \"$PLACE_REPOSITORY\"";
        PlaceTransport {
            command: format!("sh -c '{script}' sh"),
            env: vec![("PLACE_REPOSITORY".into(), repository.display().to_string())],
        }
    }

    #[test]
    fn a_branch_is_pushed_to_a_place_and_its_commits_are_fetched() {
        let local = Sandbox::with_commit();
        let remote = Sandbox::new();
        let repo = local.repo();
        let branch: BranchName = "bead/one".parse().unwrap();
        repo.create_branch(&branch, "HEAD").unwrap();
        std::fs::create_dir(remote.root().join("far")).unwrap();
        let far = remote.git().init(&remote.root().join("far")).unwrap();
        let place = transport(far.top_level());
        repo.push_to_place(&place, &branch, PushedCheckpoints::default()).unwrap();
        let pushed = far.pushed_tip(&branch).unwrap().unwrap();
        let tree = remote.root().join("tree");
        far.worktree_add(&tree, WorktreeBranch::New { name: &branch, base: pushed.as_str() }).unwrap();
        far.use_author_if_none("Ana <ana@example.org>").unwrap();
        std::fs::write(tree.join("new"), "made there").unwrap();
        let session = "00000000-0000-0000-0000-000000000001".parse::<SessionId>().unwrap();
        remote.run(&["-C", tree.to_str().unwrap(), "add", "new"]);
        remote.run(&["-C", tree.to_str().unwrap(), "commit", "--quiet", "-m", "there"]);
        remote.run(&[
            "-C",
            tree.to_str().unwrap(),
            "update-ref",
            &format!("refs/beads-console/checkpoints/{session}/1"),
            "HEAD",
        ]);
        let tip = repo.fetch_from_place(&place, "far", &branch, session).unwrap().unwrap();
        assert_ne!(tip, pushed);
        assert_eq!(repo.reference("refs/beads-console/far/bead/one").unwrap(), Some(tip.clone()));
        assert_eq!(
            repo.reference(&format!("refs/beads-console/checkpoints/{session}/1")).unwrap(),
            Some(tip)
        );
        assert_eq!(repo.tip(&branch).unwrap().as_deref(), Some(pushed.as_str()), "the branch here moved");
    }

    #[test]
    fn a_place_that_cannot_be_reached_is_an_error() {
        let local = Sandbox::with_commit();
        let repo = local.repo();
        let branch: BranchName = "one".parse().unwrap();
        repo.create_branch(&branch, "HEAD").unwrap();
        let place = PlaceTransport { command: "false".into(), env: vec![] };
        assert!(repo.push_to_place(&place, &branch, PushedCheckpoints::default()).is_err());
    }
}
