//! The shared state of an open project, which every use case takes: paths, programs, session store, tracker,
//! clock, locks, and in-memory state. It does not depend on any use case; [`crate::Engine`] combines the use
//! cases.
//!
//! May use: no other folder.

pub(crate) mod audit_log;
pub(crate) mod bead_list;
mod bead_queries;
pub(crate) mod diffs;
pub(crate) mod errors;
pub(crate) mod fleet_runtime;
pub(crate) mod git_exclude;
mod index_sync;
mod locks;
pub(crate) mod next_beads;
mod numbers;
pub(crate) mod paths;
mod programs;
mod project;
mod queue_waker;
mod read_ahead;
mod recorded_tracker;
pub(crate) mod secret_redaction;
pub(crate) mod temporary_files;
mod time;
mod timeline_cache;
mod user;

pub(crate) use bead_queries::BeadQueries;
pub(crate) use fleet_runtime::Decision;
pub(crate) use locks::{Claims, SessionGuard, Sessions, ViewedFiles, WorktreeGuard, lock};
pub(crate) use numbers::count;
pub use programs::Programs;
pub use project::Project;
pub(crate) use queue_waker::QueueWaker;
pub use read_ahead::ReadAhead;
pub(crate) use recorded_tracker::RecordedTracker;
pub(crate) use time::now;
#[cfg(test)]
pub(crate) use timeline_cache::TIMELINES_KEPT;
pub(crate) use timeline_cache::{CachedRecords, TimelineCache};
pub(crate) use user::user_name;

use audit_log::AuditLog;
use bc_beads::{Actor, Tracker};
use bc_core::{
    bead::BeadDetail,
    ids::{BeadId, ProjectId, SessionId},
    session::Meta,
};
use bc_search::SearchIndex;
use bc_store::SessionStore;
use bc_wire::{ApiError, ErrorCode};
use errors::{bead_if_found, store_error, tracker_error};
use fleet_runtime::FleetRuntime;
use index_sync::IndexSync;
use locks::Locks;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock},
};

/// The actor under which the session's agent changes beads; `None` if the record has no valid actor.
pub(crate) fn recorded_actor(meta: &Meta) -> Option<Actor> {
    meta.actor.as_deref()?.parse().ok()
}

/// The context of an open project for one of its users.
pub(crate) struct Context {
    shared: Arc<SharedContext>,
    /// The person for whom the command runs; `None` means this machine's user.
    person: Option<Arc<str>>,
}

/// The state of an open project that all its users share.
pub(crate) struct SharedContext {
    pub(crate) project: Project,
    pub(crate) programs: Programs,
    pub(crate) store: SessionStore,
    tracker: OnceLock<Arc<dyn Tracker>>,
    /// Locked while the tracker is opened. Contains a tracker that a starting window is already reading.
    read_ahead: Mutex<Option<ReadAhead>>,
    user: OnceLock<String>,
    /// `Ok` if this process holds the engine's lock; otherwise the reason why it may only read.
    may_write: Result<(), ApiError>,
    /// The search cache, opened on first use.
    search: Mutex<Option<SearchIndex>>,
    /// A second handle to the search cache, so that reading one session does not wait for a full search.
    pages: Mutex<Option<SearchIndex>>,
    pub(crate) timelines: TimelineCache,
    locks: Locks,
    index_sync: IndexSync,
    pub(crate) fleet: FleetRuntime,
    pub(crate) queue_waker: QueueWaker,
    pub(crate) bead_queries: BeadQueries,
}

impl Deref for Context {
    type Target = SharedContext;

    fn deref(&self) -> &SharedContext {
        &self.shared
    }
}

impl Context {
    /// The context of a process that holds the project's engine lock, and can therefore write.
    pub(crate) fn owning(
        project: Project,
        programs: Programs,
        store: SessionStore,
        read_ahead: Option<ReadAhead>,
    ) -> Context {
        let read_ahead = Mutex::new(read_ahead);
        Context::of(SharedContext { read_ahead, ..SharedContext::new(project, programs, store, Ok(())) })
    }

    /// A read-only context. Every attempt to write returns the error `why`.
    pub(crate) fn read_only(project: Project, programs: Programs, why: ApiError) -> Context {
        let store = SessionStore::at(&project.beads_dir);
        Context::of(SharedContext::new(project, programs, store, Err(why)))
    }

    /// A read-only context of the project that contains `start`, for commands that do not need an engine.
    pub(crate) fn view(start: &Path, programs: Programs) -> Result<Context, ApiError> {
        let project = Project::find(start)?;
        let why = ApiError::new(ErrorCode::Internal, "this command is read-only");
        Ok(Context::read_only(project, programs, why))
    }

    fn of(shared: SharedContext) -> Context {
        Context { shared: Arc::new(shared), person: None }
    }

    /// Returns this context for a person with access, under whose name changes are recorded.
    pub(crate) fn acting_for(&self, person: &str) -> Context {
        Context { shared: Arc::clone(&self.shared), person: Some(person.into()) }
    }

    /// The person for whom the command runs; `None` means this machine's user.
    pub(crate) fn person(&self) -> Option<&str> {
        self.person.as_deref()
    }

    /// This machine's user, or the person for whom the command runs, as recorded in the tracker.
    pub(crate) fn user_actor(&self) -> Actor {
        match self.person() {
            Some(person) => Actor::for_user(person),
            None => Actor::for_user(self.user.get_or_init(|| user_name(&self.project))),
        }
    }

