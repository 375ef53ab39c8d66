//! Determines where a paused session continues: in its folder, with its branch checked out. A missing folder
//! is restored if possible. If the branch no longer exists or cannot be checked out safely, the user decides.

use crate::{
    context::{Context, WorktreeGuard, errors::git_error, paths::join_inside},
    session::workspace::{self, Workspace},
    worktrees,
};
use bc_core::{ids::BranchName, session::Meta};
use bc_git::{GitError, Repo, Worktree};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::path::{Path, PathBuf};

/// The folder, and the way to restore it.
pub(super) struct FolderPlan {
    pub(super) shown: ResumeFolder,
    /// The decision that the user must make before the folder is restored.
    pub(super) obstacle: Option<Obstacle>,
    how: How,
}

enum How {
    /// The folder exists, and the session's branch, if any, is checked out in it.
    Unchanged,
    /// The session moves to `cwd`, and works on the branch that is checked out in that folder.
    Move { cwd: PathBuf },
    /// Git still lists the worktree, so it is recreated at its old path, or reconnected if its folder exists.
    Restore { tree: PathBuf, repair: bool },
    /// The worktree was moved to `tree` and is reconnected.
    Reconnect { tree: PathBuf, cwd: PathBuf },
    /// Git no longer lists the worktree, so it is recreated at its old path.
    Recreate { tree: PathBuf },
    /// The folder is chosen as for a new session on the branch.
    AsNew,
    /// The branch is recreated at this commit, and then the folder is examined again.
    RecreateBranch { at: String },
    /// Another branch, or none, is checked out in the folder: the session's branch is checked out again.
    Switch,
    /// The folder cannot be restored; the user must decide.
    Ask,
}

/// Examines the session's folder and decides; changes nothing.
pub(super) fn find(ctx: &Context, meta: &Meta) -> Result<FolderPlan, ApiError> {
    let main = ctx.project.repo()?.at(&ctx.main_tree()?).map_err(git_error)?;
    let cwd = meta.cwd.clone().map(PathBuf::from);
    let found_repo = cwd.as_deref().filter(|path| path.is_dir()).and_then(|path| ours(&main, path));
    let Some(branch) = &meta.branch else { return without_branch(ctx, meta, cwd, found_repo.is_some()) };
    let found = match &found_repo {
        Some(found_repo) => Some(found_repo.head().map_err(git_error)?.branch),
        None => None,
    };
    if found.as_ref() == Some(&Some(branch.clone())) {
        return Ok(plan(meta, cwd, None, How::Unchanged));
    }
    if main.tip(branch).map_err(git_error)?.is_none() {
        return Ok(branch_gone(&main, meta, branch, found.is_some()));
    }
    match (found_repo, meta.worktree) {
        (Some(found_repo), true) => other_branch(&found_repo, meta, branch, found.flatten()),
        (Some(_), false) | (None, false) => as_new_session(ctx, meta, branch, cwd),
        (None, true) => lost_worktree(ctx, &main, meta, branch, cwd),
    }
}

/// The repository of a folder, if it is the project's repository.
fn ours(main: &Repo, path: &Path) -> Option<Repo> {
    main.at(path).ok().filter(|found_repo| found_repo.common_dir() == main.common_dir())
}

fn plan(meta: &Meta, cwd: Option<PathBuf>, action: Option<String>, how: How) -> FolderPlan {
    let shown = ResumeFolder {
        cwd: cwd.map(|path| path.display().to_string()).unwrap_or_default(),
        branch: meta.branch.as_ref().map(ToString::to_string),
        worktree: meta.worktree,
        action,
    };
    FolderPlan { shown, obstacle: None, how }
}

fn without_branch(
    ctx: &Context,
    meta: &Meta,
    cwd: Option<PathBuf>,
    exists: bool,
) -> Result<FolderPlan, ApiError> {
    if let Some(cwd) = cwd.filter(|_| exists) {
        return Ok(plan(meta, Some(cwd), None, How::Unchanged));
    }
    let root = ctx.project.root.clone();
    let old = meta.cwd.as_deref().unwrap_or("its folder");
    let action = format!("{old} no longer exists; the session continues in {}", root.display());
    let mut found = plan(meta, Some(root.clone()), Some(action), How::Move { cwd: root });
    found.shown.worktree = false;
    Ok(found)
}

