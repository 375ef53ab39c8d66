//! What happens in a project, as events: beads changed by anybody, sessions' records, and what the hosts
//! of live sessions say.
//!
//! The system tells of changed files; what comes in a burst is told once. Nothing is polled.

use crate::{
    changes::{Changes, Depth, Told},
    fleet::{About, FleetWatch, Places, Tender},
    follow::Followers,
};
use bc_bridge::EventRing;
use bc_core::{ids::SessionId, session::Status};
use bc_engine::{BeadChanges, Connection, Project};
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
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long a burst of changes is gathered.
const BURST: Duration = Duration::from_millis(120);
/// How often a claim is renewed while its session lives; bd's leases last five minutes.
const RENEW_EVERY: Duration = Duration::from_secs(120);

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

/// Watches until it is dropped.
pub(crate) struct Watch {
    stirs: SyncSender<Stir>,
    _watched: Changes,
    teller: Option<JoinHandle<()>>,
}

/// The system tells of changes, and nobody is told yet.
pub(crate) struct Watching {
    stirs: Stirs,
    received: Receiver<Stir>,
    watched: Changes,
    changes: BeadChanges,
}

impl Watching {
    pub(crate) fn begin(project: &Project) -> Result<Watching, ApiError> {
        let (stirs, received) = Stirs::new(1024);
        let beads_dir = project.beads_dir.clone();
        let (inside, sender) = (beads_dir.clone(), stirs.clone());
        let failed = |e: io::Error| {
            let root = project.root.display();
            ApiError::new(ErrorCode::Io, format!("changes in {root} cannot be watched: {e}"))
        };
        let watched = Changes::start(move |told| {
            if let Some(stir) = stirred_by(&told, &inside) {
                sender.tell(stir);
            }
        })
        .map_err(failed)?;
        watched.watch(&beads_dir, Depth::All).map_err(failed)?;
        let changes = BeadChanges::open(project);
        for path in changes.paths().into_iter().filter(|path| !path.starts_with(&beads_dir)) {
            // A redirected tracker's folder; one that is missing cannot change.
            let _ = watched.watch(&path, Depth::All);
        }
        Ok(Watching { stirs, received, watched, changes })
    }

    /// Beads changed before the system told of it: whoever has an older list is told.
    pub(crate) fn missed_beads(&self) {
        self.stirs.tell(Stir::Beads);
    }
}

impl Watch {
    pub(crate) fn start(
        watching: Watching,
        root: &Path,
        project: ProjectKey,
        connection: &Arc<Connection>,
        ring: EventRing,
    ) -> Watch {
        let Watching { stirs, received, watched, changes } = watching;
        let sender = stirs.clone();
        let fleet = FleetWatch::start(Places::of(connection), move |about| {
            sender.tell(if about == About::State { Stir::Fleet } else { Stir::FleetPlace });
        });
        let Stirs { sender: stirs, missed } = stirs;
        let tender = Tender::start(project.clone(), Arc::clone(connection), ring.clone());
        tender.stir();
        let followers = Followers::new(project.clone(), ring.clone(), stirs.clone());
        let (root, connection) = (root.to_owned(), Arc::clone(connection));
        let teller =
            Teller { root, project, connection, ring, changes, followers, fleet, tender, missed, mark: None };
        let teller = Some(thread::spawn(move || teller.run(&received)));
        Watch { stirs, _watched: watched, teller }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It holds the connection, whose engine is to have ended when this returns. One that is gone
        // already cannot be told.
        let _ = self.stirs.send(Stir::Stop);
        if let Some(teller) = self.teller.take() {
            // A panic in it has been printed; there is nothing left to end.
            let _ = teller.join();
        }
    }
}

/// Where the system's watchers tell of changes.
#[derive(Clone)]
struct Stirs {
    sender: SyncSender<Stir>,
    /// Whether there was no room for one: nobody knows what it was about.
    missed: Arc<AtomicBool>,
}

impl Stirs {
    fn new(room: usize) -> (Stirs, Receiver<Stir>) {
        let (sender, received) = sync_channel(room);
        (Stirs { sender, missed: Arc::default() }, received)
    }

    /// Never waits: the system's watcher thread must not stand still.
    fn tell(&self, stir: Stir) {
        if let Err(TrySendError::Full(_)) = self.sender.try_send(stir) {
            self.missed.store(true, Ordering::Release);
        }
    }
}

