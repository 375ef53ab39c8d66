//! Fetches and pushes a single branch. No hook runs, git does not prompt on a terminal, and neither
//! FETCH_HEAD nor other branches change.

use crate::{ObjectId, error::GitError, program::text_line, repo::Repo};
use bc_core::{ids::BranchName, text};

/// The result of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushOutcome {
    /// The remote has the commit.
    Done,
    /// The remote's branch has commits that the pushed commit lacks, or moved meanwhile: fetch and merge
    /// first.
    Behind,
    /// The remote or the transport refused, with this message.
    Refused(String),
}

/// The remote-tracking reference of a branch.
fn tracking(remote: &str, branch: &BranchName) -> String {
    format!("refs/remotes/{remote}/{branch}")
}

impl Repo {
    /// The remote for pushes: git's push default, `origin`, or the only one; `None` if there is none or the
    /// choice is ambiguous.
    pub fn remote_for_pushes(&self) -> Result<Option<String>, GitError> {
        let default = self.config("remote.pushDefault")?;
        let done = self.git.read("list remotes", self.top_level(), ["remote"])?;
        let names: Vec<String> = done.out().lines().map(str::to_owned).collect();
        let usual = |name: &str| names.iter().find(|known| *known == name).cloned();
        let only = || if names.len() == 1 { names.first().cloned() } else { None };
        let found = default.and_then(|name| usual(&name)).or_else(|| usual("origin")).or_else(only);
        Ok(found.filter(|name| !name.starts_with('-')))
    }

    /// The commit of the remote's branch at the last fetch or push; `None` if there was none.
    pub fn remote_tip(&self, remote: &str, branch: &BranchName) -> Result<Option<ObjectId>, GitError> {
        self.reference(&tracking(remote, branch))
    }

    /// Fetches the remote's branch and returns its commit; `None` if the remote has no such branch.
    pub fn fetch_branch(&self, remote: &str, branch: &BranchName) -> Result<Option<ObjectId>, GitError> {
        const DOING: &str = "fetch a branch";
        let spec = format!("+refs/heads/{branch}:{}", tracking(remote, branch));
        let mut args = self.ssh_options()?;
        args.extend(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"]);
        args.extend([remote, &spec]);
        let done = self.git.change(DOING, self.top_level(), &args)?;
        if done.ok() {
            return self.remote_tip(remote, branch);
        }
        match done.err().contains("couldn't find remote ref") {
            true => Ok(None),
            false => {
                Err(GitError::Remote { doing: DOING, remote: remote.to_owned(), said: said(&done.err()) })
            }
        }
    }

    /// Pushes a commit as the remote's branch if it is a fast-forward.
    pub fn push_branch(
        &self,
        remote: &str,
        branch: &BranchName,
        commit: &ObjectId,
    ) -> Result<PushOutcome, GitError> {
        self.push_with(remote, branch, commit, None)
    }

    /// Like [`Self::push_branch`], with one more option of `git push`, such as `--force-with-lease=…`.
    pub(crate) fn push_with(
        &self,
        remote: &str,
        branch: &BranchName,
        commit: &ObjectId,
        condition: Option<&str>,
    ) -> Result<PushOutcome, GitError> {
        let spec = format!("{}:refs/heads/{branch}", commit.as_str());
        let mut args = self.ssh_options()?;
        args.extend(["push", "--porcelain", "--no-verify", "--no-follow-tags"]);
        args.extend(condition);
        args.extend(["--recurse-submodules=no", remote, &spec]);
        let done = self.git.change("push a branch", self.top_level(), &args)?;
        if done.ok() {
            let name = tracking(remote, branch);
            let seen = self.reference(&name)?;
            if seen.as_ref() != Some(commit) {
                // A lost race is ignored: the next fetch corrects the remote-tracking reference.
                self.move_reference(&name, commit, seen.as_ref())?;
            }
            return Ok(PushOutcome::Done);
        }
        let out = done.out();
        let verdict = out.lines().find(|line| line.starts_with('!')).unwrap_or_default();
        let behind = ["[rejected]", "cannot lock ref", "failed to update ref", "fetch first"];
        match behind.iter().any(|word| verdict.contains(word)) {
            true => Ok(PushOutcome::Behind),
            false => Ok(PushOutcome::Refused(said(&format!("{} {}", done.err(), verdict)))),
        }
    }

    /// Options that keep ssh from prompting, unless the user configured an ssh command.
    fn ssh_options<'a>(&self) -> Result<Vec<&'a str>, GitError> {
        let own_ssh = ["GIT_SSH_COMMAND", "GIT_SSH"].iter().any(|key| std::env::var_os(key).is_some());
        match own_ssh || self.config("core.sshCommand")?.is_some() {
            true => Ok(Vec::new()),
            false => Ok(vec!["-c", "core.sshCommand=ssh -oBatchMode=yes"]),
        }
    }

    fn config(&self, key: &str) -> Result<Option<String>, GitError> {
        let done = self.git.ask("read a setting", self.top_level(), ["config", "--get", key])?;
        let value = text_line(&done.stdout);
        Ok((done.ok() && !value.is_empty()).then_some(value))
    }
}

/// The messages of git and the remote, without hints for git's command line.
fn said(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("remote:").trim());
    let lines =
        lines.filter(|line| !line.is_empty() && !line.starts_with("hint:") && !line.starts_with("To "));
    text::cut(&text::one_line(&lines.collect::<Vec<_>>().join("; ")), 400)
}
