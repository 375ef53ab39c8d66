//! Watches a project's folder from its parent folder. Reports when the folder is moved, deleted or created
//! again.

use bc_bridge::EventRing;
use bc_store::watch::{Depth, FileChange, FileWatch};
use bc_wire::event::Event;
use std::path::Path;

/// Starts the watch. Returns `None` if the parent folder cannot be watched; only the next command then detects a
/// missing folder.
pub(crate) fn start(root: &Path, ring: EventRing) -> Option<FileWatch> {
    let (watched_root, events) = (root.to_owned(), ring.clone());
    let changes = FileWatch::start(move |change| {
        if created_or_removed(&change, &watched_root) {
            events.publish(None, Event::ProjectsChanged {});
        }
    })
    .ok()?;
    changes.watch(root.parent()?, Depth::One).ok()?;
    if !root.is_dir() {
        // The folder disappeared before the watch started.
        ring.publish(None, Event::ProjectsChanged {});
    }
    Some(changes)
}

/// Whether the change may have created or removed the folder itself. Changes of the folder's siblings are
/// ignored.
fn created_or_removed(change: &FileChange, root: &Path) -> bool {
    match change {
        FileChange::Changed { path, what } => what.is_name_change() && path == root,
        FileChange::Missed => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_bridge::RingLimits;
    use std::fs;

    #[test]
    fn removal_and_recreation_of_the_folder_are_reported_and_siblings_ignored() {
        let base = tempfile::tempdir().unwrap();
        let (root, away) = (base.path().join("p"), base.path().join("away"));
        fs::create_dir(&root).unwrap();
        let ring = EventRing::starting_at(1, RingLimits::default());
        let mut feed = ring.follow(None);
        let _watch = start(&root, ring).unwrap();
        fs::create_dir(base.path().join("beside")).unwrap();
        fs::create_dir(root.join("inside")).unwrap();
        let steps: [&dyn Fn(); 4] = [
            &|| fs::rename(&root, &away).unwrap(),
            &|| fs::rename(&away, &root).unwrap(),
            &|| fs::remove_dir_all(&root).unwrap(),
            &|| fs::create_dir(&root).unwrap(),
        ];
        for (seq, step) in (1..).zip(steps) {
            step();
            let envelope: serde_json::Value = serde_json::from_str(&feed.recv().unwrap()).unwrap();
            assert_eq!(
                (&envelope["seq"], &envelope["event"]["type"]),
                (&seq.into(), &"projects_changed".into()),
                "{envelope}"
            );
        }
    }
}
