//! Backups of a project: what the tracker has, what is remembered, and the records of sessions, on a branch of
//! the repository of its own; and the way back.
//!
//! A backup needs neither the engine nor its lock: a view of the project is enough, beside a window or without
//! one. Each is merged with what the branch and the remote have, record by record, so that several machines share
//! a branch and nothing is dropped. A restore writes sessions, and so is the engine's.
//!
//! `snapshot` is what is here, `stored` what a commit has, `run` makes one of both, `restore` goes back, `state`
//! is what happened last, `status` tells of the three places.

mod restore;
mod run;
mod snapshot;
mod state;
mod status;
mod stored;

pub use restore::{prefix_in_backup, preview_at};
pub(crate) use restore::{preview, restore};
pub(crate) use run::run;
pub(crate) use status::{check, status, sync_tracker};

use crate::{errors::git_error, project::Project};
use bc_core::ids::BranchName;
use bc_git::{ObjectId, Repo};
use bc_wire::ApiError;

/// The folder of a project's backup in a commit, below the project's own folder in the repository.
const FOLDER: &str = "beads-backup";

fn branch() -> BranchName {
    bc_core::backup::BRANCH.parse().expect("it is a branch name")
}

/// The branch's full name.
fn reference() -> String {
    format!("refs/heads/{}", bc_core::backup::BRANCH)
}

/// Where a project's files are in a commit: several projects of one repository share the branch.
fn folder_of(project: &Project, repo: &Repo) -> String {
    let inside = project.root.strip_prefix(repo.main_root()).ok();
    let inside = inside.map(|path| path.to_string_lossy().replace('\\', "/")).filter(|path| !path.is_empty());
    inside.map_or_else(|| FOLDER.to_owned(), |path| format!("{path}/{FOLDER}"))
}

/// The commits with backups that this clone knows: its own branch, and the remote's as it was seen last.
struct Tips {
    own: Option<ObjectId>,
    theirs: Option<ObjectId>,
    remote: Option<String>,
}

impl Tips {
    fn of(repo: &Repo) -> Result<Tips, ApiError> {
        let remote = repo.remote_for_pushes().map_err(git_error)?;
        let theirs = match &remote {
            Some(remote) => repo.seen_at(remote, &branch()).map_err(git_error)?,
            None => None,
        };
        Ok(Tips { own: repo.reference(&reference()).map_err(git_error)?, theirs, remote })
    }

    /// Those that are in no other one's history.
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
