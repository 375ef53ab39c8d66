//! Reads a project's beads on its own thread while the rest of the project is opened, so that a starting window shows
//! its board sooner.

use super::{bead_list, project::Project};
use bc_beads::{Layout, Tracker};
use bc_wire::{ApiError, answer::Answer, bead::*};
use std::{
    sync::{Arc, OnceLock},
    thread,
};

/// A tracker that is being opened and read on another thread. Only an embedded store is read ahead: it does
/// not need a program, and its content does not depend on which process is the engine.
#[derive(Clone, Default)]
pub struct ReadAhead(Arc<OnceLock<Option<Arc<dyn Tracker>>>>);

/// Owned by the reading thread. If it is dropped without a result, as after a panic, waiting readers get `None`.
struct Reading(ReadAhead);

impl Drop for Reading {
    fn drop(&mut self) {
        let _ = self.0.0.set(None);
    }
}

impl ReadAhead {
    /// Starts reading on a new thread. When the read is finished, that thread calls `then` with `true` if a
    /// list is available.
    pub fn start(project: &Project, then: impl FnOnce(bool) + Send + 'static) -> ReadAhead {
        let ahead = ReadAhead::default();
        let (reading, project) = (Reading(ahead.clone()), project.clone());
        thread::spawn(move || {
            let read = read(&project);
            let is_available = read.is_some();
            let _ = reading.0.0.set(read);
            drop(reading);
            then(is_available);
        });
        ahead
    }

    /// Waits for the tracker and lists its beads. `None` if the tracker needs a program or could not be read;
    /// the engine then reports the error. Also `None` if `params` has a query, which needs the engine.
    pub fn list<A: Answer>(&self, params: BeadListParams) -> Option<Result<A, ApiError>> {
        if !params.query.trim().is_empty() {
            return None;
        }
        let tracker = self.tracker()?;
        Some(bead_list::of_tracker(tracker.as_ref(), params).and_then(A::of))
    }

    /// Whether the beads changed after they were read, so that a list from this tracker may be out of date.
    pub fn is_outdated(&self) -> bool {
        self.tracker().is_some_and(|tracker| tracker.content() > 1)
    }

    /// Waits for the tracker; `None` if it needs a program or could not be read.
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
    // Read the file now; the tracker keeps the content for the first list.
    let _ = tracker.content();
    Some(tracker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;
    use serde_json::Value;
    use std::sync::mpsc::sync_channel;

    fn project(beads: &str) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        crate::init(
            folder.path(),
            bc_wire::project::InitParams { prefix: Some("A".into()), ..Default::default() },
        )
        .unwrap();
        file::replace(&folder.path().join(".beads/issues.jsonl"), beads.as_bytes()).unwrap();
        let project = Project::find(folder.path()).unwrap();
        (folder, project)
    }

    fn ids(ahead: &ReadAhead) -> Vec<String> {
        let list: Value = ahead.list(BeadListParams::default()).unwrap().unwrap();
        let list: BeadList = serde_json::from_value(list).unwrap();
        list.beads.iter().map(|bead| bead.id.to_string()).collect()
    }

    #[test]
    fn a_served_list_is_outdated_after_a_change_even_if_listed_again() {
        let (folder, project) = project("{\"id\":\"A-1\"}\n");
        let (done, read) = sync_channel(1);
        let ahead = ReadAhead::start(&project, move |is_available| done.send(is_available).unwrap());
        assert_eq!(ids(&ahead), ["A-1"]);
        assert_eq!(read.recv(), Ok(true));
        assert!(!ahead.is_outdated());
        file::replace(&folder.path().join(".beads/issues.jsonl"), b"{\"id\":\"A-2\"}\n").unwrap();
        assert_eq!(ids(&ahead), ["A-2"]);
        assert!(ahead.is_outdated());
    }

