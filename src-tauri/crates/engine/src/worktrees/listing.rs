//! Lists the linked worktrees, including missing ones of paused sessions, with their sessions, their sizes,
//! and the number of files and commits that a removal would lose.

use super::{folder, loss, occupancy, size};
use crate::context::{Context, count, errors::git_error};
use bc_core::session::{Meta, Status};
use bc_git::{Repo, Worktree};
use bc_wire::{ApiError, ErrorCode, worktree::*};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The total time limit for measuring all folders.
const MEASURE_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) fn list(ctx: &Context) -> Result<Worktrees, ApiError> {
    let repo = ctx.project.repo()?;
    let (folder, warnings) = match folder::folder(&ctx.project, &repo) {
        Ok(folder) => (folder, vec![]),
        Err(error) => (repo.worktree_folder().map_err(git_error)?, vec![error.message]),
    };
    let metas = ctx.metas()?;
    let until = Instant::now() + MEASURE_TIMEOUT;
    let trees = repo.worktree_list().map_err(git_error)?;
    let mut worktrees: Vec<WorktreeShown> = trees
        .iter()
        .filter(|tree| !tree.main)
        .map(|tree| shown(ctx, &repo, tree, &folder, &metas, until))
        .collect();
    worktrees.extend(unknown_to_git(&metas, &trees));
    let bytes = worktrees.iter().filter_map(|tree| tree.bytes).sum();
    Ok(Worktrees { folder: folder.display().to_string(), worktrees, bytes, warnings })
}

fn shown(
    ctx: &Context,
    repo: &Repo,
    tree: &Worktree,
    folder: &Path,
    metas: &[Meta],
    until: Instant,
) -> WorktreeShown {
    let exists = tree.path.join(".git").is_file();
    let moved_to = occupancy::moved_to(repo, &tree.path, folder);
    let mut shown = WorktreeShown {
        path: tree.path.display().to_string(),
        state: match (exists, &moved_to) {
            (true, _) => WorktreeState::Here,
            (false, Some(_)) => WorktreeState::Moved,
            (false, None) => WorktreeState::Gone,
        },
        moved_to: moved_to.as_ref().map(|path| path.display().to_string()),
        branch: tree.branch.as_ref().map(ToString::to_string),
        locked: tree.locked,
        ..of_session(latest(metas, &tree.path))
    };
    if exists || moved_to.is_some() {
        let (bytes, counted) = size::of(moved_to.as_deref().unwrap_or(&tree.path), until);
        (shown.bytes, shown.counted) = (Some(bytes), counted);
    }
    match (exists, moved_to.is_some()) {
        // A moved worktree must be reconnected before it can be examined or removed.
        (false, true) => shown.clean = false,
        (false, false) => {}
        (true, _) => match loss::loss_at(ctx, repo, &tree.path) {
            Ok(loss) => {
                shown.uncommitted = count(loss.uncommitted.len() + loss.submodules.len());
                shown.untracked = count(loss.untracked.len());
                shown.commits = count(loss.commits.len());
                shown.clean = loss.clean;
            }
            Err(error) => {
                let next = error.hint.filter(|_| error.code == ErrorCode::ProgramsNotAllowed);
                let trouble =
                    [Some(error.message), next].into_iter().flatten().collect::<Vec<_>>().join("; ");
                (shown.trouble, shown.clean) = (Some(trouble), false);
            }
        },
    }
    shown
}

/// An entry with only the session's facts; the caller adds the worktree's facts.
fn of_session(meta: Option<&Meta>) -> WorktreeShown {
    WorktreeShown {
        path: String::new(),
        state: WorktreeState::Gone,
        moved_to: None,
        branch: None,
        locked: false,
        session: meta.map(|m| WorktreeSession { id: m.id, title: m.title.clone(), status: m.status }),
        bead_id: meta.and_then(|m| m.bead_id.clone()),
        bytes: None,
        counted: true,
        clean: true,
        uncommitted: 0,
        untracked: 0,
        commits: 0,
        trouble: None,
    }
}

/// The entries of paused sessions whose worktree is missing and unknown to git.
fn unknown_to_git(metas: &[Meta], trees: &[Worktree]) -> Vec<WorktreeShown> {
    let lost = metas.iter().filter(|meta| {
        let cwd = meta.cwd.as_deref().map(Path::new);
        let known = |cwd: &Path| trees.iter().any(|tree| cwd.starts_with(&tree.path));
        meta.worktree && meta.status == Status::Paused && cwd.is_some_and(|cwd| !known(cwd) && !cwd.is_dir())
    });
    let line = lost.map(|meta| WorktreeShown {
        path: meta.cwd.clone().unwrap_or_default(),
        branch: meta.branch.as_ref().map(ToString::to_string),
        ..of_session(Some(meta))
    });
    line.collect()
}

/// The active session in a tree, else the session that last worked in the tree.
fn latest<'a>(metas: &'a [Meta], tree: &Path) -> Option<&'a Meta> {
    metas
        .iter()
        .filter(|meta| occupancy::is_in(meta, tree))
        .max_by_key(|meta| (meta.status == Status::Active, meta.last_activated_at.unwrap_or(meta.created_at)))
}
