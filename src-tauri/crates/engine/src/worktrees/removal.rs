//! Removes worktrees: never under a live session, and with losses only after the user has confirmed their current
//! state.

use super::{contents, listing, setup, worktree_files};
use crate::{engine::Engine, errors::git_error, fleet};
use bc_git::{GitError, Loss, Repo, Worktree};
use bc_wire::{ApiError, ErrorCode, worktree::*};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub(crate) fn loss(engine: &Engine, params: &WorktreeRef) -> Result<WorktreeLoss, ApiError> {
    let repo = engine.project.repo()?;
    let tree = named(&repo, &params.path)?;
    look(engine, &repo, &tree.path)
}

/// What removing the worktree at this path would lose.
pub(super) fn look(engine: &Engine, repo: &Repo, path: &Path) -> Result<WorktreeLoss, ApiError> {
    if !path.join(".git").is_file() {
        return Ok(shown(path, Loss::default()));
    }
    let tree = repo.at(path).map_err(git_error)?;
    let mut loss = tree.loss().map_err(git_error)?;
    let kept = worktree_files::compare(
        &fleet::settings(&engine.project),
        &engine.project.root,
        &here(engine, repo, path),
    );
    let relative = |place: &PathBuf| place.strip_prefix(path).unwrap_or(place).to_owned();
    let same: Vec<PathBuf> = kept.same.iter().map(relative).collect();
    loss.untracked.retain(|file| !same.contains(file));
    let changed: Vec<PathBuf> = kept.changed.iter().map(relative).collect();
    let known = |file: &PathBuf| loss.uncommitted.iter().any(|line| Path::new(&line.path) == file);
    // Tracked files are committed, or already listed as uncommitted.
    let changed = changed.into_iter().filter(|file| !known(file) && tree.is_ignored(file).unwrap_or(false));
    let changed: Vec<PathBuf> = changed.collect();
    loss.untracked.extend(changed);
    loss.untracked.sort();
    loss.untracked.dedup();
    Ok(shown(path, loss))
}

/// The project's folder in a worktree.
fn here(engine: &Engine, repo: &Repo, tree: &Path) -> PathBuf {
    let inside = engine.project.root.strip_prefix(repo.main_root()).unwrap_or(Path::new(""));
    if inside.as_os_str().is_empty() { tree.to_owned() } else { tree.join(inside) }
}

fn shown(path: &Path, loss: Loss) -> WorktreeLoss {
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

/// The linked worktree with this path, folder name or branch.
fn named(repo: &Repo, name: &str) -> Result<Worktree, ApiError> {
    let trees = repo.worktree_list().map_err(git_error)?;
    let given = Path::new(name);
    let real = given.canonicalize().unwrap_or_else(|_| given.to_owned());
    let ways: [&dyn Fn(&Worktree) -> bool; 3] = [
        &|tree| tree.path == given || tree.path == real,
        &|tree| tree.branch.as_ref().is_some_and(|branch| branch.as_str() == name),
        &|tree| tree.path.file_name().is_some_and(|last| last == name),
    ];
    let linked: Vec<Worktree> = trees.into_iter().filter(|tree| !tree.main).collect();
    let found = ways.iter().find_map(|way| linked.iter().find(|tree| way(tree)));
    found.cloned().ok_or_else(|| {
        ApiError::new(ErrorCode::WorktreeNotFound, format!("this repository has no worktree {name:?}"))
            .hint("`beads-console worktree list` lists the worktrees")
    })
}

pub(crate) fn remove(engine: &Engine, params: &WorktreeRemoveParams) -> Result<WorktreeRemoved, ApiError> {
    engine.writable()?;
    let _sessions = engine.session_lock();
    let _worktrees = engine.worktree_lock();
    let repo = engine.project.repo()?;
    let tree = named(&repo, &params.path)?;
    if let Some(id) = listing::worker(engine, &tree.path)? {
        let text = format!("session {} is active in {}", id.short(), tree.path.display());
        return Err(ApiError::new(ErrorCode::SessionState, text)
            .hint(format!("pause it first with `beads-console session pause {}`", id.short())));
    }
    let folder =
        super::folder(&engine.project, &repo).or_else(|_| repo.worktree_folder().map_err(git_error))?;
    if let Some(place) = listing::moved_to(&repo, &tree.path, &folder) {
        let text = format!("{} was moved to {}", tree.path.display(), place.display());
        return Err(ApiError::new(ErrorCode::FileRefused, text)
            .hint("move it back, or reconnect it: `beads-console worktree restore SESSION`"));
    }
    if tree.locked {
        return Err(git_error(GitError::WorktreeLocked { path: tree.path }));
    }
    let loss = look(engine, &repo, &tree.path)?;
    agreed(&loss, params)?;
    match loss.clean {
        // Git checks again, and refuses if something changed meanwhile.
        true => {
            take_back(engine, &repo, &tree.path);
            if let Err(error) = repo.worktree_remove(&tree.path) {
                give_again(engine, &repo, &tree.path);
                return Err(git_error(error));
            }
        }
        false => repo.worktree_remove_whole(&tree.path).map_err(git_error)?,
    }
    // A pending setup is obsolete.
    let _ = setup::intend_no_more(&repo, &tree.path);
    let branch = tree.branch.map(|branch| branch.to_string());
    Ok(WorktreeRemoved { path: tree.path.display().to_string(), branch })
}

/// An error if an unconfirmed loss would occur.
fn agreed(loss: &WorktreeLoss, params: &WorktreeRemoveParams) -> Result<(), ApiError> {
    let other = params.seen.as_ref().is_some_and(|seen| *seen != loss.fingerprint);
    if loss.clean || (params.force && !other) {
        return Ok(());
    }
    let mut lost = Vec::new();
    let mut count = |n: usize, one: &str, more: &str| match n {
        0 => {}
        1 => lost.push(format!("1 {one}")),
        n => lost.push(format!("{n} {more}")),
    };
    count(loss.uncommitted.len(), "uncommitted file", "uncommitted files");
    count(loss.untracked.len(), "untracked file or folder", "untracked files or folders");
    count(
        loss.submodules.len(),
        "submodule with its own repository",
        "submodules with their own repositories",
    );
    if loss.branch.is_none() {
        count(loss.commits.len(), "commit on no branch", "commits on no branch");
    }
    let since = if params.force { ", which differs from what you reviewed" } else { "" };
    let text = format!("removing {} would lose: {}{since}", loss.path, lost.join(", "));
    Err(ApiError::new(ErrorCode::ConfirmationNeeded, text)
        .hint("`beads-console worktree show` lists everything; `remove --yes` removes it anyway"))
}

/// Removes unchanged copies and links, which would make git refuse the removal.
fn take_back(engine: &Engine, repo: &Repo, path: &Path) {
    let here = here(engine, repo, path);
    let Ok(tree) = repo.at(path) else { return };
    for place in worktree_files::compare(&fleet::settings(&engine.project), &engine.project.root, &here).same
    {
        // Leave tracked files: git would refuse the removal because of the deletion.
        if tree.is_tracked(&place).unwrap_or(false) {
            continue;
        }
        // If this fails, git's refusal reports it.
        let _ = fs::remove_file(place);
    }
}

/// Restores the files of a worktree that is kept after all.
fn give_again(engine: &Engine, repo: &Repo, path: &Path) {
    if let Ok(tree) = repo.at(path) {
        // The refusal is reported; missing files are restored on the next use.
        let settings = fleet::settings(&engine.project);
        let _ =
            worktree_files::copy_and_link(&settings, &engine.project.root, &here(engine, repo, path), &tree);
    }
}