fn branch_gone(main: &Repo, meta: &Meta, branch: &BranchName, folder_exists: bool) -> FolderPlan {
    let at = last_commit(main, meta);
    let short = |hash: &str| hash.get(..8).unwrap_or(hash).to_owned();
    let (message, how) = match at {
        Some(at) => (
            format!(
                "the branch {branch} no longer exists; it can be created again at {}, the session's last remaining commit",
                short(&at)
            ),
            How::RecreateBranch { at },
        ),
        None => (format!("the branch {branch} and the session's commits no longer exist"), How::Ask),
    };
    let mut choices = Vec::new();
    if matches!(how, How::RecreateBranch { .. }) {
        choices.push(ResumeChoice::Restore);
    }
    if folder_exists {
        choices.push(ResumeChoice::Stay);
    }
    choices.push(ResumeChoice::End);
    let cwd = meta.cwd.clone().map(PathBuf::from);
    let mut found = plan(meta, cwd, Some(format!("the branch {branch} is created again")), how);
    found.obstacle = Some(Obstacle { kind: ObstacleKind::BranchGone, message, choices });
    found
}

/// The session's last commit that still exists, else its base commit.
fn last_commit(main: &Repo, meta: &Meta) -> Option<String> {
    let known = meta.commits.iter().rev().chain(&meta.base_commit);
    known.map(String::as_str).find(|hash| main.commits_between(Some(hash), hash).is_ok()).map(str::to_owned)
}

/// Decides for a worktree that has another branch, or no branch, checked out.
fn other_branch(
    found_repo: &Repo,
    meta: &Meta,
    branch: &BranchName,
    found: Option<BranchName>,
) -> Result<FolderPlan, ApiError> {
    let what = found.map_or("no branch".to_owned(), |found| found.to_string());
    let dirty = found_repo.dirty_files().map_err(git_error)?.len();
    let cwd = found_repo.top_level().display();
    let (message, choices) = match dirty {
        0 => (
            format!("{cwd} has {what} checked out; the session worked on {branch}"),
            vec![ResumeChoice::Restore, ResumeChoice::Stay, ResumeChoice::End],
        ),
        n => (
            format!(
                "{cwd} has {what} checked out with {n} changed files; the session worked on {branch}, which cannot \
                 be checked out over them"
            ),
            vec![ResumeChoice::Worktree, ResumeChoice::Stay, ResumeChoice::End],
        ),
    };
    let folder = meta.cwd.clone().map(PathBuf::from);
    let mut found = plan(meta, folder, Some(format!("{branch} is checked out again")), How::Switch);
    found.obstacle = Some(Obstacle { kind: ObstacleKind::OtherBranch, message, choices });
    Ok(found)
}

/// Decides for the main tree, or for a missing worktree, as for a new session.
fn as_new_session(
    ctx: &Context,
    meta: &Meta,
    branch: &BranchName,
    cwd: Option<PathBuf>,
) -> Result<FolderPlan, ApiError> {
    match workspace::decide(ctx, FolderChoice::Auto, Some(branch), Some(meta.id)) {
        Ok(workspace) => {
            let moved = cwd.as_ref() != Some(&workspace.cwd);
            let action = match (workspace.worktree, moved) {
                (true, _) => format!("{branch} is checked out in the worktree {}", workspace.cwd.display()),
                (false, true) => format!(
                    "{} no longer exists; the session continues in {}",
                    meta.cwd.as_deref().unwrap_or("its folder"),
                    workspace.cwd.display()
                ),
                (false, false) => format!("{branch} is checked out again"),
            };
            let mut found = plan(meta, Some(workspace.cwd), Some(action), How::AsNew);
            found.shown.worktree = workspace.worktree;
            Ok(found)
        }
        Err(error) if matches!(error.code, ErrorCode::DirtyTree | ErrorCode::BranchInUse) => {
            let kind = ObstacleKind::OtherBranch;
            let choices = match error.code {
                ErrorCode::DirtyTree => vec![ResumeChoice::Worktree, ResumeChoice::Stay, ResumeChoice::End],
                _ => vec![ResumeChoice::Stay, ResumeChoice::End],
            };
            let mut found = plan(meta, cwd, None, How::Ask);
            found.obstacle = Some(Obstacle { kind, message: error.message, choices });
            Ok(found)
        }
        Err(error) => Err(error),
    }
}

