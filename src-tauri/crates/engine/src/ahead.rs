//! A project's beads, read before all else of it is opened: whoever begins with their list waits for nothing more.

use crate::{beads, project::Project};
use bc_beads::{Layout, Tracker};
use bc_wire::{ApiError, bead::*};
use std::{
    sync::{Arc, OnceLock},
    thread,
};

/// A tracker that is being opened, and read for its first list. Only one that is a file: for it no program runs, and
/// whoever may read it reads the same, whoever the project's engine is.
#[derive(Clone, Default)]
pub struct ReadAhead(Arc<OnceLock<Option<Arc<dyn Tracker>>>>);

/// Whoever reads. Nobody waits for one that is gone.
struct Reading(ReadAhead);

impl Drop for Reading {
    fn drop(&mut self) {
        let _ = self.0.0.set(None);
    }
}

impl ReadAhead {
    /// Begins in a thread of its own, which does `then` afterwards: with whether there is a list.
    pub fn start(project: &Project, then: impl FnOnce(bool) + Send + 'static) -> ReadAhead {
        let ahead = ReadAhead::default();
        let (reading, project) = (Reading(ahead.clone()), project.clone());
        thread::spawn(move || {
            let tracker = read(&project);
            let is_there = tracker.is_some();
            let _ = reading.0.0.set(tracker);
            drop(reading);
            then(is_there);
        });
        ahead
    }

    /// Their list, once they are read; `None` where that would run a program, or fails: the engine says why.
    pub fn list(&self, params: BeadListParams) -> Option<Result<BeadList, ApiError>> {
        Some(beads::list_of(self.tracker()?.as_ref(), params))
    }

    /// Whether somebody may have been given a list that is not what the beads are now.
    pub fn is_outdated(&self) -> bool {
        self.tracker().is_some_and(|tracker| tracker.read_ahead() > 1)
    }

    /// The tracker, once it was read.
    pub(crate) fn tracker(&self) -> Option<Arc<dyn Tracker>> {
        self.0.wait().clone()
    }
}

fn read(project: &Project) -> Option<Arc<dyn Tracker>> {
    let environment = project.environment();
    let located = bc_beads::locate(&project.root, &environment).ok()??;
    if located.layout != Layout::Jsonl {
        return None;
    }
    let tracker: Arc<dyn Tracker> = bc_beads::open(&project.root, &environment).ok()?.into();
    tracker.read_ahead();
    Some(tracker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;
    use std::sync::mpsc::sync_channel;

    fn project(beads: &str) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        crate::init(folder.path(), bc_wire::project::InitParams { prefix: Some("A".into()) }).unwrap();
        file::replace(&folder.path().join(".beads/issues.jsonl"), beads.as_bytes()).unwrap();
        let project = Project::find(folder.path()).unwrap();
        (folder, project)
    }

    fn ids(ahead: &ReadAhead) -> Vec<String> {
        let list = ahead.list(BeadListParams::default()).unwrap().unwrap();
        list.beads.iter().map(|bead| bead.id.to_string()).collect()
    }

    #[test]
    fn what_was_listed_is_outdated_once_the_file_is_another_though_it_was_listed_again_since() {
        let (folder, project) = project("{\"id\":\"A-1\"}\n");
        let (done, read) = sync_channel(1);
        let ahead = ReadAhead::start(&project, move |is_there| done.send(is_there).unwrap());
        assert_eq!(ids(&ahead), ["A-1"]);
        assert_eq!(read.recv(), Ok(true));
        assert!(!ahead.is_outdated());
        file::replace(&folder.path().join(".beads/issues.jsonl"), b"{\"id\":\"A-2\"}\n").unwrap();
        assert_eq!(ids(&ahead), ["A-2"]);
        assert!(ahead.is_outdated());
    }

    #[test]
    fn where_a_program_would_run_nothing_is_listed_and_nobody_waits() {
        let (folder, project) = project("");
        std::fs::create_dir(folder.path().join(".beads/dolt")).unwrap();
        assert!(ReadAhead::start(&project, drop).list(BeadListParams::default()).is_none());
    }
}
