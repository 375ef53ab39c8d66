//! Gathering what the folder decision needs, and carrying the decision out.

use super::folder::{self, Facts, Folder};
use crate::{engine::Engine, errors::git_error};
use bc_core::{
    ids::{BranchName, SessionId},
    session::{Meta, Status},
};
use bc_git::{Repo, WorktreeBranch};
use bc_wire::{ApiError, session::FolderChoice};
use std::path::{Path, PathBuf};

/// A working folder that was decided on and not made yet.
pub(crate) struct Workspace {
    repo: Repo,
    folder: Folder,
    tree: PathBuf,
    /// The branch that will be checked out in it.
    pub(crate) branch: Option<BranchName>,
    /// Whether that branch is there already.
    pub(crate) branch_exists: bool,
    /// Claude's absolute working folder.
    pub(crate) cwd: PathBuf,
    /// Whether it is a linked worktree.
    pub(crate) worktree: bool,
    /// The branch that it begins from, where it is made.
    pub(crate) base_branch: Option<BranchName>,
    /// The commit that the branch starts from.
    pub(crate) base_commit: Option<String>,
}

/// Decides where a session on this branch works; nothing is changed.
pub(crate) fn decide(
    engine: &Engine,
    choice: FolderChoice,
    wanted: Option<&BranchName>,
    but: Option<SessionId>,
) -> Result<Workspace, ApiError> {
    let repo = engine.project.repo()?.at(&engine.main_tree()?).map_err(git_error)?;
    let head = repo.head().map_err(git_error)?;
    let others = active_elsewhere(engine, but)?;
    let in_folder = |folder: &Path| -> Vec<SessionId> {
        let inside = |m: &&Meta| m.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).starts_with(folder));
        others.iter().filter(inside).map(|m| m.id).collect()
    };
    let worktree_with_branch = match wanted {
        Some(branch) => linked_worktree_of(&repo, branch)?,
        None => None,
    };
    let branch_exists = match wanted {
        Some(branch) => repo.branch_exists(branch).map_err(git_error)?,
        None => true,
    };
    let dirty = repo.dirty_files().map_err(git_error)?;
    let facts = Facts {
        branch_exists,
        dirty: dirty.iter().map(|p| bc_core::text::one_line(&p.display().to_string())).collect(),
        others_in_main: in_folder(repo.main_root()),
        others_in_worktree: worktree_with_branch.as_deref().map(in_folder).unwrap_or_default(),
        worktree_with_branch,
        has_commits: head.commit.is_some(),
        head: head.branch.clone(),
    };
    let folder = folder::decide(choice, wanted, &facts)?;
    let base_branch = head.branch.clone().filter(|head| !branch_exists && wanted != Some(head));
    let inside = engine.project.root.strip_prefix(repo.main_root()).unwrap_or(Path::new("")).to_owned();
    let (tree, worktree, branch) = match &folder {
        Folder::Stay => (repo.main_root().to_owned(), false, head.branch),
        Folder::Switch { branch, .. } => (repo.main_root().to_owned(), false, Some(branch.clone())),
        Folder::Reuse { path } => (path.clone(), true, wanted.cloned()),
        Folder::Worktree { branch, .. } => {
            (repo.worktree_path_for(branch).map_err(git_error)?, true, Some(branch.clone()))
        }
    };
    Ok(Workspace {
        folder,
        branch,
        branch_exists,
        // An empty path would add a separator to the end.
        cwd: if inside.as_os_str().is_empty() { tree.clone() } else { tree.join(inside) },
        tree,
        worktree,
        base_branch,
        base_commit: head.commit,
        repo,
    })
}

impl Workspace {
    /// Makes the branch and the folder, and says on which commit the session begins.
    pub(crate) fn make(mut self) -> Result<Workspace, ApiError> {
        match &self.folder {
            Folder::Stay => {}
            Folder::Switch { branch, create: true } => self.repo.switch_to_new(branch).map_err(git_error)?,
            Folder::Switch { branch, create: false } => self.repo.switch_to(branch).map_err(git_error)?,
            Folder::Reuse { .. } => {}
            Folder::Worktree { branch, create } => {
                let how = match create {
                    true => WorktreeBranch::New { name: branch, base: "HEAD" },
                    false => WorktreeBranch::Existing(branch),
                };
                self.repo.worktree_add(&self.tree, how).map_err(git_error)?;
            }
        }
        // A project in a subfolder that the branch does not have yet.
        bc_store::file::create_dir(&self.cwd).map_err(crate::errors::file_error)?;
        let here = self.repo.at(&self.cwd).map_err(git_error)?;
        self.base_commit = here.head().map_err(git_error)?.commit;
        Ok(self)
    }
}

fn active_elsewhere(engine: &Engine, but: Option<SessionId>) -> Result<Vec<Meta>, ApiError> {
    let all = engine.metas()?;
    Ok(all.into_iter().filter(|m| m.status == Status::Active && Some(m.id) != but).collect())
}

fn linked_worktree_of(repo: &Repo, branch: &BranchName) -> Result<Option<PathBuf>, ApiError> {
    let trees = repo.worktree_list().map_err(git_error)?;
    let has = |t: &&bc_git::Worktree| !t.main && t.branch.as_ref() == Some(branch) && t.path.is_dir();
    Ok(trees.iter().find(has).map(|t| t.path.clone()))
}
