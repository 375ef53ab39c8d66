//! The backup branch: its name, the project's folder in it, and its known commits.

use crate::context::{Project, errors::git_error};
use bc_core::ids::BranchName;
use bc_git::{ObjectId, Repo};
use bc_wire::ApiError;

/// The backup's folder in a commit, below the project's path in the repository.
const FOLDER: &str = "beads-backup";

pub(super) fn branch() -> BranchName {
    bc_core::backup::BRANCH.parse().expect("the constant is a valid branch name")
}

pub(super) fn reference() -> String {
    format!("refs/heads/{}", bc_core::backup::BRANCH)
}

/// The path of a project's backup in a commit. All projects in a repository share the branch.
pub(super) fn folder_of(project: &Project, repo: &Repo) -> String {
    match project.inside(repo).to_string_lossy().replace('\\', "/") {
        inside if inside.is_empty() => FOLDER.to_owned(),
        inside => format!("{inside}/{FOLDER}"),
    }
}

/// The tips of the backup branch in this clone: of its local branch, and of the remote's branch as last
/// fetched.
pub(super) struct Tips {
    pub(super) own: Option<ObjectId>,
    pub(super) theirs: Option<ObjectId>,
    pub(super) remote: Option<String>,
}

impl Tips {
    pub(super) fn of(repo: &Repo) -> Result<Tips, ApiError> {
        let remote = repo.remote_for_pushes().map_err(git_error)?;
        let theirs = match &remote {
            Some(remote) => repo.remote_tip(remote, &branch()).map_err(git_error)?,
            None => None,
        };
        Ok(Tips { own: repo.reference(&reference()).map_err(git_error)?, theirs, remote })
    }

    /// The tips, without a tip that is an ancestor of the other. Both are returned if each has commits that
    /// the other lacks.
    pub(super) fn heads(&self, repo: &Repo) -> Result<Vec<ObjectId>, ApiError> {
        Ok(match (&self.own, &self.theirs) {
            (Some(own), Some(theirs)) => {
                if repo.is_ancestor(theirs, own).map_err(git_error)? {
                    vec![own.clone()]
                } else if repo.is_ancestor(own, theirs).map_err(git_error)? {
                    vec![theirs.clone()]
                } else {
                    vec![own.clone(), theirs.clone()]
                }
            }
            (Some(one), None) | (None, Some(one)) => vec![one.clone()],
            (None, None) => Vec::new(),
        })
    }
}
