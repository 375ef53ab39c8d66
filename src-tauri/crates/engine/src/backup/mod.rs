//! Backups of a project: beads, memories and session records, on a separate branch of the repository; and their
//! restore.
//!
//! A backup needs neither the engine nor its lock; a view of the project suffices. It is merged record by record
//! with the branch and the remote, so that several machines can share a branch without losing records. A restore
//! writes sessions, so it needs the engine.
//!
//! `secrets` removes secrets, `snapshot` reads the local data, `committed` reads a commit, `run` creates a
//! backup, `restore` restores one, `state` stores the last result, and `status` reports on all three places.

mod committed;
mod restore;
mod run;
mod secrets;
mod snapshot;
mod state;
mod status;

pub use restore::{prefix_in_backup, preview_at};
pub(crate) use restore::{preview, restore};
pub(crate) use run::run;
pub(crate) use status::{check, status, sync_tracker};

use crate::{errors::git_error, project::Project};
use bc_core::ids::BranchName;
use bc_git::{ObjectId, Repo};
use bc_wire::ApiError;

/// The folder of a project's backup in a commit, below the project's path in the repository.
const FOLDER: &str = "beads-backup";

fn branch() -> BranchName {
    bc_core::backup::BRANCH.parse().expect("it is a branch name")
}

/// The branch's full name.
fn reference() -> String {
    format!("refs/heads/{}", bc_core::backup::BRANCH)
}

/// The path of a project's files in a commit: several projects of a repository share the branch.
fn folder_of(project: &Project, repo: &Repo) -> String {
    let inside = project.root.strip_prefix(repo.main_root()).ok();
    let inside = inside.map(|path| path.to_string_lossy().replace('\\', "/")).filter(|path| !path.is_empty());
    inside.map_or_else(|| FOLDER.to_owned(), |path| format!("{path}/{FOLDER}"))
}

/// The backup commits known to this clone: its own branch, and the remote's last fetched one.
struct Tips {
    own: Option<ObjectId>,
    theirs: Option<ObjectId>,
    remote: Option<String>,
}

impl Tips {
    fn of(repo: &Repo) -> Result<Tips, ApiError> {
        let remote = repo.remote_for_pushes().map_err(git_error)?;
        let theirs = match &remote {
            Some(remote) => repo.remote_tip(remote, &branch()).map_err(git_error)?,
            None => None,
        };
        Ok(Tips { own: repo.reference(&reference()).map_err(git_error)?, theirs, remote })
    }

    /// The commits that are not ancestors of another one.
    fn heads(&self, repo: &Repo) -> Result<Vec<ObjectId>, ApiError> {
        Ok(match (&self.own, &self.theirs) {
            (Some(own), Some(theirs)) => {
                if repo.is_ancestor(theirs, own).map_err(git_error)? {
                    vec![own.clone()]
                } else if repo.is_ancestor(own, theirs).map_err(git_error)? {
                    vec![theirs.clone()]
                } else {
                    vec![own.clone(), theirs.clone()]
                }
            }
            (Some(one), None) | (None, Some(one)) => vec![one.clone()],
            (None, None) => Vec::new(),
        })
    }
}
