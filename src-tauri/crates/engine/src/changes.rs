//! Whether beads changed, whoever changed them.

use crate::project::Project;
use bc_beads::Tracker;
use std::path::PathBuf;

/// A tracker, looked at from outside.
pub struct BeadChanges {
    tracker: Option<Box<dyn Tracker>>,
}

impl BeadChanges {
    /// Of a project. One whose tracker cannot be opened has no changes to tell of.
    pub fn open(project: &Project) -> BeadChanges {
        BeadChanges { tracker: bc_beads::open(&project.root, &project.environment()).ok() }
    }

    /// Files and folders to watch; a change in them may mean that beads changed.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.tracker.as_ref().map(|t| t.watch_paths()).unwrap_or_default()
    }

    /// Something that is different after every change; `None` where there is no such thing.
    pub fn mark(&self) -> Option<String> {
        self.tracker.as_ref()?.change_mark().ok().flatten()
    }
}
