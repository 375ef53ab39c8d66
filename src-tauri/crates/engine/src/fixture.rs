//! An engine on a temporary project, for tests.

use crate::{
    context::{Context, Programs, Project, now},
    engine::Engine,
};
use bc_core::{
    Timestamp,
    ids::SessionId,
    session::{CloseReason, Draft, Event, Meta, PauseReason},
};
use bc_store::session::SessionLock;
use bc_testkit::wait::wait_for;
use std::{path::PathBuf, sync::Arc, time::Duration};
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) engine: Engine,
    pub(crate) ctx: Arc<Context>,
}

impl Fixture {
    /// A project with an empty `.beads`.
    pub(crate) fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        Fixture::open(folder)
    }

    /// Reopens the project, as after a restart of the engine.
    pub(crate) fn reopened(self) -> Fixture {
        let Fixture { folder, engine, ctx } = self;
        drop((engine, ctx));
        Fixture::open(folder)
    }

    fn open(folder: TempDir) -> Fixture {
        let root: PathBuf = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        bc_store::file::create_dir(&root.join(".beads")).unwrap();
        let project = Project { beads_dir: root.join(".beads"), root: root.clone(), main_tree: None };
        let programs = Programs { console: root.join("beads-console"), sim: root.join("sim") };
        let store = bc_store::SessionStore::open(&project.beads_dir).unwrap();
        let engine = Engine::owning(project, programs, store, None);
        engine.reconcile().unwrap();
        let ctx = Arc::clone(&engine.ctx);
        Fixture { folder, engine, ctx }
    }

    /// Adds a draft that was created `hours_ago` hours before now.
    pub(crate) fn draft(&self, n: u128, hours_ago: i64) -> SessionId {
        self.session(n, hours_ago, &[])
    }

    /// Adds a session that was created `hours_ago` hours before now, with these events at its creation time.
    pub(crate) fn session(&self, n: u128, hours_ago: i64, events: &[Event]) -> SessionId {
        let at = |hour: i64| -> Timestamp { now() - chrono::Duration::hours(hours_ago - hour) };
        let id = SessionId(Uuid::from_u128(n));
        let mut meta = Meta::draft(Draft::new(id, "proj-1".parse().unwrap(), at(0)));
        for event in events {
            meta.transition(*event, at(0)).unwrap();
        }
        drop(self.ctx.store.create(&meta).unwrap());
        id
    }

    pub(crate) fn paused(&self, n: u128, hours_ago: i64) -> SessionId {
        self.session(n, hours_ago, &[Event::Start, Event::Pause(PauseReason::User)])
    }

    pub(crate) fn closed(&self, n: u128, hours_ago: i64) -> SessionId {
        self.session(n, hours_ago, &[Event::Start, Event::Close(CloseReason::User)])
    }

    /// Takes the session's write lock. The lock can be unavailable briefly, because a child process of
    /// another test holds a copy of it between fork and exec.
    pub(crate) fn session_lock(&self, id: SessionId) -> SessionLock {
        let lock = || self.ctx.store.session(id).try_lock().unwrap();
        wait_for("the session's lock", Duration::from_secs(10), lock)
    }

    pub(crate) fn meta(&self, id: SessionId) -> Meta {
        self.ctx.store.session(id).meta().unwrap()
    }
}
