//! Gathers the facts for the choice of a session's working folder, and prepares the chosen folder.

use super::folder::{self, Facts, Folder};
use crate::{
    context::{
        Context, SessionGuard, WorktreeGuard,
        errors::{git_error, store_error},
    },
    settings, worktrees,
};
use bc_core::{
    ids::{BranchName, SessionId},
    session::{Meta, Status},
};
use bc_git::Repo;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, session::FolderChoice};
use std::path::{Path, PathBuf};

/// The working folder that was chosen for a session, before and after [`Workspace::prepare`].
pub(crate) struct Workspace {
    repo: Repo,
    folder: Folder,
    tree: PathBuf,
    /// The branch that is checked out after [`Workspace::prepare`]; `None` for a detached HEAD.
    pub(crate) branch: Option<BranchName>,
    pub(crate) branch_exists: bool,
    /// Claude's working folder, absolute.
    pub(crate) cwd: PathBuf,
    /// Whether the folder is in a linked worktree.
    pub(crate) worktree: bool,
    /// The branch on which a new branch is based; `None` if the branch already exists or its base is not a
    /// branch.
    pub(crate) base_branch: Option<BranchName>,
    /// The checked-out commit: in the main tree before [`Workspace::prepare`], and in the session's folder
    /// afterwards.
    pub(crate) base_commit: Option<String>,
    /// The origin of a new worktree's branch.
    base: worktrees::Base,
    /// Warnings from [`Workspace::prepare`].
    pub(crate) notes: Vec<String>,
    /// Whether the folder was just created and contains only committed files.
    pub(crate) untouched: bool,
}

/// Chooses the folder for a session on this branch; changes nothing.
pub(crate) fn decide(
    ctx: &Context,
    choice: FolderChoice,
    wanted: Option<&BranchName>,
    except: Option<SessionId>,
) -> Result<Workspace, ApiError> {
    decide_among(ctx, choice, wanted, &active_elsewhere(ctx, except)?)
}

/// Like [`decide`], but for other unfinished sessions that the caller has already read.
pub(super) fn decide_among(
    ctx: &Context,
    choice: FolderChoice,
    wanted: Option<&BranchName>,
    others: &[Meta],
) -> Result<Workspace, ApiError> {
    let repo = ctx.project.repo()?.at(&ctx.main_tree()?).map_err(git_error)?;
    let head = repo.head().map_err(git_error)?;
    let others: Vec<&Meta> = others.iter().filter(|meta| has_folder(meta)).collect();
    let busy: Vec<&Path> = others.iter().filter_map(|m| m.cwd.as_deref().map(Path::new)).collect();
    let in_folder = |folder: &Path| -> Vec<SessionId> {
        let inside = |m: &&&Meta| m.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).starts_with(folder));
        others.iter().filter(inside).map(|m| m.id).collect()
    };
    let worktree_with_branch = match wanted {
        Some(branch) => linked_worktree_of(&repo, branch)?,
        None => None,
    };
    // A worktree that is being created is not in git's list yet; only its session's draft shows it.
    let starting = |m: &&&Meta| m.status == Status::Draft && m.branch.as_ref() == wanted && m.worktree;
    if let (Some(branch), None, Some(other)) = (wanted, &worktree_with_branch, others.iter().find(starting)) {
        let text = format!("session {} is being started on {branch}", other.id.short());
        return Err(ApiError::new(ErrorCode::SessionState, text).hint("try again in a moment"));
    }
    let branch_exists = match wanted {
        Some(branch) => repo.branch_exists(branch).map_err(git_error)?,
        None => true,
    };
    if let (Some(branch), false) = (wanted, branch_exists) {
        repo.check_new_branch(branch).map_err(git_error)?;
    }
    // Uncommitted changes matter only if an existing branch would be checked out over them.
    let dirty = match choice == FolderChoice::Worktree || !branch_exists || wanted.is_none() {
        true => Vec::new(),
        false => repo.dirty_files().map_err(git_error)?,
    };
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
    let base = settings::fleet(&ctx.project).worktree_base.filter(|base| !base.trim().is_empty());
    let base = base.filter(|_| matches!(folder, Folder::Worktree { create: true, .. }));
    let base_branch = match &base {
        Some(base) => base.parse().ok().filter(|base| repo.branch_exists(base).unwrap_or(false)),
        None => head.branch.clone(),
    };
    let base_branch = base_branch.filter(|base| !branch_exists && wanted != Some(base));
    let base = match branch_exists {
        true => worktrees::Base::Existing,
        false => worktrees::Base::New(base.unwrap_or_else(|| "HEAD".to_owned())),
    };
    let (tree, worktree, branch) = match &folder {
        Folder::Stay => (repo.main_root().to_owned(), false, head.branch),
        Folder::Switch { branch, .. } => (repo.main_root().to_owned(), false, Some(branch.clone())),
        Folder::Reuse { path } => (path.clone(), true, wanted.cloned()),
        Folder::Worktree { branch, .. } => {
            let beside = worktrees::folder(&ctx.project, &repo)?;
            (repo.worktree_path_in(&beside, branch, &busy).map_err(git_error)?, true, Some(branch.clone()))
        }
    };
    Ok(Workspace {
        folder,
        branch,
        branch_exists,
        cwd: ctx.project.folder_in(&repo, &tree),
        tree,
        worktree,
        base_branch,
        base_commit: head.commit,
        base,
        notes: Vec::new(),
        untouched: false,
        repo,
    })
}