/// What a change is about.
fn stirred_by(told: &Told, beads_dir: &Path) -> Option<Stir> {
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

struct Teller {
    root: PathBuf,
    project: ProjectKey,
    connection: Arc<Connection>,
    ring: EventRing,
    changes: BeadChanges,
    followers: Followers,
    fleet: Option<FleetWatch>,
    tender: Tender,
    missed: Arc<AtomicBool>,
    /// What the tracker said when beads were last told of; before that nobody knows what a client has seen, and the
    /// first change that the system tells of is told.
    mark: Option<String>,
}

impl Teller {
    fn run(mut self, stirs: &Receiver<Stir>) {
        self.follow_all();
        let mut renewed = Instant::now();
        loop {
            // With nobody at work there is no claim to renew, and nothing to wake up for.
            let first = match self.followers.any() {
                true => match stirs.recv_timeout(RENEW_EVERY.saturating_sub(renewed.elapsed())) {
                    Ok(stir) => Some(stir),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
                false => match stirs.recv() {
                    Ok(stir) => Some(stir),
                    Err(_) => return,
                },
            };
            if renewed.elapsed() >= RENEW_EVERY {
                renewed = Instant::now();
                self.connection.renew_claims();
            }
            let Some(first) = first else { continue };
            let Some(burst) = gather(first, stirs, &self.missed) else { return };
            self.look(&burst);
        }
    }

    fn look(&mut self, burst: &Burst) {
        if burst.folder {
            self.ring.publish(None, Event::ProjectsChanged {});
        }
        if !self.root.is_dir() {
            // What is in it is not known, and not gone: the folder may come back.
            return;
        }
        let mut fleet = burst.fleet || burst.fleet_place || burst.all || burst.host_gone;
        if (burst.fleet_place || burst.all)
            && let Some(watch) = &self.fleet
        {
            watch.moved(Places::of(&self.connection));
        }
        if burst.beads || burst.all {
            let mark = self.changes.mark();
            if mark.is_none() || mark != self.mark {
                self.mark = mark;
                self.publish(Event::BeadsChanged {});
                self.connection.look_at_reviews();
                fleet = true;
            }
        }
        if burst.host_gone {
            // A host that was killed leaves a session that says it is active.
            self.connection.recover();
        }
        if burst.all {
            self.follow_all();
            self.publish(Event::Resync {});
        }
        for &id in &burst.sessions {
            let shown = self.connection.api().session_show(SessionRef { id });
            match shown {
                Ok(session) => {
                    if session.meta.status == Status::Active {
                        self.follow(id);
                    }
                    fleet |= session.meta.fleet_agent.is_some();
                    self.publish(Event::SessionChanged { session });
                }
                Err(error) if error.code == ErrorCode::SessionNotFound => {
                    self.publish(Event::SessionDeleted { id });
                }
                // Half written or unreadable: the next change tells.
                Err(_) => {}
            }
        }
        for &id in &burst.viewed {
            self.publish(Event::ViewedChanged { id });
        }
        if fleet && self.connection.has_fleet() {
            self.publish(Event::FleetChanged {});
            self.tender.stir();
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

/// What a burst of changes is about.
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

/// Gathers what comes shortly after the first; `None` once it is over.
fn gather(first: Stir, stirs: &Receiver<Stir>, missed: &AtomicBool) -> Option<Burst> {
    let mut burst = Burst::default();
    let until = Instant::now() + BURST;
    let mut next = Some(first);
    loop {
        match next {
            Some(Stir::Beads) => burst.beads = true,
            Some(Stir::Folder) => (burst.folder, burst.beads) = (true, true),
            Some(Stir::All) => burst.all = true,
            Some(Stir::Fleet) => burst.fleet = true,
            Some(Stir::FleetPlace) => burst.fleet_place = true,
            Some(Stir::Session(id)) => {
                burst.sessions.insert(id);
            }
            Some(Stir::Viewed(id)) => {
                burst.viewed.insert(id);
            }
            Some(Stir::HostGone(id)) => {
                burst.host_gone = true;
                burst.sessions.insert(id);
            }
            Some(Stir::Stop) => return None,
            None => {
                // Whatever found no room came before the last that was taken, or is waited for next.
                burst.all |= missed.swap(false, Ordering::AcqRel);
                return Some(burst);
            }
        }
        next = match stirs.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(stir) => Some(stir),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return None,
        };
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

    #[test]
    fn a_burst_is_told_once() {
        let (sender, stirs) = sync_channel(8);
        let id = ID.parse().unwrap();
        for stir in [Stir::Beads, Stir::Session(id), Stir::Session(id)] {
            sender.send(stir).unwrap();
        }
        let burst = gather(Stir::Beads, &stirs, &AtomicBool::new(false)).unwrap();
        assert_eq!(burst, Burst { beads: true, sessions: BTreeSet::from([id]), ..Burst::default() });
    }

    #[test]
    fn of_more_changes_than_there_is_room_for_everything_is_looked_at_once() {
        let (stirs, received) = Stirs::new(1);
        stirs.tell(Stir::Beads);
        stirs.tell(Stir::Session(ID.parse().unwrap()));
        let burst = || gather(Stir::Beads, &received, &stirs.missed).unwrap();
        assert_eq!([burst().all, burst().all], [true, false]);
    }
}
