//! Creates a project's `.beads`, and describes the project: id, tracker, branch.
//!
//! May use: `context`.

use crate::context::{
    Context, Project,
    errors::{file_error, store_error, tracker_error},
};
use bc_beads::{InitChoice, TrackerKind as Kind};
use bc_store::SessionStore;
use bc_wire::{ApiError, project::*};
use std::path::Path;

/// Creates `.beads` in the project that contains `start`.
pub fn init(start: &Path, params: InitParams) -> Result<ProjectInfo, ApiError> {
    let project = Project::around(start)?;
    let environment = project.environment();
    let choice = InitChoice::Embedded;
    bc_beads::init(&project.root, params.prefix.as_deref(), choice, &environment).map_err(tracker_error)?;
    let store = SessionStore::open(&project.beads_dir).map_err(file_error)?;
    crate::context::temporary_files::remove(&project);
    let tracker = bc_beads::open(&project.root, &environment).map_err(tracker_error)?;
    Ok(ProjectInfo {
        project_id: store.project_id(None).map_err(store_error)?,
        name: project.name(),
        root: project.root.display().to_string(),
        tracker: tracker_info(tracker.as_ref()),
        branch: branch(&project),
    })
}

pub(crate) fn info(ctx: &Context) -> Result<ProjectInfo, ApiError> {
    Ok(ProjectInfo {
        project_id: ctx.project_id()?,
        name: ctx.project.name(),
        root: ctx.project.root.display().to_string(),
        tracker: tracker_info(ctx.tracker()?),
        branch: branch(&ctx.project),
    })
}

fn branch(project: &Project) -> Option<String> {
    project.repo().ok()?.head().ok()?.branch.map(String::from)
}

fn tracker_info(tracker: &dyn bc_beads::Tracker) -> TrackerInfo {
    let described = tracker.describe();
    TrackerInfo {
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
    }
}

/// The user's name in the tracker of a folder's project.
pub fn person_at(folder: &Path) -> String {
    Project::around(folder).map_or_else(|_| "user".to_owned(), |project| crate::context::user_name(&project))
}