impl Workspace {
    /// The branch to create for a new worktree, and the revision at which it starts.
    pub(super) fn new_branch(&self) -> Option<(&BranchName, &str)> {
        match (&self.folder, &self.base) {
            (Folder::Worktree { branch, create: true }, worktrees::Base::New(base)) => Some((branch, base)),
            _ => None,
        }
    }

    /// Makes the new branch start at this commit, with `base_branch` as its base branch.
    pub(super) fn start_at(&mut self, commit: &str, base_branch: Option<BranchName>) {
        self.base = worktrees::Base::New(commit.to_owned());
        self.base_branch = base_branch;
    }

    /// Records that the new branch was created, so that the worktree does not create it again.
    pub(super) fn mark_branch_created(&mut self) {
        if let worktrees::Base::New(base) = &mut self.base {
            self.base = worktrees::Base::Made(std::mem::take(base));
        }
    }

    /// Creates the branch and the folder as necessary, and sets the session's base commit. A pending setup is run
    /// later, by [`worktrees::set_up`].
    pub(crate) fn prepare(mut self, held: &WorktreeGuard<'_>) -> Result<Workspace, ApiError> {
        match &self.folder {
            Folder::Stay | Folder::Reuse { .. } => {}
            Folder::Switch { branch, create: true } => self.repo.switch_to_new(branch).map_err(git_error)?,
            Folder::Switch { branch, create: false } => self.repo.switch_to(branch).map_err(git_error)?,
            Folder::Worktree { branch, .. } => {
                self.notes = worktrees::create(held, &self.repo, &self.tree, &self.cwd, branch, &self.base)?;
                self.untouched = !worktrees::has_extras(&settings::fleet(held.project));
            }
        }
        // The project may be in a subfolder that does not exist on the branch.
        bc_store::file::create_dir(&self.cwd).map_err(crate::context::errors::file_error)?;
        let prepared = self.repo.at(&self.cwd).map_err(git_error)?;
        self.base_commit = prepared.head().map_err(git_error)?.commit;
        Ok(self)
    }

    /// Removes a worktree that was just created and not used, and its branch if the branch is new.
    pub(crate) fn discard_unused(&self, held: &WorktreeGuard<'_>) {
        if let (Folder::Worktree { branch, create }, Some(commit)) = (&self.folder, &self.base_commit) {
            worktrees::discard_unused(
                held,
                &self.repo,
                &self.tree,
                create.then_some((branch, commit.as_str())),
            );
        }
    }
}

/// Runs the pending setup, if any, of the worktree of a session on this machine. The setup can take minutes,
/// so the session lock is released meanwhile; the saved record reserves the folder.
pub(crate) fn set_up<'a>(
    ctx: &'a Context,
    sessions: SessionGuard<'a>,
    lock: &SessionLock,
    meta: &Meta,
) -> Result<SessionGuard<'a>, ApiError> {
    let is_local = meta.worktree && meta.place.is_none();
    let Some(cwd) = meta.cwd.as_deref().filter(|_| is_local) else { return Ok(sessions) };
    lock.save_meta(meta).map_err(store_error)?;
    drop(sessions);
    worktrees::set_up(ctx, Path::new(cwd))?;
    Ok(ctx.session_lock())
}

/// The active sessions, and the drafts that are being started and have a folder; without the session `except`.
pub(super) fn active_elsewhere(ctx: &Context, except: Option<SessionId>) -> Result<Vec<Meta>, ApiError> {
    unfinished(ctx, |meta| Some(meta.id) != except && has_folder(meta))
}

/// Whether a session uses its folder, or is about to use it.
fn has_folder(meta: &Meta) -> bool {
    match meta.status {
        Status::Active => true,
        Status::Draft => meta.cwd.is_some(),
        Status::Paused | Status::Closed => false,
    }
}

/// The wanted sessions that are active, paused or being started.
pub(super) fn unfinished(ctx: &Context, wanted: impl Fn(&Meta) -> bool) -> Result<Vec<Meta>, ApiError> {
    let mut found = Vec::new();
    for meta in ctx.metas()?.into_iter().filter(wanted) {
        if is_unfinished(ctx, &meta)? {
            found.push(meta);
        }
    }
    Ok(found)
}

/// Whether a session is active, paused or being started. A draft is being started if its lock is held; a crash leaves
/// an unlocked draft.
fn is_unfinished(ctx: &Context, meta: &Meta) -> Result<bool, ApiError> {
    match meta.status {
        Status::Active | Status::Paused => Ok(true),
        Status::Draft => Ok(ctx.store.session(meta.id).try_lock().map_err(store_error)?.is_none()),
        Status::Closed => Ok(false),
    }
}

fn linked_worktree_of(repo: &Repo, branch: &BranchName) -> Result<Option<PathBuf>, ApiError> {
    let tree = repo.worktree_of(branch).map_err(git_error)?;
    Ok(tree.filter(|tree| tree.is_dir()))
}
