//! A project's beads, read before all else of it is opened, and their list written: whoever begins with it waits for
//! nothing more.

use crate::{beads, project::Project};
use bc_beads::{Layout, Tracker, Written};
use bc_process::beside_soon;
use bc_wire::{ApiError, answer::Answer, bead::*};
use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// How old a list may be that is given without another look. What changed meanwhile is told once the project is open.
const FRESH: Duration = Duration::from_millis(100);

/// A tracker that is being opened, and read for its first list. Only one that is a file: for it no program runs, and
/// whoever may read it reads the same, whoever the project's engine is.
#[derive(Clone, Default)]
pub struct ReadAhead(Arc<OnceLock<Option<Read>>>);

struct Read {
    tracker: Arc<dyn Tracker>,
    /// For whoever asks first for what a board shows.
    board: Mutex<Option<Board>>,
}

/// A list as JSON.
struct Board {
    /// What it was made of, as the tracker counts.
    content: u64,
    /// When that was read, at the latest.
    written: Instant,
    text: String,
}

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
        beside_soon();
        thread::spawn(move || {
            let read = read(&project);
            let is_there = read.is_some();
            let _ = reading.0.0.set(read);
            drop(reading);
            then(is_there);
        });
        ahead
    }

    /// Their list, once they are read; `None` where that would run a program, or fails: the engine says why.
    pub fn list<A: Answer>(&self, params: BeadListParams) -> Option<Result<A, ApiError>> {
        let read = self.0.wait().as_ref()?;
        Some(match read.board(&params) {
            Some(text) => A::of_text(text),
            None => beads::list_of(read.tracker.as_ref(), params).and_then(A::of),
        })
    }

    /// Whether somebody may have been given a list that is not what the beads are now.
    pub fn is_outdated(&self) -> bool {
        self.tracker().is_some_and(|tracker| tracker.content() > 1)
    }

    /// The tracker, once it was read.
    pub(crate) fn tracker(&self) -> Option<Arc<dyn Tracker>> {
        self.0.wait().as_ref().map(|read| Arc::clone(&read.tracker))
    }
}

impl Read {
    /// What was written ahead, where it is what is asked for and the beads are the same still. A bead that was put off
    /// until just now is shown as it was a moment ago.
    fn board(&self, params: &BeadListParams) -> Option<String> {
        if !params.status.is_empty() {
            return None;
        }
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let is_now = board.written.elapsed() < FRESH || board.content == self.tracker.content();
        is_now.then_some(board.text)
    }
}

/// A list as it is serialized.
fn written(tracker: &dyn Tracker) -> Option<Board> {
    let written = Instant::now();
    let mut text = b"{\"beads\":".to_vec();
    let Written { warnings, content } = tracker.write_list(&beads::of_board(Vec::new()), &mut text).ok()?;
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    text.extend_from_slice(b",\"warnings\":");
    serde_json::to_writer(&mut text, &warnings).ok()?;
    text.push(b'}');
    Some(Board { content, written, text: String::from_utf8(text).ok()? })
}

fn read(project: &Project) -> Option<Read> {
    let environment = project.environment();
    let located = bc_beads::locate(&project.root, &environment).ok()??;
    if located.layout != Layout::Jsonl {
        return None;
    }
    let tracker: Arc<dyn Tracker> = bc_beads::open(&project.root, &environment).ok()?.into();
    let board = Mutex::new(written(tracker.as_ref()));
    Some(Read { tracker, board })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;
    use serde_json::Value;
    use std::sync::mpsc::sync_channel;

    fn project(beads: &str) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        crate::init(folder.path(), bc_wire::project::InitParams { prefix: Some("A".into()) }).unwrap();
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
    fn what_changes_before_the_first_list_is_in_it_or_that_list_is_outdated() {
        let (folder, project) = project("{\"id\":\"A-1\"}\n");
        let (done, read) = sync_channel(1);
        let ahead = ReadAhead::start(&project, move |is_there| done.send(is_there).unwrap());
        assert_eq!(read.recv(), Ok(true));
        file::replace(&folder.path().join(".beads/issues.jsonl"), b"{\"id\":\"A-2\"}\n").unwrap();
        assert!(["A-1", "A-2"].contains(&ids(&ahead)[0].as_str()));
        assert!(ahead.is_outdated());
        assert_eq!(ids(&ahead), ["A-2"]);
    }

    #[test]
    fn where_a_program_would_run_nothing_is_listed_and_nobody_waits() {
        let (folder, project) = project("");
        std::fs::create_dir(folder.path().join(".beads/dolt")).unwrap();
        assert!(ReadAhead::start(&project, drop).list::<Value>(BeadListParams::default()).is_none());
    }

    #[test]
    fn the_list_that_is_written_ahead_is_the_one_that_is_asked_for() {
        for many in [0, 1, 2, 255, 256, 257] {
            let line = |n| format!("{{\"id\":\"A-{n}\",\"title\":\"],[\",\"priority\":{}}}\n", n % 5);
            let beads: String = (0..many).map(line).collect();
            let (_folder, project) = project(&(beads + "no bead\n"));
            let tracker = read(&project).unwrap().tracker;
            let list = beads::list_of(tracker.as_ref(), BeadListParams::default()).unwrap();
            assert_eq!((list.beads.len(), list.warnings.len()), (many, 1));
            assert_eq!(written(tracker.as_ref()).unwrap().text, serde_json::to_string(&list).unwrap());
        }
    }

    #[test]
    fn of_some_states_there_is_another_list_than_the_one_that_was_written() {
        let (_folder, project) = project("{\"id\":\"A-1\"}\n{\"id\":\"A-2\",\"status\":\"closed\"}\n");
        let ahead = ReadAhead::start(&project, drop);
        let closed = BeadListParams { status: vec![bc_core::bead::BeadStatus::Closed] };
        let list: Value = ahead.list(closed).unwrap().unwrap();
        assert_eq!(list["beads"].as_array().unwrap().len(), 1);
        assert_eq!(ids(&ahead), ["A-1", "A-2"]);
        assert_eq!(ids(&ahead), ["A-1", "A-2"]);
    }
}
