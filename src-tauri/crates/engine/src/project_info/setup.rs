//! Determines the state of a project's setup, and creates a missing repository and first commit.

use crate::context::{
    Project,
    errors::{git_error, tracker_error},
};
use bc_git::{Author, Content, Git, Repo};
use bc_wire::{ApiError, ErrorCode, project::*};
use std::path::{Path, PathBuf};

/// The number of files at which counting stops; the count only distinguishes small folders from huge folders.
const MOST_FILES: u32 = 10_000;
const MESSAGE: &str = "Set up beads";

/// The setup state of the project that contains `start`, such as whether it has beads and a commit, and the
/// trackers from which the user can choose.
pub fn project_setup(start: &Path) -> Result<ProjectSetup, ApiError> {
    let project = Project::around(start)?;
    let environment = project.environment();
    let (version, problem) = match bc_beads::bd_version(&project.root, &environment) {
        Ok(None) => (None, Some("bd is not installed".to_owned())),
        Ok(version) => (version, None),
        Err(error) => (None, Some(tracker_error(error).message)),
    };
    let bd = TrackerOffer { tracker: InitTracker::Bd, version, problem };
    let embedded = TrackerOffer { tracker: InitTracker::Embedded, version: None, problem: None };
    let git = Git::find().ok();
    Ok(ProjectSetup {
        root: project.root.display().to_string(),
        has_beads: bc_beads::locate(&project.root, &environment).map_err(tracker_error)?.is_some(),
        prefix: bc_beads::default_prefix(&project.root),
        trackers: vec![embedded, bd],
        git: match &git {
            None => GitSetup::Missing,
            Some(_) if project.main_tree.is_none() => GitSetup::NoRepository,
            Some(_) if has_commit(&project) => GitSetup::Ready,
            Some(_) => GitSetup::NoCommit,
        },
        author: git.and_then(|git| git.author(&project.root).ok().flatten()),
        files: files_in(&project.root),
    })
}

/// Whether the project has a repository with a commit.
fn has_commit(project: &Project) -> bool {
    project.repo().and_then(|repo| head_commit(&repo)).is_ok_and(|commit| commit.is_some())
}

/// Creates the repository if it is requested and missing. Checks the author of the first commit before that,
/// so that an invalid author changes nothing.
pub(super) fn repository(project: Project, params: &InitParams) -> Result<Project, ApiError> {
    if let Some(author) = params.first_commit.as_ref().and_then(|commit| commit.author.as_ref()) {
        check("name", &author.name)?;
        check("e-mail address", &author.email)?;
    }
    if project.main_tree.is_some() {
        return Ok(project);
    }
    if !params.git_init {
        return match params.first_commit {
            None => Ok(project),
            Some(_) => {
                let text = format!("{} is in no git repository", project.root.display());
                Err(ApiError::new(ErrorCode::NotARepository, text).hint("create one with --git"))
            }
        };
    }
    Git::find().and_then(|git| git.init(&project.root)).map_err(git_error)?;
    Project::around(&project.root)
}

/// Creates the first commit if it is requested and the repository has no commit.
pub(super) fn first_commit(project: &Project, wanted: Option<&FirstCommit>) -> Result<(), ApiError> {
    let Some(wanted) = wanted else { return Ok(()) };
    let repo = project.repo()?;
    if head_commit(&repo)?.is_some() {
        return Ok(());
    }
    let content = match wanted.content {
        FirstCommitContent::All => Content::All,
        FirstCommitContent::Beads => Content::Only(".beads"),
    };
    let author = wanted.author.as_ref();
    let author = author.map(|author| Author { name: author.name.trim(), email: author.email.trim() });
    repo.git().first_commit(&project.root, content, author, MESSAGE).map_err(git_error)
}

fn head_commit(repo: &Repo) -> Result<Option<String>, ApiError> {
    Ok(repo.head().map_err(git_error)?.commit)
}

