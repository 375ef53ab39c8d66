//! Publishes a project's changes as events: changes of beads by any program, of sessions' records and of the
//! fleet, and reports of live sessions' hosts.
//!
//! The watch also renews live sessions' claims, pauses sessions whose host died, and triggers the fleet.
//!
//! The operating system reports file changes. A burst of changes is reported once. Nothing polls.

use crate::{
    change_event::{ChangeEvent, ChangeSender, event_of},
    fleet::{FleetChange, FleetPaths, FleetScheduler, FleetWatch},
    session_followers::Followers,
};
use bc_bridge::EventRing;
use bc_core::{ids::SessionId, session::Status};
use bc_engine::{BeadChanges, Connection, Project};
use bc_store::watch::{Depth, FileWatch};
use bc_wire::{
    ApiError, ErrorCode,
    api::Api,
    app::ProjectKey,
    event::Event,
    session::{SessionListParams, SessionRef},
};
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long a burst of changes is collected. A complete bead file is reported immediately, but at most once
/// in this time.
const BURST: Duration = Duration::from_millis(120);
/// How often the claims of live sessions are renewed. The leases of bd last five minutes.
const RENEW_EVERY: Duration = Duration::from_secs(120);

/// Watches a project until it is dropped.
pub(crate) struct Watch {
    events: SyncSender<ChangeEvent>,
    _watched: FileWatch,
    publisher: Option<JoinHandle<()>>,
}

/// Whether a watch also runs the fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fleet {
    /// The fleet is reconciled after each change, as in a window or a server.
    Runs,
    /// Changes are only reported.
    Shown,
}

/// A file watch that has started, but whose changes are not handled yet.
pub(crate) struct Watching {
    events: ChangeSender,
    received: Receiver<ChangeEvent>,
    watched: FileWatch,
    changes: BeadChanges,
}

impl Watching {
    pub(crate) fn begin(project: &Project) -> Result<Watching, ApiError> {
        let (events, received) = ChangeSender::new(1024);
        let beads_dir = project.beads_dir.clone();
        let (inside, sender) = (beads_dir.clone(), events.clone());
        let failed = |e: io::Error| {
            let root = project.root.display();
            ApiError::new(ErrorCode::Io, format!("changes in {root} cannot be watched: {e}"))
        };
        let watched = FileWatch::start(move |change| {
            if let Some(event) = event_of(&change, &inside) {
                sender.tell(event);
            }
        })
        .map_err(failed)?;
        watched.watch(&beads_dir, Depth::All).map_err(failed)?;
        let changes = BeadChanges::open(project);
        for path in changes.paths().into_iter().filter(|path| !path.starts_with(&beads_dir)) {
            // A missing folder, such as that of a redirected tracker, is not watched, even if it is created
            // later.
            let _ = watched.watch(&path, Depth::All);
        }
        Ok(Watching { events, received, watched, changes })
    }

    /// Reports that beads may have changed before the watch started, so that clients read them again.
    pub(crate) fn missed_beads(&self) {
        self.events.tell(ChangeEvent::Beads);
    }
}

impl Watch {
    pub(crate) fn start(
        watching: Watching,
        root: &Path,
        project: ProjectKey,
        connection: &Arc<Connection>,
        ring: EventRing,
        fleet: Fleet,
    ) -> Watch {
        let Watching { events, received, watched, changes } = watching;
        let sender = events.clone();
        let fleet_watch = FleetWatch::start(FleetPaths::of(connection), move |about| {
            sender.tell(match about {
                FleetChange::State => ChangeEvent::Fleet,
                FleetChange::Place => ChangeEvent::FleetPlace,
            });
        });
        let ChangeSender { sender: events, missed } = events;
        let scheduler = (fleet == Fleet::Runs)
            .then(|| FleetScheduler::start(project.clone(), Arc::clone(connection), ring.clone()));
        scheduler.iter().for_each(FleetScheduler::trigger);
        let followers = Followers::new(project.clone(), ring.clone(), events.clone());
        let publisher = Publisher {
            root: root.to_owned(),
            project,
            connection: Arc::clone(connection),
            ring,
            changes,
            followers,
            fleet: fleet_watch,
            scheduler,
            missed,
            mark: None,
        };
        let publisher = Some(thread::spawn(move || publisher.run(&received)));
        Watch { events, _watched: watched, publisher }
    }