    /// A session's actor in the tracker: the user or person, and the first characters of the session's id.
    pub(crate) fn session_actor(&self, id: SessionId) -> Actor {
        Actor::for_session(self.user_actor().user(), id)
    }
}

impl SharedContext {
    fn new(
        project: Project,
        programs: Programs,
        store: SessionStore,
        may_write: Result<(), ApiError>,
    ) -> SharedContext {
        SharedContext {
            project,
            programs,
            store,
            tracker: OnceLock::new(),
            read_ahead: Mutex::new(None),
            user: OnceLock::new(),
            may_write,
            search: Mutex::new(None),
            pages: Mutex::new(None),
            timelines: TimelineCache::default(),
            locks: Locks::default(),
            index_sync: IndexSync::default(),
            fleet: FleetRuntime::default(),
            queue_waker: QueueWaker::default(),
            bead_queries: BeadQueries::default(),
        }
    }

    /// The project's tracker. It is opened on first use, because opening it can run the tracker's program.
    pub(crate) fn tracker(&self) -> Result<&dyn Tracker, ApiError> {
        if let Some(tracker) = self.tracker.get() {
            return Ok(tracker.as_ref());
        }
        let mut ahead = lock(&self.read_ahead);
        if let Some(tracker) = self.tracker.get() {
            return Ok(tracker.as_ref());
        }
        let opened = match ahead.take().and_then(|ahead| ahead.tracker()) {
            Some(tracker) => tracker,
            None => {
                bc_beads::open(&self.project.root, &self.project.environment()).map_err(tracker_error)?.into()
            }
        };
        let recorded = RecordedTracker::new(opened, AuditLog::at(&self.project.beads_dir));
        Ok(self.tracker.get_or_init(|| Arc::new(recorded)).as_ref())
    }

    /// Fails if this process may only read.
    pub(crate) fn writable(&self) -> Result<(), ApiError> {
        self.may_write.clone()
    }

    /// Takes the lock on sessions, so that a decision about them is still valid when it takes effect.
    pub(crate) fn session_lock(&self) -> SessionGuard<'_> {
        self.locks.sessions()
    }

    /// Takes the lock on worktrees and checked-out branches, because git fails on a worktree that is only
    /// partly created.
    pub(crate) fn worktree_lock(&self) -> WorktreeGuard<'_> {
        self.locks.worktrees(&self.project)
    }

    /// Returns the tracker with the lock on claims held, because not every tracker program supports
    /// concurrent claims.
    pub(crate) fn claims(&self) -> Result<Claims<'_>, ApiError> {
        Ok(self.locks.claims(self.tracker()?))
    }

    /// Takes the lock on the files in the sessions' `person` folders: viewed files, comments and unsent
    /// text. It never waits for a session start.
    pub(crate) fn viewed_lock(&self) -> MutexGuard<'_, ViewedFiles> {
        self.locks.viewed()
    }

    pub(crate) fn search_index(&self) -> MutexGuard<'_, Option<SearchIndex>> {
        lock(&self.search)
    }

    /// Locks the second handle to the search cache, which serves queries on a single session.
    pub(crate) fn page_index(&self) -> MutexGuard<'_, Option<SearchIndex>> {
        lock(&self.pages)
    }

    /// A bead of the tracker. Fails if the tracker does not have it.
    pub(crate) fn bead(&self, id: &BeadId) -> Result<BeadDetail, ApiError> {
        self.tracker()?.show(id).map_err(tracker_error)
    }

    /// The tracker's bead with this id; `None` if the tracker does not have it.
    pub(crate) fn find_bead(&self, id: &BeadId) -> Result<Option<BeadDetail>, ApiError> {
        bead_if_found(self.tracker()?.show(id))
    }

    /// A session's record.
    pub(crate) fn meta(&self, id: SessionId) -> Result<Meta, ApiError> {
        self.store.session(id).meta().map_err(store_error)
    }

    /// The records of all readable sessions. The commands that list sessions report unreadable records.
    pub(crate) fn metas(&self) -> Result<Vec<Meta>, ApiError> {
        Ok(self.store.list().map_err(store_error)?.sessions)
    }

    /// The project's id: the tracker's own, or else the session store's.
    pub(crate) fn project_id(&self) -> Result<ProjectId, ApiError> {
        let trackers = self.tracker().ok().and_then(|t| t.project_id().ok().flatten());
        self.store.project_id(trackers.as_ref()).map_err(store_error)
    }

    /// Updates `index.json` to the sessions' current records.
    pub(crate) fn sync_index(&self) -> Result<(), ApiError> {
        self.index_sync.sync(&self.store).map_err(store_error)
    }

    /// Like [`Context::sync_index`], for one of several changes in a row: unless the index is old, a later
    /// call updates it.
    pub(crate) fn sync_index_soon(&self) -> Result<(), ApiError> {
        self.index_sync.sync_soon(&self.store).map_err(store_error)
    }

    /// Updates the index if a previous [`Context::sync_index_soon`] skipped the update.
    pub(crate) fn sync_index_if_behind(&self) -> Result<(), ApiError> {
        self.index_sync.sync_if_behind(&self.store).map_err(store_error)
    }

    /// The folder of the repository's main tree. Fails outside git.
    pub(crate) fn main_tree(&self) -> Result<PathBuf, ApiError> {
        match &self.project.main_tree {
            Some(tree) => Ok(tree.clone()),
            None => Ok(self.project.repo()?.main_root().to_owned()),
        }
    }
}
