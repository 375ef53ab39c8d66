//! Gathering what the folder decision needs, and carrying the decision out.

use super::folder::{self, Facts, Folder};
use crate::{
    engine::Engine,
    errors::{git_error, store_error},
    fleet, worktrees,
};
use bc_core::{
    ids::{BranchName, SessionId},
    session::{Meta, Status},
};
use bc_git::Repo;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, session::FolderChoice};
use std::{
    path::{Path, PathBuf},
    sync::MutexGuard,
};

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
    /// What a new branch starts from.
    base: worktrees::Base,
    /// What to know of the folder, once it is made.
    pub(crate) notes: Vec<String>,
    /// Whether it was just made, and has nothing but what is committed.
    pub(crate) untouched: bool,
}

/// Decides where a session on this branch works; nothing is changed.
pub(crate) fn decide(
    engine: &Engine,
    choice: FolderChoice,
    wanted: Option<&BranchName>,
    but: Option<SessionId>,
) -> Result<Workspace, ApiError> {
    decide_among(engine, choice, wanted, &active_elsewhere(engine, but)?)
}

/// The same where it is known which others there are ([`has_folder`]).
pub(super) fn decide_among(
    engine: &Engine,
    choice: FolderChoice,
    wanted: Option<&BranchName>,
    others: &[Meta],
) -> Result<Workspace, ApiError> {
    let repo = engine.project.repo()?.at(&engine.main_tree()?).map_err(git_error)?;
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
    // Its worktree is just being made: nothing but the draft tells of it yet.
    let starting = |m: &&&Meta| m.status == Status::Draft && m.branch.as_ref() == wanted && m.worktree;
    if let (Some(branch), None, Some(other)) = (wanted, &worktree_with_branch, others.iter().find(starting)) {
        let text = format!("session {} is just being started on {branch}", other.id.short());
        return Err(ApiError::new(ErrorCode::SessionState, text).hint("look again in a moment"));
    }
    let branch_exists = match wanted {
        Some(branch) => repo.branch_exists(branch).map_err(git_error)?,
        None => true,
    };
    // Only where a branch that is there would be checked out over what is changed.
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
    let base = fleet::settings(&engine.project).worktree_base.filter(|base| !base.trim().is_empty());
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
    let inside = engine.project.root.strip_prefix(repo.main_root()).unwrap_or(Path::new("")).to_owned();
    let (tree, worktree, branch) = match &folder {
        Folder::Stay => (repo.main_root().to_owned(), false, head.branch),
        Folder::Switch { branch, .. } => (repo.main_root().to_owned(), false, Some(branch.clone())),
        Folder::Reuse { path } => (path.clone(), true, wanted.cloned()),
        Folder::Worktree { branch, .. } => {
            let beside = worktrees::folder(&engine.project, &repo)?;
            (repo.worktree_path_in(&beside, branch, &busy).map_err(git_error)?, true, Some(branch.clone()))
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
        base,
        notes: Vec::new(),
        untouched: false,
        repo,
    })
}

impl Workspace {
    /// The branch that is to be made for a worktree, and the revision that it starts from.
    pub(super) fn new_branch(&self) -> Option<(&BranchName, &str)> {
        match (&self.folder, &self.base) {
            (Folder::Worktree { branch, create: true }, worktrees::Base::New(base)) => Some((branch, base)),
            _ => None,
        }
    }

    /// It is made.
    pub(super) fn branch_made(&mut self) {
        if let worktrees::Base::New(base) = &mut self.base {
            self.base = worktrees::Base::Made(std::mem::take(base));
        }
    }

    /// Makes the branch and the folder, and says on which commit the session begins. Whether it has to be set up
    /// is for [`worktrees::set_up`].
    pub(crate) fn make(mut self, engine: &Engine) -> Result<Workspace, ApiError> {
        match &self.folder {
            Folder::Stay | Folder::Reuse { .. } => {}
            Folder::Switch { branch, create: true } => self.repo.switch_to_new(branch).map_err(git_error)?,
            Folder::Switch { branch, create: false } => self.repo.switch_to(branch).map_err(git_error)?,
            Folder::Worktree { branch, .. } => {
                self.notes = worktrees::make(engine, &self.repo, &self.tree, &self.cwd, branch, &self.base)?;
                self.untouched = !worktrees::gives(&fleet::settings(&engine.project));
            }
        }
        // A project in a subfolder that the branch does not have yet.
        bc_store::file::create_dir(&self.cwd).map_err(crate::errors::file_error)?;
        let here = self.repo.at(&self.cwd).map_err(git_error)?;
        self.base_commit = here.head().map_err(git_error)?.commit;
        Ok(self)
    }

    /// Takes a folder away that was just made and that nobody worked in, with its branch if that is new.
    pub(crate) fn unmake(&self) {
        if let (Folder::Worktree { branch, create }, Some(commit)) = (&self.folder, &self.base_commit) {
            worktrees::unmake(&self.repo, &self.tree, create.then_some((branch, commit.as_str())));
        }
    }
}

/// Sets up the session's worktree if that is owed. It may take minutes, in which others have their turn; that the
/// folder is this session's is written down before.
pub(crate) fn set_up<'a>(
    engine: &'a Engine,
    turn: MutexGuard<'a, ()>,
    lock: &SessionLock,
    meta: &Meta,
) -> Result<MutexGuard<'a, ()>, ApiError> {
    let Some(cwd) = meta.cwd.as_deref().filter(|_| meta.worktree) else { return Ok(turn) };
    lock.save_meta(meta).map_err(store_error)?;
    drop(turn);
    worktrees::set_up(engine, Path::new(cwd))?;
    Ok(engine.turn())
}

/// Active sessions, and drafts that somebody is just starting: those have a folder, and their lock is held.
pub(super) fn active_elsewhere(engine: &Engine, but: Option<SessionId>) -> Result<Vec<Meta>, ApiError> {
    let mut all = engine.metas()?;
    all.retain(|meta| Some(meta.id) != but && has_folder(meta));
    let mut found = Vec::new();
    for meta in all {
        if is_unfinished(engine, &meta)? {
            found.push(meta);
        }
    }
    Ok(found)
}

/// Whether a session that is not finished works in its folder, or is about to.
fn has_folder(meta: &Meta) -> bool {
    match meta.status {
        Status::Active => true,
        Status::Draft => meta.cwd.is_some(),
        Status::Paused | Status::Closed => false,
    }
}

/// Every session that is active or paused, or just being started.
pub(super) fn unfinished(engine: &Engine) -> Result<Vec<Meta>, ApiError> {
    let mut found = Vec::new();
    for meta in engine.metas()? {
        if is_unfinished(engine, &meta)? {
            found.push(meta);
        }
    }
    Ok(found)
}

/// Whether a session is active or paused, or just being started: a draft that nobody holds was left behind by a crash.
pub(super) fn is_unfinished(engine: &Engine, meta: &Meta) -> Result<bool, ApiError> {
    match meta.status {
        Status::Active | Status::Paused => Ok(true),
        Status::Draft => Ok(engine.store.session(meta.id).try_lock().map_err(store_error)?.is_none()),
        Status::Closed => Ok(false),
    }
}

fn linked_worktree_of(repo: &Repo, branch: &BranchName) -> Result<Option<PathBuf>, ApiError> {
    let tree = repo.worktree_of(branch).map_err(git_error)?;
    Ok(tree.filter(|tree| tree.is_dir()))
}
