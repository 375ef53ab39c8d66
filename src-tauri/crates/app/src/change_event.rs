//! The changes that a project's watch handles, and their detection in file changes.

use bc_core::ids::SessionId;
use bc_store::watch::{FileChange, What};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
};

/// A change that the watch must handle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChangeEvent {
    /// A file of the tracker changed. Further changes may follow.
    Beads,
    /// A bead file was renamed into place, so its content is complete.
    BeadsFile,
    /// The `.beads` folder was created or removed.
    Folder,
    /// A session's folder, record, prompt queue or host file changed, or its host reported a change.
    Session(SessionId),
    /// The viewed marks of a session's files, or the comments on them, changed.
    Viewed(SessionId),
    Fleet,
    /// The fleet's settings, or the location of its state, may have changed.
    FleetPlace,
    /// Events were lost, so everything must be read again.
    All,
    /// A live session's host disconnected.
    HostGone(SessionId),
    /// The project is closed, so the watch ends.
    Stop,
}

/// The sending end of the bounded channel of change events.
#[derive(Clone)]
pub(crate) struct ChangeSender {
    pub(crate) sender: SyncSender<ChangeEvent>,
    /// Whether an event was dropped because the channel was full.
    pub(crate) missed: Arc<AtomicBool>,
}

impl ChangeSender {
    pub(crate) fn new(room: usize) -> (ChangeSender, Receiver<ChangeEvent>) {
        let (sender, received) = sync_channel(room);
        (ChangeSender { sender, missed: Arc::default() }, received)
    }

    /// Sends an event without blocking, because the file watcher's thread must not be delayed. Sets `missed`
    /// instead if the channel is full.
    pub(crate) fn tell(&self, change: ChangeEvent) {
        if let Err(TrySendError::Full(_)) = self.sender.try_send(change) {
            self.missed.store(true, Ordering::Release);
        }
    }
}

/// The event for a file change; `None` if clients do not depend on the file, such as a session's heartbeat.
pub(crate) fn event_of(change: &FileChange, beads_dir: &Path) -> Option<ChangeEvent> {
    match change {
        FileChange::Changed { path, what } => about(path, *what, beads_dir),
        FileChange::Missed => Some(ChangeEvent::All),
    }
}

fn about(path: &Path, what: What, beads_dir: &Path) -> Option<ChangeEvent> {
    if path == beads_dir {
        return what.is_name_change().then_some(ChangeEvent::Folder);
    }
    let Ok(inside) = path.strip_prefix(beads_dir.join("sessions")) else {
        let is_complete = what == What::Arrived && path.extension().is_some_and(|ending| ending == "jsonl");
        return Some(if is_complete { ChangeEvent::BeadsFile } else { ChangeEvent::Beads });
    };
    let mut parts = inside.components().map(|part| part.as_os_str().to_string_lossy());
    let id: SessionId = parts.next()?.parse().ok()?;
    match parts.next().as_deref() {
        None | Some("meta.json" | "outbox.json" | "host.json") => Some(ChangeEvent::Session(id)),
        // A new folder counts, too, because its first file may exist before the folder is watched.
        Some("person") => {
            let file = parts.next();
            matches!(file.as_deref(), None | Some("viewed.json" | "comments.json"))
                .then_some(ChangeEvent::Viewed(id))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "00000000-0000-4000-8000-000000000001";

    fn about_path(path: &str) -> Option<ChangeEvent> {
        about(Path::new(path), What::Arrived, Path::new("/w/p/.beads"))
    }

    #[test]
    fn heartbeats_and_messages_do_not_change_a_record() {
        let id = ID.parse().unwrap();
        assert_eq!(
            about_path(&format!("/w/p/.beads/sessions/{ID}/meta.json")),
            Some(ChangeEvent::Session(id))
        );
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}")), Some(ChangeEvent::Session(id)));
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/heartbeat")), None);
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/messages.jsonl")), None);
        assert_eq!(
            about_path(&format!("/w/p/.beads/sessions/{ID}/person/viewed.json")),
            Some(ChangeEvent::Viewed(id))
        );
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/person")), Some(ChangeEvent::Viewed(id)));
        assert_eq!(
            about_path(&format!("/w/p/.beads/sessions/{ID}/person/comments.json")),
            Some(ChangeEvent::Viewed(id))
        );
        assert_eq!(about_path(&format!("/w/p/.beads/sessions/{ID}/person/.tmp")), None);
        assert_eq!(about_path("/w/p/.beads/sessions/index.json"), None);
        assert_eq!(about_path("/w/p/.beads/dolt/manifest"), Some(ChangeEvent::Beads));
    }

    #[test]
    fn only_a_renamed_file_is_known_to_be_complete() {
        let about = |what| about(Path::new("/w/p/.beads/issues.jsonl"), what, Path::new("/w/p/.beads"));
        assert_eq!(about(What::Arrived), Some(ChangeEvent::BeadsFile));
        assert_eq!(
            [about(What::Name), about(What::Content)],
            [Some(ChangeEvent::Beads), Some(ChangeEvent::Beads)]
        );
    }

    #[test]
    fn removing_the_beads_folder_is_a_change_and_touching_it_is_not() {
        assert_eq!(about_path("/w/p/.beads"), Some(ChangeEvent::Folder));
        assert_eq!(about(Path::new("/w/p/.beads"), What::Content, Path::new("/w/p/.beads")), None);
    }
}
