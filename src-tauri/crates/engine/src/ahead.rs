//! A project's beads, read while all else of it is opened.

use crate::project::Project;
use bc_beads::{Layout, Tracker};
use std::thread::{self, JoinHandle};

/// A tracker that is being opened, and read for its first list.
pub(crate) struct ReadAhead(JoinHandle<Option<Box<dyn Tracker>>>);

impl ReadAhead {
    /// Begins; `None` where no thread is to be had.
    pub(crate) fn start(project: &Project) -> Option<ReadAhead> {
        let project = project.clone();
        thread::Builder::new().spawn(move || read(&project)).ok().map(ReadAhead)
    }

    /// The tracker, once it was read; `None` where that would have run a program, or failed.
    pub(crate) fn tracker(self) -> Option<Box<dyn Tracker>> {
        self.0.join().ok().flatten()
    }
}

fn read(project: &Project) -> Option<Box<dyn Tracker>> {
    let environment = project.environment();
    let located = bc_beads::locate(&project.root, &environment).ok()??;
    if located.layout != Layout::Jsonl {
        return None;
    }
    let tracker = bc_beads::open(&project.root, &environment).ok()?;
    tracker.read_ahead();
    Some(tracker)
}