    /// Returns a function that makes the watch read everything again and reconcile the fleet, as after lost
    /// events. It is called when this process becomes the engine.
    pub(crate) fn recheck(&self) -> impl FnOnce() + Send + 'static + use<> {
        let events = self.events.clone();
        move || {
            let _ = events.send(ChangeEvent::All);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread uses the connection to the engine, so it must exit before this function returns. If the
        // thread has already exited, the send fails, which is harmless.
        let _ = self.events.send(ChangeEvent::Stop);
        if let Some(publisher) = self.publisher.take() {
            // A panic of the thread was already printed.
            let _ = publisher.join();
        }
    }
}

/// The thread that handles the changes and publishes the events.
struct Publisher {
    root: PathBuf,
    project: ProjectKey,
    connection: Arc<Connection>,
    ring: EventRing,
    changes: BeadChanges,
    followers: Followers,
    fleet: Option<FleetWatch>,
    /// The scheduler; `None` if the watch does not run the fleet.
    scheduler: Option<FleetScheduler>,
    missed: Arc<AtomicBool>,
    /// The tracker's mark at the last report. `None` before the first report, so that the first file change
    /// is always reported.
    mark: Option<String>,
}

impl Publisher {
    fn run(mut self, events: &Receiver<ChangeEvent>) {
        self.follow_all();
        let (mut renewed, mut handled) = (Instant::now(), None);
        loop {
            // Without live sessions, there are no claims to renew, and the thread sleeps until the next
            // event.
            let first = match self.followers.any() {
                true => match events.recv_timeout(RENEW_EVERY.saturating_sub(renewed.elapsed())) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
                false => match events.recv() {
                    Ok(event) => Some(event),
                    Err(_) => return,
                },
            };
            if renewed.elapsed() >= RENEW_EVERY {
                renewed = Instant::now();
                self.connection.renew_claims();
            }
            let Some(first) = first else { continue };
            let earliest = handled.map_or_else(Instant::now, |handled: Instant| handled + BURST);
            let Some(burst) = gather(first, events, &self.missed, earliest) else { return };
            self.handle(&burst);
            handled = Some(Instant::now());
        }
    }

    fn handle(&mut self, burst: &Burst) {
        if burst.folder {
            self.ring.publish(None, Event::ProjectsChanged {});
        }
        if !self.root.is_dir() {
            // Nothing can be read while the folder is missing. It may be created again.
            return;
        }
        let mut fleet = burst.fleet || burst.fleet_place || burst.all || burst.host_gone;
        if (burst.fleet_place || burst.all)
            && let Some(watch) = &self.fleet
        {
            watch.set_paths(FleetPaths::of(&self.connection));
        }
        if burst.beads || burst.all {
            let mark = self.changes.mark();
            if mark.is_none() || mark != self.mark {
                self.mark = mark;
                self.publish(Event::BeadsChanged {});
                self.connection.notify_reviews();
                fleet = true;
            }
        }
        if burst.host_gone {
            // If the host was killed, its session is still marked as active.
            self.connection.recover();
        }
        if burst.all {
            self.follow_all();
            self.publish(Event::Resync {});
        }
        let mut at_place = false;
        for &id in &burst.sessions {
            match self.connection.api().session_show(SessionRef { id }) {
                Ok(session) => {
                    if session.meta.status == Status::Active {
                        self.follow(id);
                    }
                    fleet |= session.meta.fleet_agent.is_some();
                    at_place |= session.meta.place.is_some();
                    self.publish(Event::SessionChanged { session });
                }
                Err(error) if error.code == ErrorCode::SessionNotFound => {
                    self.publish(Event::SessionDeleted { id });
                }
                // The record is incomplete or unreadable. Its next change is handled.
                Err(_) => {}
            }
        }
        // Agents at a place can change beads on a Dolt server, which changes no file on this machine.
        if at_place && self.changes.mark().is_none() {
            self.publish(Event::BeadsChanged {});
            self.connection.notify_reviews();
            fleet = true;
        }
        for &id in &burst.viewed {
            self.publish(Event::ViewedChanged { id });
        }
        if fleet && self.connection.has_fleet() {
            self.publish(Event::FleetChanged {});
            self.scheduler.iter().for_each(FleetScheduler::trigger);
        }
    }