/// Decides for a worktree whose folder is missing or was moved, or whose repository was moved.
fn lost_worktree(
    ctx: &Context,
    main: &Repo,
    meta: &Meta,
    branch: &BranchName,
    cwd: Option<PathBuf>,
) -> Result<FolderPlan, ApiError> {
    let tree = cwd.as_deref().map(|cwd| without_tail(cwd, ctx.project.inside(main)));
    let known = main.worktree_list().map_err(git_error)?;
    let listed = known.iter().find(|t| !t.main && Some(t.path.as_path()) == tree.as_deref());
    let (listed, cwd) = match (listed.filter(|t| t.branch.as_ref() == Some(branch)), tree, cwd) {
        (Some(listed), _, Some(cwd)) => (listed, cwd),
        // The worktree was removed and pruned. If its branch and path are unused, the worktree is recreated.
        (None, Some(tree), Some(cwd)) if is_unused(main, &known, branch, &tree) => {
            let action =
                format!("the worktree {} was removed and is created again from {branch}", tree.display());
            return Ok(plan(meta, Some(cwd), Some(action), How::Recreate { tree }));
        }
        _ => return as_new_session(ctx, meta, branch, None),
    };
    let folder =
        worktrees::folder(&ctx.project, main).or_else(|_| main.worktree_folder().map_err(git_error))?;
    if let Some(tree) = worktrees::moved_to(main, &listed.path, &folder) {
        let action = format!("{} was moved to {} and is reconnected", listed.path.display(), tree.display());
        let cwd = ctx.project.folder_in(main, &tree);
        return Ok(plan(meta, Some(cwd.clone()), Some(action), How::Reconnect { tree, cwd }));
    }
    let repair = listed.path.is_dir();
    let action = match repair {
        true => format!("{} is reconnected with the repository", listed.path.display()),
        false => {
            format!("the worktree {} is missing and is created again from {branch}", listed.path.display())
        }
    };
    Ok(plan(meta, Some(cwd), Some(action), How::Restore { tree: listed.path.clone(), repair }))
}

/// Whether the branch is not checked out in any of the known worktrees, and the path is unused.
fn is_unused(main: &Repo, known: &[Worktree], branch: &BranchName, tree: &Path) -> bool {
    let taken = known.iter().any(|other| other.path == tree || other.branch.as_ref() == Some(branch));
    !taken && tree.symlink_metadata().is_err() && tree != main.main_root()
}

fn without_tail(path: &Path, tail: &Path) -> PathBuf {
    let parts = tail.components().count();
    path.ancestors().nth(parts).unwrap_or(path).to_owned()
}

/// Restores the folder; returns warnings. `choice` is the user's decision. Without a decision, the obstacle's
/// first choice applies.
pub(super) fn carry_out(
    ctx: &Context,
    held: &WorktreeGuard<'_>,
    meta: &mut Meta,
    plan: &FolderPlan,
    choice: Option<ResumePlace>,
) -> Result<Vec<String>, ApiError> {
    let choice = choice.or_else(|| plan.obstacle.as_ref().and_then(|o| o.choices.first().and_then(as_place)));
    let offered = |choice: ResumePlace| {
        plan.obstacle.as_ref().is_none_or(|o| o.choices.iter().any(|c| as_place(c) == Some(choice)))
    };
    if let Some(refused) = choice.filter(|choice| !offered(*choice)) {
        let message = plan.obstacle.as_ref().map(|o| o.message.clone()).unwrap_or_default();
        let word = match refused {
            ResumePlace::Restore => "restore",
            ResumePlace::Stay => "stay",
            ResumePlace::Worktree => "worktree",
        };
        return Err(ApiError::new(ErrorCode::BranchInUse, format!("{word} is not possible: {message}")));
    }
    match (choice, &plan.how) {
        (Some(ResumePlace::Stay), _) => stay(ctx, meta).map(|()| vec![]),
        (Some(ResumePlace::Worktree), _) => decide(ctx, held, meta, FolderChoice::Worktree),
        (_, How::Unchanged) => Ok(vec![]),
        (_, How::Move { cwd }) => {
            meta.cwd = Some(cwd.display().to_string());
            meta.worktree = false;
            Ok(vec![])
        }
        (_, How::Reconnect { tree, cwd }) => {
            ctx.project.repo()?.worktree_repair(tree).map_err(git_error)?;
            meta.cwd = Some(cwd.display().to_string());
            Ok(vec![])
        }
        (_, How::Recreate { tree }) => {
            let branch = meta.branch.clone().expect("only a session with a branch has a worktree");
            let cwd = PathBuf::from(meta.cwd.clone().unwrap_or_default());
            let main = ctx.project.repo()?;
            worktrees::create(held, &main, tree, &cwd, &branch, &worktrees::Base::Existing)
        }
        (_, How::Restore { tree, repair }) => recreate(ctx, held, meta, tree, *repair),
        (_, How::AsNew) => decide(ctx, held, meta, FolderChoice::Auto),
        (_, How::RecreateBranch { at }) => {
            let branch = meta.branch.clone().expect("only a session with a branch can miss it");
            ctx.project.repo()?.create_branch(&branch, at).map_err(git_error)?;
            match find(ctx, meta)? {
                FolderPlan { how: How::RecreateBranch { .. }, .. } => Err(ApiError::new(
                    ErrorCode::GitFailed,
                    format!("the branch {branch} was created but does not exist"),
                )),
                next => carry_out(ctx, held, meta, &next, choice),
            }
        }
        (_, How::Switch) => {
            let branch = meta.branch.clone().expect("only a session with a branch can miss it");
            let cwd = meta.cwd.clone().unwrap_or_default();
            let found_repo = ctx.project.repo()?.at(Path::new(&cwd)).map_err(git_error)?;
            found_repo.switch_to(&branch).map_err(git_error).map(|()| vec![])
        }
        (_, How::Ask) => {
            let message = plan.obstacle.as_ref().map(|o| o.message.clone()).unwrap_or_default();
            Err(ApiError::new(ErrorCode::ConfirmationNeeded, message).hint("choose a folder with --place"))
        }
    }
}