/// Fails unless the text can be an author's name or address: one line of 1 to 200 bytes without `<` and `>`.
fn check(field: &str, text: &str) -> Result<(), ApiError> {
    let bad = |c: char| c.is_control() || matches!(c, '<' | '>');
    match text.trim().is_empty() || text.contains(bad) || text.len() > 200 {
        true => Err(ApiError::new(ErrorCode::Usage, format!("the author's {field} is invalid"))
            .hint("it is one line without < and >, and not empty")),
        false => Ok(()),
    }
}

/// The number of files in a folder and its subfolders, without `.git` and `.beads`, up to [`MOST_FILES`].
fn files_in(root: &Path) -> u32 {
    let mut folders: Vec<PathBuf> = vec![root.to_owned()];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name == ".git" || name == ".beads" {
                continue;
            }
            // A link counts as a file.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => count += 1,
            }
            if count >= MOST_FILES {
                return count;
            }
        }
    }
    count
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;
    use crate::project_info::init;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/main.c"), "int main;").unwrap();
        std::fs::write(folder.path().join("notes"), "x").unwrap();
        folder
    }

    fn author(name: &str) -> Option<CommitAuthor> {
        Some(CommitAuthor { name: name.to_owned(), email: "ana@example.org".to_owned() })
    }

    #[test]
    fn an_empty_folder_is_set_up_in_one_step() {
        let folder = folder();
        let before = project_setup(folder.path()).unwrap();
        assert_eq!((before.git, before.has_beads, before.files), (GitSetup::NoRepository, false, 2));
        let first_commit = Some(FirstCommit { content: FirstCommitContent::Beads, author: author("Ana") });
        let params = InitParams { git_init: true, first_commit, ..InitParams::default() };
        let info = init(folder.path(), params.clone()).unwrap();
        assert!(info.has_commit, "{info:?}");
        assert_eq!(info.branch.as_deref(), Some("main"));
        let after = project_setup(folder.path()).unwrap();
        assert_eq!((after.git, after.has_beads), (GitSetup::Ready, true));
        let repo = Project::around(folder.path()).unwrap().repo().unwrap();
        let dirty = repo.status().unwrap();
        assert!(format!("{dirty:?}").contains("notes"), "only the beads are committed: {dirty:?}");
        // A repeated setup with the existing beads has nothing to do.
        let again = InitParams { tracker: Some(InitTracker::Keep), ..params };
        assert!(init(folder.path(), again).unwrap().has_commit);
        assert_eq!(repo.commits_since(None).unwrap().len(), 1);
    }

    #[test]
    fn a_project_with_beads_gets_a_repository_and_a_commit_of_everything() {
        let folder = folder();
        init(folder.path(), InitParams::default()).unwrap();
        let first_commit = Some(FirstCommit { content: FirstCommitContent::All, author: author("Ana") });
        let tracker = Some(InitTracker::Keep);
        let params = InitParams { tracker, git_init: true, first_commit, ..InitParams::default() };
        assert!(init(folder.path(), params).unwrap().has_commit);
        let repo = Project::around(folder.path()).unwrap().repo().unwrap();
        assert_eq!(repo.dirty_files().unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_bad_author_or_a_missing_repository_changes_nothing() {
        let folder = folder();
        let wanted = |name: &str, git_init| InitParams {
            git_init,
            first_commit: Some(FirstCommit { content: FirstCommitContent::All, author: author(name) }),
            ..InitParams::default()
        };
        for (params, code) in [
            (wanted("a <b>", true), ErrorCode::Usage),
            (wanted(" ", true), ErrorCode::Usage),
            (wanted("Ana", false), ErrorCode::NotARepository),
            (InitParams { tracker: Some(InitTracker::Keep), ..InitParams::default() }, ErrorCode::NoBeads),
        ] {
            assert_eq!(init(folder.path(), params).unwrap_err().code, code);
        }
        let after = project_setup(folder.path()).unwrap();
        assert_eq!((after.git, after.has_beads), (GitSetup::NoRepository, false));
    }
}
