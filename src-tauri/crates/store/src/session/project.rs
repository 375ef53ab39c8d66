//! `project.json`: the project's id if the tracker does not provide one.

use super::{SessionStore, StoreError, files};
use bc_core::ids::ProjectId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct ProjectFile {
    version: u32,
    project_id: ProjectId,
}

impl SessionStore {
    /// Returns the project's id: the tracker's id, or else a UUID that is created once and stored.
    ///
    /// # Errors
    ///
    /// [`StoreError::Broken`] if `project.json` is damaged, because a new id would orphan the sessions;
    /// [`StoreError::IndexBusy`] or a file operation's error if the new id cannot be stored.
    pub fn project_id(&self, trackers: Option<&ProjectId>) -> Result<ProjectId, StoreError> {
        if let Some(id) = trackers {
            return Ok(id.clone());
        }
        let path = self.path().join("project.json");
        if let Some(known) = files::read_json::<ProjectFile>(&path)? {
            return Ok(known.project_id);
        }
        let _lock = self.lock_index()?;
        // Another process may have created the file before this one took the lock.
        if let Some(known) = files::read_json::<ProjectFile>(&path)? {
            return Ok(known.project_id);
        }
        let project_id = ProjectId::try_from(Uuid::new_v4().to_string()).expect("a UUID is a project id");
        files::write_json(&path, &ProjectFile { version: 1, project_id: project_id.clone() })?;
        Ok(project_id)
    }
}
