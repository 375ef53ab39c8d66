//! Which project a folder belongs to. A git worktree's project is its main tree, so that nobody edits
//! a branch's own copy of the beads.

use crate::errors::git_error;
use bc_beads::Environment;
use bc_git::{GitError, Repo};
use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

/// A project's places.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder that has `.beads`, in the main tree; absolute.
    pub root: PathBuf,
    /// Its `.beads`.
    pub beads_dir: PathBuf,
    /// The repository's main tree; `None` outside git.
    pub main_tree: Option<PathBuf>,
}

impl Project {
    /// The project that `start` is in; an error where no folder above it has `.beads`.
    pub fn find(start: &Path) -> Result<Project, ApiError> {
        let project = Project::around(start)?;
        if !project.beads_dir.is_dir() {
            return Err(ApiError::new(
                ErrorCode::NoBeads,
                format!("there are no beads in {}", project.root.display()),
            )
            .hint("make them with `beads-console init`, or name another folder with --project DIR"));
        }
        Ok(project)
    }

    /// The project that `start` is in, or would be once it has `.beads`.
    pub fn around(start: &Path) -> Result<Project, ApiError> {
        let start = start.canonicalize().map_err(|e| {
            ApiError::new(ErrorCode::ProjectNotFound, format!("{} cannot be opened: {e}", start.display()))
                .hint("name a folder that exists with --project DIR")
        })?;
        if !start.is_dir() {
            let text = format!("{} is not a folder", start.display());
            return Err(ApiError::new(ErrorCode::ProjectNotFound, text));
        }
        if start.to_str().is_none() {
            let text =
                format!("the path {} is not UTF-8, which claude's settings cannot name", start.display());
            return Err(ApiError::new(ErrorCode::Usage, text).hint("rename the folder"));
        }
        let repo = match Repo::discover(&start) {
            Ok(repo) => Some(repo),
            Err(GitError::NotARepository { .. } | GitError::GitMissing) => None,
            Err(error) => return Err(git_error(error)),
        };
        let main_tree = repo.as_ref().map(|r| r.main_root().to_owned());
        let root = match &repo {
            // In a linked worktree the main tree's folder of the same place is meant.
            Some(repo) if repo.is_linked() => {
                let inside = start.strip_prefix(repo.top_level()).unwrap_or(Path::new(""));
                nearest_beads(&repo.main_root().join(inside), Some(repo.main_root()))
                    .unwrap_or_else(|| repo.main_root().to_owned())
            }
            Some(repo) => {
                nearest_beads(&start, Some(repo.top_level())).unwrap_or_else(|| repo.main_root().to_owned())
            }
            None => nearest_beads(&start, None).unwrap_or(start),
        };
        Ok(Project { beads_dir: root.join(".beads"), root, main_tree })
    }

    /// Where the sessions are.
    pub fn sessions_dir(&self) -> PathBuf {
        self.beads_dir.join("sessions")
    }

    /// The folder's name, for people.
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "project".to_owned(), |n| n.to_string_lossy().into_owned())
    }

    /// What the tracker goes by: its own variables, but the beads of this project and not those that
    /// `BEADS_DIR` happens to name.
    pub(crate) fn environment(&self) -> Environment {
        Environment { beads_dir: None, ..Environment::from_process() }
    }

    /// The repository, or the error that says what a session needs one for.
    pub(crate) fn repo(&self) -> Result<Repo, ApiError> {
        Repo::discover(&self.root).map_err(git_error)
    }
}

/// The nearest folder from `start` upwards, not above `top`, that has `.beads`.
fn nearest_beads(start: &Path, top: Option<&Path>) -> Option<PathBuf> {
    start
        .ancestors()
        .take_while(|dir| top.is_none_or(|top| dir.starts_with(top)))
        .find(|dir| dir.join(".beads").is_dir())
        .map(Path::to_owned)
}
