//! The commit with which a session's changes are compared.

use crate::context::errors::git_error;
use bc_core::session::Meta;
use bc_git::{ObjectId, Repo};
use bc_wire::ApiError;

pub(super) struct Base {
    /// `None` if there is no commit to compare, or if the session started without a commit or that commit no
    /// longer exists.
    pub(super) commit: Option<ObjectId>,
    /// Whether the commit is on the session's base branch.
    pub(super) on_base_branch: bool,
}

/// The merge base of the session's branch and its base branch, if the session's branch has commits that the base
/// branch lacks. Otherwise, the commit at which the session started, or after a rebase the merge base with that
/// commit.
pub(super) fn base(repo: &Repo, meta: &Meta, tip: Option<&ObjectId>) -> Result<Base, ApiError> {
    let none = Base { commit: None, on_base_branch: false };
    let Some(tip) = tip else { return Ok(none) };
    if let Some(branch) = &meta.base_branch
        && let Some(base_tip) = repo.tip(branch).map_err(git_error)?
    {
        let base_tip = repo.commit_of(&base_tip).map_err(git_error)?;
        if !repo.is_ancestor(tip, &base_tip).map_err(git_error)?
            && let Some(merge_base) = repo.fork_point(tip, &base_tip).map_err(git_error)?
        {
            return Ok(Base { commit: Some(merge_base), on_base_branch: true });
        }
    }
    let Some(start) = start_commit(repo, meta) else { return Ok(none) };
    let merge_base = repo.fork_point(tip, &start).map_err(git_error)?;
    Ok(Base { commit: Some(merge_base.unwrap_or(start)), on_base_branch: meta.base_branch.is_some() })
}

/// The commit at which the session started, if it still exists.
pub(super) fn start_commit(repo: &Repo, meta: &Meta) -> Option<ObjectId> {
    repo.commit_of(meta.base_commit.as_deref()?).ok()
}

impl Base {
    /// The commit, or the empty tree if there is none.
    pub(super) fn commit_or_empty(&self, repo: &Repo) -> Result<ObjectId, ApiError> {
        self.commit.clone().map_or_else(|| repo.empty_tree().map_err(git_error), Ok)
    }
}
