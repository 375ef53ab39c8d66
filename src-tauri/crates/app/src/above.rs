//! A project's folder as it is seen from the folder above it: that it is moved away or deleted, and that it is
//! back. Kept for as long as the project is on the list, whatever becomes of what is in the folder.

use crate::changes::{Changes, Depth, Told};
use bc_bridge::EventRing;
use bc_wire::event::Event;
use std::path::Path;

/// Watches until it is dropped.
pub(crate) struct Above {
    _changes: Changes,
}

impl Above {
    /// `None` where nothing may be seen above: there it is noticed with the next command.
    pub(crate) fn watch(root: &Path, ring: EventRing) -> Option<Above> {
        let (above, root, there, told) = (root.parent()?, root.to_owned(), root, ring.clone());
        let changes = Changes::start(move |change| {
            if comes_or_goes(&change, &root) {
                ring.publish(None, Event::ProjectsChanged {});
            }
        })
        .ok()?;
        changes.watch(above, Depth::One).ok()?;
        if !there.is_dir() {
            // It went before this.
            told.publish(None, Event::ProjectsChanged {});
        }
        Some(Above { _changes: changes })
    }
}

/// Whether the folder itself came or went; what lies beside it is somebody else's.
fn comes_or_goes(told: &Told, root: &Path) -> bool {
    match told {
        Told::Change { path, what } => what.is_of_names() && path == root,
        Told::Missed => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_bridge::RingLimits;
    use std::fs;

    #[test]
    fn a_folder_that_goes_and_comes_back_is_told_each_time_and_what_lies_beside_it_is_not() {
        let base = tempfile::tempdir().unwrap();
        let (root, away) = (base.path().join("p"), base.path().join("away"));
        fs::create_dir(&root).unwrap();
        let ring = EventRing::starting_at(1, RingLimits::default());
        let mut feed = ring.follow(None);
        let _above = Above::watch(&root, ring).unwrap();
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
            let told: serde_json::Value = serde_json::from_str(&feed.recv().unwrap()).unwrap();
            assert_eq!(
                (&told["seq"], &told["event"]["type"]),
                (&seq.into(), &"projects_changed".into()),
                "{told}"
            );
        }
    }
}
