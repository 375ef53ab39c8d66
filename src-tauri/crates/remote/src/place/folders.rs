//! A project's folders at a place.
//!
//! ```text
//! {folder}/{project}/
//!   repository/        git; nothing is checked out
//!   worktrees/{id}/    the working folder of a session
//!   .beads/sessions/   the records that the hosts write
//!   .beads/metadata.json   bd's settings, if agents use a Dolt server directly
//!   bin/bd             a link to this program, unless agents use a Dolt server directly
//!   hooks/, setup/     the sessions' hook copies, and the logs of their setup commands
//!   place.json         marks the folder
//! ```

use bc_core::{
    ids::{ProjectId, SessionId},
    session::Meta,
};
use bc_git::{Git, Repo};
use bc_store::{SessionDir, SessionStore, file};
use std::path::{Path, PathBuf};

pub(super) struct ProjectFolders {
    root: PathBuf,
}

impl ProjectFolders {
    /// Returns the project's folders without creating them.
    pub(super) fn of(folder: &str, project: &ProjectId) -> Result<ProjectFolders, String> {
        let home = bc_claude::paths::home(&bc_claude::paths::Env::of_process());
        let folder = match home {
            Some(home) => home.join(folder),
            None if Path::new(folder).is_absolute() => PathBuf::from(folder),
            None => return Err("the account has no home folder".to_owned()),
        };
        Ok(ProjectFolders { root: folder.join(project.as_str()) })
    }

    /// Parses a command's arguments. Returns the project's folders and the session's id.
    pub(super) fn parse(
        folder: &str,
        project: &str,
        session: &str,
    ) -> Result<(ProjectFolders, SessionId), String> {
        let project = project.parse().map_err(|_| "the project's id is not valid".to_owned())?;
        let session = session.parse().map_err(|_| "the session's id is not valid".to_owned())?;
        Ok((ProjectFolders::of(folder, &project)?, session))
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn beads_dir(&self) -> PathBuf {
        self.root.join(".beads")
    }

    pub(super) fn worktree(&self, session: SessionId) -> PathBuf {
        self.root.join("worktrees").join(session.to_string())
    }

    /// Opens the repository, and creates it if it is missing.
    pub(super) fn repository(&self) -> Result<Repo, String> {
        let path = self.root.join("repository");
        let git = Git::find().map_err(|error| error.to_string())?;
        if path.join(".git").exists() {
            return Repo::discover_with(git, &path).map_err(|error| error.to_string());
        }
        file::create_dir(&path).map_err(|error| error.to_string())?;
        git.init(&path).map_err(|error| error.to_string())
    }

    /// Opens the session store, and creates it if it is missing.
    pub(super) fn store(&self) -> Result<SessionStore, String> {
        file::create_dir(&self.beads_dir()).map_err(|error| error.to_string())?;
        SessionStore::open(&self.beads_dir()).map_err(|error| error.to_string())
    }

    pub(super) fn session(&self, id: SessionId) -> Option<(SessionDir, Meta)> {
        let dir = SessionStore::at(&self.beads_dir()).session(id);
        dir.meta().ok().map(|meta| (dir, meta))
    }
}
