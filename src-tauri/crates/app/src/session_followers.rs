//! Publishes the reports of live sessions' hosts as events: recorded messages, pieces of answers, and changes
//! of the session.

use crate::change_event::ChangeEvent;
use bc_bridge::EventRing;
use bc_core::{
    ids::SessionId,
    message::{VIEW_TEXT_MAX, shorten},
};
use bc_host::{
    Client,
    protocol::{self, Happening},
};
use bc_wire::{app::ProjectKey, event::Event};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::SyncSender,
    },
    thread,
};

/// The threads that follow the hosts of one project's sessions.
pub(crate) struct Followers {
    project: ProjectKey,
    ring: EventRing,
    changes: SyncSender<ChangeEvent>,
    followed: Arc<Mutex<HashSet<SessionId>>>,
    ended: Arc<AtomicBool>,
}

impl Drop for Followers {
    /// Makes each follower stop at its host's next report. If the project is opened again, new followers
    /// report its sessions, and each change must be reported only once.
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
    }
}

impl Followers {
    pub(crate) fn new(project: ProjectKey, ring: EventRing, changes: SyncSender<ChangeEvent>) -> Followers {
        Followers { project, ring, changes, followed: Arc::default(), ended: Arc::default() }
    }

    pub(crate) fn any(&self) -> bool {
        !lock(&self.followed).is_empty()
    }

    /// Follows a session, unless it is already followed.
    pub(crate) fn follow(&self, id: SessionId, socket: PathBuf) {
        if !lock(&self.followed).insert(id) {
            return;
        }
        let follower = Follower {
            id,
            project: self.project.clone(),
            ring: self.ring.clone(),
            changes: self.changes.clone(),
            ended: Arc::clone(&self.ended),
        };
        let followed = Arc::clone(&self.followed);
        thread::spawn(move || {
            follower.run(&socket);
            lock(&followed).remove(&id);
            // An error is ignored: the watch has ended. The call may block while the channel is full, which
            // is harmless on this thread.
            let _ = follower.changes.send(ChangeEvent::HostGone(id));
        });
    }
}

struct Follower {
    id: SessionId,
    project: ProjectKey,
    ring: EventRing,
    changes: SyncSender<ChangeEvent>,
    ended: Arc<AtomicBool>,
}

impl Follower {
    /// Publishes a host's reports until the host exits, the connection breaks or the project is closed.
    fn run(&self, socket: &Path) {
        let Ok(mut events) = Client::connect(socket).and_then(Client::subscribe) else { return };
        let mut last: Option<u64> = None;
        while let Ok(Some(event)) = events.next_event() {
            if self.ended.load(Ordering::Acquire) {
                return;
            }
            if last.is_some_and(|last| event.seq != last + 1) {
                // This follower was too slow and has lost events, so clients must reload.
                self.publish(Event::Resync {});
            }
            last = Some(event.seq);
            self.tell(event);
        }
    }

    fn tell(&self, event: protocol::Event) {
        let session_id = self.id;
        match event.what {
            Happening::Message { mut message } => {
                shorten(&mut message, VIEW_TEXT_MAX);
                self.publish(Event::MessageUpserted { session_id, message: *message });
            }
            Happening::Delta { message_id, index, text, last } => {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                self.publish(Event::StreamDelta { session_id, message_id, index, text, last });
            }
            // Only hosts of older versions send this event. It lacks the message, so clients must reload.
            Happening::LongMessage { .. } => self.publish(Event::Resync {}),
            Happening::Activity { .. }
            | Happening::PermissionAsked { .. }
            | Happening::PermissionClosed { .. }
            | Happening::Held { .. }
            | Happening::Conversation { .. }
            | Happening::Footer
            | Happening::Exited { .. }
            | Happening::Status { .. }
            | Happening::Trouble { .. } => {
                let _ = self.changes.send(ChangeEvent::Session(session_id));
            }
        }
    }

    fn publish(&self, event: Event) {
        self.ring.publish(Some(self.project.clone()), event);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
