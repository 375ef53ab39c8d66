//! Detects when any program has changed beads.

use crate::context::Project;
use bc_beads::Tracker;
use std::path::PathBuf;

/// Detects changes of beads through its own connection to the tracker. Memories that are stored outside the
/// tracker are checked through their file.
pub struct BeadChanges {
    tracker: Option<Box<dyn Tracker>>,
    memories: PathBuf,
}

impl BeadChanges {
    /// Opens the tracker. If that fails, there is never a mark, so the caller must treat every file change in
    /// `.beads` as a change of beads.
    pub fn open(project: &Project) -> BeadChanges {
        BeadChanges {
            tracker: bc_beads::open(&project.root, &project.environment()).ok(),
            memories: project.beads_dir.join("memories.jsonl"),
        }
    }

    /// The folders to watch; empty without a tracker. A change in them can mean that beads changed.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.tracker.as_ref().map(|t| t.watch_paths()).unwrap_or_default()
    }

    /// A mark that differs after every change, and possibly without one. `None` without a tracker, or if the
    /// tracker fails, has no mark, or does not have one yet after a recent change.
    pub fn mark(&self) -> Option<String> {
        let mark = self.tracker.as_ref()?.watch_mark().ok().flatten()?;
        // The memories file is append-only, so its length shows whether it changed.
        let length = std::fs::symlink_metadata(&self.memories).map_or(0, |file| file.len());
        Some(format!("{mark} {length}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn a_memory_outside_the_tracker_is_a_change() {
        let fixture = Fixture::new();
        let beads = fixture.ctx.project.beads_dir.join("issues.jsonl");
        bc_store::file::replace(&beads, b"{\"id\":\"a-1\",\"title\":\"t\"}\n").unwrap();
        let changes = BeadChanges::open(&fixture.ctx.project);
        // With coarse file times, there is no mark until the file has been unchanged for a moment.
        let before = std::iter::repeat_with(|| changes.mark()).find_map(|mark| mark).unwrap();
        assert_eq!(changes.mark().as_ref(), Some(&before), "a query changes nothing");
        bc_store::file::replace(&changes.memories, b"{\"id\":\"a\"}\n").unwrap();
        assert_ne!(changes.mark().as_ref(), Some(&before));
    }
}
