//! Determines the folder for new worktrees, and checks the worktree settings.

use crate::{
    context::{Project, errors::git_error, paths::canonical},
    settings,
};
use bc_core::{fleet::FleetSettings, worktree::inside};
use bc_git::Repo;
use bc_wire::{ApiError, ErrorCode};
use std::path::{Component, Path, PathBuf};

/// The folder for new worktrees; it may not exist yet.
pub(crate) fn folder(project: &Project, repo: &Repo) -> Result<PathBuf, ApiError> {
    match settings::fleet(project).worktree_dir {
        None => repo.worktree_folder().map_err(git_error),
        Some(name) => usable(&name, &project.root, repo),
    }
}

/// Checks the worktree settings. Fails, with the reason, if one is invalid.
pub(crate) fn check(project: &Project, wanted: &FleetSettings) -> Result<(), ApiError> {
    for name in wanted.worktree_copy.iter().chain(&wanted.worktree_link) {
        inside(name).map_err(|e| refused(e.to_string()))?;
    }
    if let Some(name) = wanted.worktree_copy.iter().find(|name| wanted.worktree_link.contains(name)) {
        return Err(refused(format!("{name:?} is listed for both copying and linking: choose one")));
    }
    if wanted.worktree_setup_minutes == 0 && !wanted.worktree_setup.is_empty() {
        return Err(refused("the time limit of the setup command must be at least one minute".to_owned()));
    }
    match (&wanted.worktree_dir, project.repo()) {
        (Some(name), Ok(repo)) => usable(name, &project.root, &repo).map(drop),
        (Some(_), Err(_)) | (None, _) => Ok(()),
    }
}

fn refused(text: String) -> ApiError {
    ApiError::new(ErrorCode::Usage, text)
}

/// Resolves a path, which can be relative to the root. Fails if worktrees cannot be created in that folder.
fn usable(name: &str, root: &Path, repo: &Repo) -> Result<PathBuf, ApiError> {
    if name.trim().is_empty() || name.contains('\0') {
        return Err(refused("the folder for worktrees must not be empty".to_owned()));
    }
    if name.starts_with('~') {
        let text = format!("`~` is not expanded in {name}: write the full path of your home folder");
        return Err(refused(text));
    }
    let path = resolved(&root.join(name));
    let no = |why: &str| Err(refused(format!("worktrees cannot be created in {}: {why}", path.display())));
    if path.symlink_metadata().is_ok() && !path.is_dir() {
        return no("it is not a folder");
    }
    if path.starts_with(repo.common_dir()) {
        return no("it belongs to git");
    }
    let main = resolved(repo.main_root());
    if let Ok(relative) = path.strip_prefix(&main) {
        let ignored = repo.is_ignored(&relative.join("x")).map_err(git_error)?;
        if relative.as_os_str().is_empty() || !ignored {
            return no(
                "it is inside the repository, which would show the worktrees as its own files; add it to .gitignore first",
            );
        }
    }
    let temp = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into()];
    let in_temp = |path: &Path| temp.iter().any(|temp| path.starts_with(resolved(temp)));
    // If the repository itself is in a temporary folder, its worktrees may also be in a temporary folder.
    if in_temp(&path) && !in_temp(&main) {
        return no("temporary folders are cleaned up, and your work would be lost");
    }
    Ok(path)
}

/// The path without `.` and `..`, and with the links in its existing part resolved.
fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
        if let Ok(real) = canonical(&plain) {
            plain = real;
        }
    }
    plain
}