    fn follow_all(&self) {
        let params = SessionListParams { status: vec![Status::Active] };
        let active = self.connection.api().session_list(params).map(|list| list.sessions);
        for session in active.unwrap_or_default() {
            self.follow(session.meta.id);
        }
    }

    fn follow(&self, id: SessionId) {
        if let Ok(socket) = self.connection.host_socket(id) {
            self.followers.follow(id, socket);
        }
    }

    fn publish(&self, event: Event) {
        self.ring.publish(Some(self.project.clone()), event);
    }
}

/// The kinds of changes within one burst.
#[derive(Debug, Default, PartialEq, Eq)]
struct Burst {
    beads: bool,
    folder: bool,
    all: bool,
    host_gone: bool,
    fleet: bool,
    fleet_place: bool,
    sessions: BTreeSet<SessionId>,
    viewed: BTreeSet<SessionId>,
}

/// The end of the burst after this event. A file that was renamed into place is complete, so the burst ends
/// as soon as a report is allowed.
fn end_of_burst(event: &ChangeEvent, until: Instant, earliest: Instant) -> Instant {
    if matches!(event, ChangeEvent::BeadsFile) { until.min(earliest) } else { until }
}

/// Collects a burst of changes that begins with `first`. `None` if the watch ends.
fn gather(
    first: ChangeEvent,
    events: &Receiver<ChangeEvent>,
    missed: &AtomicBool,
    earliest: Instant,
) -> Option<Burst> {
    let mut burst = Burst::default();
    let mut until = Instant::now() + BURST;
    let mut next = Some(first);
    loop {
        if let Some(event) = &next {
            until = end_of_burst(event, until, earliest);
        }
        match next {
            Some(ChangeEvent::Beads | ChangeEvent::BeadsFile) => burst.beads = true,
            Some(ChangeEvent::Folder) => (burst.folder, burst.beads) = (true, true),
            Some(ChangeEvent::All) => burst.all = true,
            Some(ChangeEvent::Fleet) => burst.fleet = true,
            Some(ChangeEvent::FleetPlace) => burst.fleet_place = true,
            Some(ChangeEvent::Session(id)) => {
                burst.sessions.insert(id);
            }
            Some(ChangeEvent::Viewed(id)) => {
                burst.viewed.insert(id);
            }
            Some(ChangeEvent::HostGone(id)) => {
                burst.host_gone = true;
                burst.sessions.insert(id);
            }
            Some(ChangeEvent::Stop) => return None,
            None => {
                // If an event was dropped in the meantime, everything must be read again.
                burst.all |= missed.swap(false, Ordering::AcqRel);
                return Some(burst);
            }
        }
        next = match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    const ID: &str = "00000000-0000-4000-8000-000000000001";

    #[test]
    fn a_burst_is_reported_once() {
        let (sender, events) = sync_channel(8);
        let id = ID.parse().unwrap();
        for event in [ChangeEvent::Beads, ChangeEvent::Session(id), ChangeEvent::Session(id)] {
            sender.send(event).unwrap();
        }
        let burst = gather(ChangeEvent::Beads, &events, &AtomicBool::new(false), Instant::now()).unwrap();
        assert_eq!(burst, Burst { beads: true, sessions: BTreeSet::from([id]), ..Burst::default() });
    }

    #[test]
    fn a_complete_file_ends_a_burst_at_the_earliest_time_of_the_next_report() {
        let now = Instant::now();
        let (until, soon, late) = (now + BURST, now + BURST / 3, now + 2 * BURST);
        assert_eq!(end_of_burst(&ChangeEvent::BeadsFile, until, now), now);
        assert_eq!(end_of_burst(&ChangeEvent::BeadsFile, until, soon), soon);
        assert_eq!(end_of_burst(&ChangeEvent::BeadsFile, until, late), until);
        assert_eq!(end_of_burst(&ChangeEvent::Beads, until, now), until);
    }

    #[test]
    fn an_overflow_of_changes_causes_one_full_check() {
        let (events, received) = ChangeSender::new(1);
        events.tell(ChangeEvent::Beads);
        events.tell(ChangeEvent::Session(ID.parse().unwrap()));
        let burst = || gather(ChangeEvent::Beads, &received, &events.missed, Instant::now()).unwrap();
        assert_eq!([burst().all, burst().all], [true, false]);
    }
}