    #[test]
    fn a_change_before_the_first_list_is_included_or_outdates_the_list() {
        let (folder, project) = project("{\"id\":\"A-1\"}\n");
        let (done, read) = sync_channel(1);
        let ahead = ReadAhead::start(&project, move |is_available| done.send(is_available).unwrap());
        assert_eq!(read.recv(), Ok(true));
        file::replace(&folder.path().join(".beads/issues.jsonl"), b"{\"id\":\"A-2\"}\n").unwrap();
        assert!(["A-1", "A-2"].contains(&ids(&ahead)[0].as_str()));
        assert!(ahead.is_outdated());
        assert_eq!(ids(&ahead), ["A-2"]);
    }

    #[test]
    fn a_tracker_program_is_not_run_and_its_list_is_not_awaited() {
        let (folder, project) = project("");
        std::fs::create_dir(folder.path().join(".beads/dolt")).unwrap();
        assert!(ReadAhead::start(&project, drop).list::<Value>(BeadListParams::default()).is_none());
    }

    #[test]
    fn a_list_by_status_differs_from_the_first_list() {
        let (_folder, project) = project("{\"id\":\"A-1\"}\n{\"id\":\"A-2\",\"status\":\"closed\"}\n");
        let ahead = ReadAhead::start(&project, drop);
        let closed =
            BeadListParams { status: vec![bc_core::bead::BeadStatus::Closed], ..BeadListParams::default() };
        let list: Value = ahead.list(closed).unwrap().unwrap();
        assert_eq!(list["beads"].as_array().unwrap().len(), 1);
        assert_eq!(ids(&ahead), ["A-1", "A-2"]);
        assert_eq!(ids(&ahead), ["A-1", "A-2"]);
    }

    #[test]
    fn each_client_gets_the_changes_since_its_own_content() {
        let line = |n: usize, title: &str| format!("{{\"id\":\"A-{n}\",\"title\":\"{title}\"}}\n");
        let (folder, project) = project(&(1..=3).map(|n| line(n, "old")).collect::<String>());
        let write = |titles: [&str; 3]| {
            let text: String = (1..).zip(titles).map(|(n, title)| line(n, title)).collect();
            file::replace(&folder.path().join(".beads/issues.jsonl"), text.as_bytes()).unwrap();
        };
        let list = |ahead: &ReadAhead, since: Option<&str>| -> BeadList {
            let params = BeadListParams { since: since.map(str::to_owned), ..BeadListParams::default() };
            serde_json::from_value(ahead.list(params).unwrap().unwrap()).unwrap()
        };
        let ids =
            |list: &BeadList| -> Vec<String> { list.beads.iter().map(|bead| bead.id.to_string()).collect() };
        let ahead = ReadAhead::start(&project, drop);
        let first = list(&ahead, None).content.unwrap();
        write(["new", "old", "old"]);
        let second = list(&ahead, Some(&first));
        assert_eq!((ids(&second), second.changes_only), (vec!["A-1".to_owned()], true));
        write(["new", "new", "old"]);
        assert_eq!(ids(&list(&ahead, second.content.as_deref())), ["A-2"]);
        assert_eq!(ids(&list(&ahead, Some(&first))), ["A-1", "A-2"]);
        // After a restart, the content identifiers differ.
        let restarted = list(&ReadAhead::start(&project, drop), Some(&first));
        assert_eq!((ids(&restarted).len(), restarted.changes_only), (3, false));
    }

    #[test]
    fn the_first_page_has_the_total() {
        let lines: String = (1..=9).map(|n| format!("{{\"id\":\"A-{n}\"}}\n")).collect();
        let (_folder, project) = project(&lines);
        let ahead = ReadAhead::start(&project, drop);
        let params = BeadListParams { page: Some(2), ..BeadListParams::default() };
        let list: Value = ahead.list(params).unwrap().unwrap();
        assert_eq!((list["beads"].as_array().unwrap().len(), &list["total"]), (2, &9.into()));
    }
}