fn as_place(choice: &ResumeChoice) -> Option<ResumePlace> {
    match choice {
        ResumeChoice::Restore => Some(ResumePlace::Restore),
        ResumeChoice::Stay => Some(ResumePlace::Stay),
        ResumeChoice::Worktree => Some(ResumePlace::Worktree),
        ResumeChoice::Anyway | ResumeChoice::Reclaim | ResumeChoice::End => None,
    }
}

/// Continues the session in its folder, or in the project's folder if its own folder is missing. The session
/// works on the branch that is checked out in that folder.
fn stay(ctx: &Context, meta: &mut Meta) -> Result<(), ApiError> {
    let cwd = meta.cwd.clone().map(PathBuf::from).filter(|path| path.is_dir());
    let cwd = cwd.unwrap_or_else(|| ctx.project.root.clone());
    let own = ctx.project.repo()?;
    let found_repo = own.at(&cwd).map_err(git_error)?;
    meta.worktree = found_repo.top_level() != own.main_root();
    meta.branch = found_repo.head().map_err(git_error)?.branch;
    meta.cwd = Some(cwd.display().to_string());
    Ok(())
}

fn recreate(
    ctx: &Context,
    held: &WorktreeGuard<'_>,
    meta: &mut Meta,
    tree: &Path,
    repair: bool,
) -> Result<Vec<String>, ApiError> {
    let main = ctx.project.repo()?;
    let branch = meta.branch.clone().expect("only a session with a branch has a worktree");
    let cwd = PathBuf::from(meta.cwd.clone().unwrap_or_default());
    if repair && main.worktree_repair(tree).is_ok() {
        return bc_store::file::create_dir(&cwd).map_err(crate::context::errors::file_error).map(|()| vec![]);
    }
    let made = match repair {
        true => Err(GitError::PathTaken { path: tree.to_owned() }),
        false => worktrees::recreate(held, &main, tree, &cwd, &branch),
    };
    match made {
        // The old path cannot be used: choose a new path.
        Err(GitError::Failed { .. } | GitError::PathTaken { .. }) => {
            let folder = worktrees::folder(&ctx.project, &main)?;
            let others = workspace::active_elsewhere(ctx, Some(meta.id))?;
            let busy: Vec<&Path> = others.iter().filter_map(|m| m.cwd.as_deref().map(Path::new)).collect();
            let path = main.worktree_path_in(&folder, &branch, &busy).map_err(git_error)?;
            let new_cwd = join_inside(&path, cwd.strip_prefix(tree).unwrap_or(Path::new("")));
            let notes = worktrees::create(held, &main, &path, &new_cwd, &branch, &worktrees::Base::Existing)?;
            meta.cwd = Some(new_cwd.display().to_string());
            Ok(notes)
        }
        Err(error) => Err(git_error(error)),
        Ok(equipped) => equipped,
    }
}

fn decide(
    ctx: &Context,
    held: &WorktreeGuard<'_>,
    meta: &mut Meta,
    choice: FolderChoice,
) -> Result<Vec<String>, ApiError> {
    let branch = meta.branch.clone();
    let Workspace { cwd, worktree, notes, .. } =
        workspace::decide(ctx, choice, branch.as_ref(), Some(meta.id))?.prepare(held)?;
    meta.cwd = Some(cwd.display().to_string());
    meta.worktree = worktree;
    Ok(notes)
}
