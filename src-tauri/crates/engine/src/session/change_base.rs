//! The commit with which a session's changes are compared.

use crate::context::errors::git_error;
use bc_core::session::Meta;
use bc_git::{ObjectId, Repo};
use bc_wire::ApiError;

/// The commit with which a session's changes are compared.
pub(super) struct Base {
    /// `None` if the session started without a commit or that commit no longer exists.
    pub(super) commit: Option<ObjectId>,
    /// Whether the commit is on the session's base branch.
    pub(super) of_branch: bool,
}

/// The merge base of the session's branch and its base branch, if the session's branch is ahead of it.
/// Otherwise, the commit at which the session started, or after a rebase the merge base with that commit.
pub(super) fn base(repo: &Repo, meta: &Meta, tip: Option<&ObjectId>) -> Result<Base, ApiError> {
    let began = meta.base_commit.as_deref().and_then(|hash| repo.commit_of(hash).ok());
    let Some(tip) = tip else { return Ok(Base { commit: None, of_branch: false }) };
    let onto = match &meta.base_branch {
        Some(branch) => repo.tip(branch).map_err(git_error)?,
        None => None,
    };
    if let Some(onto) = onto {
        let onto = repo.commit_of(&onto).map_err(git_error)?;
        if !repo.is_ancestor(tip, &onto).map_err(git_error)?
            && let Some(fork) = repo.fork_point(tip, &onto).map_err(git_error)?
        {
            return Ok(Base { commit: Some(fork), of_branch: true });
        }
    }
    let of_branch = meta.base_branch.is_some();
    let Some(began) = began else { return Ok(Base { commit: None, of_branch: false }) };
    let fork = repo.fork_point(tip, &began).map_err(git_error)?;
    Ok(Base { commit: Some(fork.unwrap_or(began)), of_branch })
}

impl Base {
    /// The commit, or the empty tree if there is none.
    pub(super) fn compared(&self, repo: &Repo) -> Result<ObjectId, ApiError> {
        self.commit.clone().map_or_else(|| repo.empty_tree().map_err(git_error), Ok)
    }
}
