//! What there is to look at in a project, and how the system's watchers tell of it.

use crate::changes::Told;
use bc_core::ids::SessionId;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
};

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stir {
    /// A file of the tracker changed.
    Beads,
    /// The folder of the beads came or went.
    Folder,
    /// A session's record or host changed.
    Session(SessionId),
    /// What somebody has looked at of a session's change.
    Viewed(SessionId),
    /// Something in the fleet's state changed.
    Fleet,
    /// The fleet's state, or its settings, may be elsewhere or others now.
    FleetPlace,
    /// So much changed that everything is to be looked at.
    All,
    /// A live session's host went away.
    HostGone(SessionId),
    /// The project is closed.
    Stop,
}

/// Where the system's watchers tell of changes.
#[derive(Clone)]
pub(crate) struct Stirs {
    pub(crate) sender: SyncSender<Stir>,
    /// Whether there was no room for one: nobody knows what it was about.
    pub(crate) missed: Arc<AtomicBool>,
}

impl Stirs {
    pub(crate) fn new(room: usize) -> (Stirs, Receiver<Stir>) {
        let (sender, received) = sync_channel(room);
        (Stirs { sender, missed: Arc::default() }, received)
    }

    /// Never waits: the system's watcher thread must not stand still.
    pub(crate) fn tell(&self, stir: Stir) {
        if let Err(TrySendError::Full(_)) = self.sender.try_send(stir) {
            self.missed.store(true, Ordering::Release);
        }
    }
}

/// What a change is about.
pub(crate) fn stirred_by(told: &Told, beads_dir: &Path) -> Option<Stir> {
    match told {
        Told::Change { path, what } => about(path, what.is_of_names(), beads_dir),
        Told::Missed => Some(Stir::All),
    }
}

fn about(path: &Path, comes_or_goes: bool, beads_dir: &Path) -> Option<Stir> {
    if path == beads_dir {
        return comes_or_goes.then_some(Stir::Folder);
    }
    let Ok(inside) = path.strip_prefix(beads_dir.join("sessions")) else { return Some(Stir::Beads) };
    let mut parts = inside.components().map(|part| part.as_os_str().to_string_lossy());
    let id: SessionId = parts.next()?.parse().ok()?;
    match parts.next().as_deref() {
        None | Some("meta.json" | "outbox.json" | "host.json") => Some(Stir::Session(id)),
        // The folder, too: the first file may be in it before the system looks into it.
        Some("person") => {
            matches!(parts.next().as_deref(), None | Some("viewed.json")).then_some(Stir::Viewed(id))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "00000000-0000-4000-8000-000000000001";

    fn about_path(path: &str) -> Option<Stir> {
        about(Path::new(path), true, Path::new("/w/p/.beads"))
    }

    #[test]
    fn a_heartbeat_and_a_message_are_no_change_of_a_record() {
        let id = ID.parse().unwrap();
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/meta.json")), Some(Stir::Session(id)));
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}")), Some(Stir::Session(id)));
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/heartbeat")), None);
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/messages.jsonl")), None);
        assert_eq!(
            about_path(&format!("/w/p/.beads/sessions/{ID}/person/viewed.json")),
            Some(Stir::Viewed(id))
        );
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/person")), Some(Stir::Viewed(id)));
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/person/.tmp")), None);
        assert_eq!(about_path("/w/p/.beads/sessions/index.json"), None);
        assert_eq!(about_path("/w/p/.beads/issues.jsonl"), Some(Stir::Beads));
    }

    #[test]
    fn the_folder_of_the_beads_that_goes_is_one_and_its_time_of_change_is_nothing() {
        assert_eq!(about_path("/w/p/.beads"), Some(Stir::Folder));
        assert_eq!(about(Path::new("/w/p/.beads"), false, Path::new("/w/p/.beads")), None);
    }
}
