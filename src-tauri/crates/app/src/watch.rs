//! What happens in a project, as events: beads changed by anybody, sessions' records, and what the hosts
//! of live sessions say.
//!
//! The system tells of changed files; what comes in a burst is told once. Nothing is polled.

use crate::{
    changes::{Changes, Depth},
    fleet::{About, FleetWatch, Places, Tender},
    follow::Followers,
    stir::{Stir, Stirs, stirred_by},
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
        mpsc::{Receiver, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long a burst of changes is gathered.
const BURST: Duration = Duration::from_millis(120);
/// How often a claim is renewed while its session lives; bd's leases last five minutes.
const RENEW_EVERY: Duration = Duration::from_secs(120);

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
    use std::sync::mpsc::sync_channel;

    const ID: &str = "00000000-0000-4000-8000-000000000001";

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
