//! Determines the files and commits that the removal of a worktree would lose.

use super::{contents, worktree_files};
use crate::{
    context::{Context, errors::git_error, paths::canonical_or_same},
    settings,
};
use bc_git::{Loss, Repo, Worktree};
use bc_wire::{ApiError, ErrorCode, worktree::*};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

pub(crate) fn loss(ctx: &Context, params: &WorktreeRef) -> Result<WorktreeLoss, ApiError> {
    let repo = ctx.project.repo()?;
    let tree = find_worktree(&repo, &params.path)?;
    loss_at(ctx, &repo, &tree.path)
}

/// The files and commits that would be lost if the worktree at this path were removed. Unchanged copies of
/// the project's files, and links to them, do not count.
pub(super) fn loss_at(ctx: &Context, repo: &Repo, path: &Path) -> Result<WorktreeLoss, ApiError> {
    if !path.join(".git").is_file() {
        return Ok(describe(path, Loss::default()));
    }
    let tree = repo.at(path).map_err(git_error)?;
    let mut loss = tree.loss().map_err(git_error)?;
    let compared = worktree_files::compare(
        &settings::fleet(&ctx.project),
        &ctx.project.root,
        &ctx.project.folder_in(repo, path),
    );
    let relative = |file: &PathBuf| file.strip_prefix(path).unwrap_or(file).to_owned();
    let same: Vec<PathBuf> = compared.same.iter().map(relative).collect();
    loss.untracked.retain(|file| !same.contains(file));
    let listed = |file: &PathBuf| loss.uncommitted.iter().any(|line| Path::new(&line.path) == file);
    // Add only those changed copies that git ignores: git itself lists the others.
    let is_hidden = |file: &PathBuf| !listed(file) && tree.is_ignored(file).unwrap_or(false);
    loss.untracked.extend(compared.changed.iter().map(relative).filter(is_hidden));
    loss.untracked.sort();
    loss.untracked.dedup();
    Ok(describe(path, loss))
}

fn describe(path: &Path, loss: Loss) -> WorktreeLoss {
    let mut hash = Sha256::new_with_prefix(format!("{loss:?}"));
    let changed = loss.uncommitted.iter().map(|line| Path::new(&line.path));
    let others = loss.untracked.iter().chain(&loss.submodules).map(PathBuf::as_path);
    changed.chain(others).for_each(|file| contents::add(&mut hash, &path.join(file)));
    let digest = hash.finalize();
    WorktreeLoss {
        path: path.display().to_string(),
        clean: loss.is_none(),
        branch: loss.kept_on.as_ref().map(ToString::to_string),
        uncommitted: loss.uncommitted,
        untracked: loss.untracked.iter().map(|path| path.display().to_string()).collect(),
        submodules: loss.submodules.iter().map(|path| path.display().to_string()).collect(),
        commits: loss
            .commits
            .into_iter()
            .map(|c| WorktreeCommit { hash: c.hash, subject: c.subject })
            .collect(),
        fingerprint: digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// The linked worktree with this path, branch or folder name, in this order of precedence.
pub(super) fn find_worktree(repo: &Repo, name: &str) -> Result<Worktree, ApiError> {
    let trees = repo.worktree_list().map_err(git_error)?;
    let path = Path::new(name);
    let real = canonical_or_same(path);
    let matches: [&dyn Fn(&Worktree) -> bool; 3] = [
        &|tree| tree.path == path || tree.path == real,
        &|tree| tree.branch.as_ref().is_some_and(|branch| branch.as_str() == name),
        &|tree| tree.path.file_name().is_some_and(|last| last == name),
    ];
    let linked: Vec<Worktree> = trees.into_iter().filter(|tree| !tree.main).collect();
    let found = matches.iter().find_map(|matches| linked.iter().find(|tree| matches(tree)));
    found.cloned().ok_or_else(|| {
        ApiError::new(ErrorCode::WorktreeNotFound, format!("this repository has no worktree {name:?}"))
            .hint("`beads-console worktree list` lists the worktrees")
    })
}
