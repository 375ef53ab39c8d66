//! Creates a project's `.beads`, and describes the project: id, tracker, branch. `setup` creates the repository and
//! its first commit.
//!
//! May use: `context`.

mod setup;

pub use setup::project_setup;

use crate::context::{
    Context, Project,
    errors::{file_error, git_error, store_error, tracker_error},
};
use bc_beads::{InitChoice, Tracker, TrackerKind as Kind};
use bc_core::ids::ProjectId;
use bc_store::SessionStore;
use bc_wire::{ApiError, project::*};
use std::path::Path;

/// Sets up the project that contains `start`: creates the repository if requested, then `.beads`, then the
/// first commit if requested. An existing repository or commit is accepted; existing beads only with
/// [`InitTracker::Keep`].
pub fn init(start: &Path, params: InitParams) -> Result<ProjectInfo, ApiError> {
    let project = setup::repository(Project::around(start)?, &params)?;
    let environment = project.environment();
    let choice = match params.tracker.unwrap_or(InitTracker::Embedded) {
        InitTracker::Embedded => Some(InitChoice::Embedded),
        InitTracker::Bd => Some(InitChoice::Bd),
        InitTracker::Keep => None,
    };
    match choice {
        Some(choice) => {
            bc_beads::init(&project.root, params.prefix.as_deref(), choice, &environment)
                .map_err(tracker_error)?;
        }
        None => drop(Project::find(&project.root)?),
    }
    setup::first_commit(&project, params.first_commit.as_ref())?;
    let store = SessionStore::open(&project.beads_dir).map_err(file_error)?;
    crate::context::temporary_files::remove(&project);
    let tracker = bc_beads::open(&project.root, &environment).map_err(tracker_error)?;
    Ok(describe(&project, store.project_id(None).map_err(store_error)?, tracker.as_ref()))
}

pub(crate) fn info(ctx: &Context) -> Result<ProjectInfo, ApiError> {
    Ok(describe(&ctx.project, ctx.project_id()?, ctx.tracker()?))
}

fn describe(project: &Project, project_id: ProjectId, tracker: &dyn Tracker) -> ProjectInfo {
    let head = project.repo().and_then(|repo| repo.head().map_err(git_error)).ok();
    let described = tracker.describe();
    let tracker = TrackerInfo {
        kind: match described.kind {
            Kind::Bd => TrackerKind::Bd,
            Kind::Br => TrackerKind::Br,
            Kind::Embedded => TrackerKind::Embedded,
            Kind::ReadOnly => TrackerKind::ReadOnly,
        },
        version: described.version,
        writable: described.kind != Kind::ReadOnly,
        note: described.notice,
        submit_needs_consent: tracker.needs_custom_status().unwrap_or(false),
    };
    ProjectInfo {
        project_id,
        name: project.name(),
        root: project.root.display().to_string(),
        tracker,
        has_commit: head.as_ref().is_some_and(|head| head.commit.is_some()),
        branch: head.and_then(|head| head.branch).map(String::from),
    }
}

/// The user's name in the tracker of the project around `folder`; `user` if the folder cannot be opened.
pub fn person_at(folder: &Path) -> String {
    Project::around(folder).map_or_else(|_| "user".to_owned(), |project| crate::context::user_name(&project))
}
