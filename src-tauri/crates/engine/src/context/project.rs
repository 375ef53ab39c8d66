//! Finds the project that contains a folder. A git worktree belongs to the project of its main tree, so that
//! a branch's own copy of the beads is never edited.

use super::{
    errors::git_error,
    paths::{canonical, join_inside},
};
use bc_beads::Environment;
use bc_git::{GitError, Repo};
use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

/// A project's paths.
#[derive(Debug, Clone)]
pub struct Project {
    /// The absolute path of the folder that contains `.beads`, or will after `beads-console init`. If the
    /// repository has a main tree, the folder is in it, even if the project was opened from a linked
    /// worktree.
    pub root: PathBuf,
    pub beads_dir: PathBuf,
    /// The repository's main tree; `None` outside git, or if git is not installed.
    pub main_tree: Option<PathBuf>,
}

impl Project {
    /// The project that contains `start`. Fails if neither `start` nor one of its parent folders has
    /// `.beads`. In a repository, folders above its root do not count.
    pub fn find(start: &Path) -> Result<Project, ApiError> {
        let project = Project::around(start)?;
        if !project.beads_dir.is_dir() {
            return Err(ApiError::new(ErrorCode::NoBeads, format!("no beads in {}", project.root.display()))
                .hint("create them with `beads-console init`, or choose another folder with --project DIR"));
        }
        Ok(project)
    }

    /// The project that contains `start`, or that would contain it after `beads-console init`.
    pub fn around(start: &Path) -> Result<Project, ApiError> {
        let start = canonical(start).map_err(|error| not_opened(start, &error))?;
        // Some file systems accept several spellings of a folder; all mean the same project.
        let start = bc_store::spelling::as_listed(&start);
        if !start.is_dir() {
            let text = format!("{} is not a folder", start.display());
            return Err(ApiError::new(ErrorCode::ProjectNotFound, text));
        }
        if start.to_str().is_none() {
            let text =
                format!("the path {} is not valid UTF-8, which claude's settings require", start.display());
            return Err(ApiError::new(ErrorCode::Usage, text).hint("rename the folder"));
        }
        let repo = match Repo::discover(&start) {
            Ok(repo) => Some(repo),
            Err(GitError::NotARepository { .. } | GitError::GitMissing) => None,
            Err(error) => return Err(git_error(error)),
        };
        let main_tree = repo.as_ref().map(|r| r.main_root().to_owned());
        let nearest = match &repo {
            // For a linked worktree, use the corresponding folder of the main tree.
            Some(repo) if repo.is_linked_to_main_tree() => {
                let inside = start.strip_prefix(repo.top_level()).unwrap_or(Path::new(""));
                nearest_beads(&repo.main_root().join(inside), Some(repo.main_root()))
            }
            Some(repo) => nearest_beads(&start, Some(repo.top_level())),
            None => nearest_beads(&start, None),
        };
        let root = nearest.or_else(|| main_tree.clone()).unwrap_or(start);
        Ok(Project { beads_dir: root.join(".beads"), root, main_tree })
    }

    /// The folder of all sessions' files.
    pub fn sessions_dir(&self) -> PathBuf {
        self.beads_dir.join("sessions")
    }

    /// The project's folder relative to the repository's main tree; empty if they are the same, or if the folder is
    /// outside the tree.
    pub(crate) fn inside(&self, repo: &Repo) -> &Path {
        self.root.strip_prefix(repo.main_root()).unwrap_or(Path::new(""))
    }

    /// The folder in a worktree that corresponds to the project's folder.
    pub(crate) fn folder_in(&self, repo: &Repo, tree: &Path) -> PathBuf {
        join_inside(tree, self.inside(repo))
    }

    /// The name of the project's folder, for display.
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "project".to_owned(), |n| n.to_string_lossy().into_owned())
    }

    /// The environment for the tracker: the variables of this process, but with this project's beads instead of those
    /// in `BEADS_DIR`.
    pub(crate) fn environment(&self) -> Environment {
        Environment { beads_dir: None, ..Environment::from_process() }
    }

    /// The project's repository. Fails outside git.
    pub(crate) fn repo(&self) -> Result<Repo, ApiError> {
        Repo::discover(&self.root).map_err(git_error)
    }
}

/// The nearest folder that contains `.beads`, from `start` upwards to `top`.
fn nearest_beads(start: &Path, top: Option<&Path>) -> Option<PathBuf> {
    start
        .ancestors()
        .take_while(|dir| top.is_none_or(|top| dir.starts_with(top)))
        .find(|dir| dir.join(".beads").is_dir())
        .map(Path::to_owned)
}

fn not_opened(path: &Path, error: &std::io::Error) -> ApiError {
    use std::io::ErrorKind as Kind;
    let shown = path.display();
    // Windows reports a path through a file as not found.
    let leads_through_file = || path.ancestors().skip(1).any(Path::is_file);
    let (what, hint) = match error.kind() {
        Kind::NotFound | Kind::NotADirectory if leads_through_file() => {
            (format!("{shown} leads through a file"), "choose a folder with --project DIR")
        }
        Kind::NotFound => {
            (format!("{shown} does not exist"), "check the path, or choose another folder with --project DIR")
        }
        Kind::PermissionDenied => (
            format!("{shown} cannot be opened: permission denied"),
            "get access to it, or choose another folder with --project DIR",
        ),
        _ => (format!("{shown} cannot be opened: {error}"), "choose another folder with --project DIR"),
    };
    ApiError::new(ErrorCode::ProjectNotFound, what).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_path_that_is_not_a_folder_names_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes");
        bc_store::file::replace(&file, b"no folder").unwrap();
        let why = |path: &Path| {
            let error = Project::around(path).expect_err("there is no folder");
            assert_eq!(error.code, ErrorCode::ProjectNotFound);
            error.message.replace(folder.path().to_str().unwrap(), "DIR").replace('\\', "/")
        };
        assert_eq!(why(&folder.path().join("gone")), "DIR/gone does not exist");
        assert_eq!(why(&file), "DIR/notes is not a folder");
        assert_eq!(why(&file.join("below")), "DIR/notes/below leads through a file");
    }
}
