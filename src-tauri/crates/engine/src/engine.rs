//! The engine of one project: its shared state and the operations that every module needs.

use crate::{
    dead_hosts,
    errors::{store_error, tracker_error},
    fleet::{self, queue::QueueWaker},
    index_sync::IndexSync,
    programs::Programs,
    project::Project,
    read_ahead::ReadAhead,
    session,
};
use bc_beads::{Actor, Tracker};
use bc_core::{
    Timestamp,
    ids::{ProjectId, SessionId},
    session::{Meta, Status},
};
use bc_search::SearchIndex;
use bc_store::SessionStore;
use bc_wire::ApiError;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// The engine of one project.
pub struct Engine {
    pub(crate) project: Project,
    pub(crate) programs: Programs,
    pub(crate) store: SessionStore,
    tracker: OnceLock<Arc<dyn Tracker>>,
    /// Locked while the tracker is opened; holds a tracker that is already being read.
    read_ahead: Mutex<Option<ReadAhead>>,
    user: OnceLock<String>,
    /// `Ok` if this process holds the engine's lock; otherwise the reason why it may only read.
    may_write: Result<(), ApiError>,
    /// The search cache, opened on first use.
    search: Mutex<Option<SearchIndex>>,
    /// A second handle to the search cache, so that reading one session does not wait for a full search.
    pages: Mutex<Option<SearchIndex>>,
    /// The cached data for timelines.
    pub(crate) looks: session::Looks,
    /// Serializes changes of sessions: a decision must still hold when it is carried out.
    sessions: Mutex<()>,
    /// Serializes claims: not every tracker program supports concurrent claims.
    claims: Mutex<()>,
    /// Serializes writes of viewed files, independently of session starts.
    viewed: Mutex<()>,
    /// Serializes changes of worktrees and branches: git fails on a worktree that is only partly created.
    worktrees: Mutex<()>,
    index_sync: IndexSync,
    /// When old sessions must be cleaned up next, as determined when the project was opened.
    next_sweep: OnceLock<Option<Timestamp>>,
    /// The fleet's in-memory state.
    pub(crate) fleet: fleet::RuntimeState,
    /// Wakes the merging thread.
    pub(crate) queue_waker: QueueWaker,
}

impl Engine {
    /// The engine of a project whose lock this process holds, before [`Engine::reconcile`].
    pub(crate) fn owning(
        project: Project,
        programs: Programs,
        store: SessionStore,
        read_ahead: Option<ReadAhead>,
    ) -> Engine {
        Engine { read_ahead: Mutex::new(read_ahead), ..Engine::new(project, programs, store, Ok(())) }
    }

    /// Pauses sessions whose host died, and cleans up. Until then, only the read-ahead of beads uses the engine.
    pub(crate) fn reconcile(&self) -> Result<(), ApiError> {
        // List once: there may be ten thousand sessions.
        let listing = self.store.list().map_err(store_error)?;
        let recovered = dead_hosts::pause_among(self, &listing.sessions)?;
        let swept = session::sweep_of(self, &listing.sessions, now());
        match recovered || swept.changed() {
            true => self.sync_index()?,
            false => self.store.index_these(&listing).map_err(store_error)?,
        }
        let _ = self.next_sweep.set(swept.next);
        crate::temporary_files::remove(&self.project);
        Ok(())
    }

    /// A read-only view of a project; `why` is the error for every attempt to write.
    pub(crate) fn read_only(project: Project, programs: Programs, why: ApiError) -> Engine {
        let store = SessionStore::at(&project.beads_dir);
        Engine::new(project, programs, store, Err(why))
    }

    fn new(
        project: Project,
        programs: Programs,
        store: SessionStore,
        may_write: Result<(), ApiError>,
    ) -> Engine {
        Engine {
            project,
            programs,
            store,
            tracker: OnceLock::new(),
            read_ahead: Mutex::new(None),
            user: OnceLock::new(),
            may_write,
            search: Mutex::new(None),
            pages: Mutex::new(None),
            looks: session::Looks::default(),
            sessions: Mutex::new(()),
            claims: Mutex::new(()),
            viewed: Mutex::new(()),
            worktrees: Mutex::new(()),
            index_sync: IndexSync::default(),
            next_sweep: OnceLock::new(),
            fleet: fleet::RuntimeState::default(),
            queue_waker: QueueWaker::default(),
        }
    }

    /// The project's tracker. It is opened on first use, because opening it runs the tracker's program.
    pub(crate) fn tracker(&self) -> Result<&dyn Tracker, ApiError> {
        if let Some(tracker) = self.tracker.get() {
            return Ok(tracker.as_ref());
        }
        let mut ahead = self.read_ahead.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tracker) = self.tracker.get() {
            return Ok(tracker.as_ref());
        }
        let opened = match ahead.take().and_then(|ahead| ahead.tracker()) {
            Some(tracker) => tracker,
            None => {
                bc_beads::open(&self.project.root, &self.project.environment()).map_err(tracker_error)?.into()
            }
        };
        Ok(self.tracker.get_or_init(|| opened).as_ref())
    }

    /// Pauses sessions whose host died since the project was opened.
    pub(crate) fn recover(&self) {
        let _sessions = self.session_lock();
        // A session that cannot be recovered now is retried when the project is opened next.
        let _ = dead_hosts::pause_all(self);
    }

    /// Renews the claims of live sessions: bd considers a claim stale after some minutes.
    pub(crate) fn renew_claims(&self) {
        let Ok(tracker) = self.tracker() else { return };
        for meta in self.metas().unwrap_or_default().into_iter().filter(|m| m.status == Status::Active) {
            let actor = meta.actor.as_deref().and_then(|name| name.parse().ok());
            if let (Some(bead), Some(actor)) = (&meta.bead_id, actor) {
                // If the claim was taken away, the bead shows it.
                let _ = tracker.renew_claim(bead, &actor);
            }
        }
    }

    /// Returns an error if this process may only read.
    pub(crate) fn writable(&self) -> Result<(), ApiError> {
        self.may_write.clone()
    }

    /// When old sessions must be cleaned up next, as determined when the project was opened.
    pub(crate) fn next_sweep(&self) -> Option<Timestamp> {
        self.next_sweep.get().copied().flatten()
    }

    /// Held while sessions change.
    pub(crate) fn session_lock(&self) -> MutexGuard<'_, ()> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a bead is claimed for a session.
    pub(crate) fn claim_lock(&self) -> MutexGuard<'_, ()> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a file of a change is marked as viewed.
    pub(crate) fn viewed_lock(&self) -> MutexGuard<'_, ()> {
        self.viewed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a worktree is created or removed, or a branch is checked out. Never take the session lock while
    /// holding it.
    pub(crate) fn worktree_lock(&self) -> MutexGuard<'_, ()> {
        self.worktrees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The search cache.
    pub(crate) fn search_index(&self) -> MutexGuard<'_, Option<SearchIndex>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache of one session's messages and metrics.
    pub(crate) fn page_index(&self) -> MutexGuard<'_, Option<SearchIndex>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The records of all readable sessions; unreadable ones are reported by the commands that list.
    pub(crate) fn metas(&self) -> Result<Vec<Meta>, ApiError> {
        Ok(self.store.list().map_err(store_error)?.sessions)
    }

    /// The project's id: the tracker's own, or else the session store's.
    pub(crate) fn project_id(&self) -> Result<ProjectId, ApiError> {
        let trackers = self.tracker().ok().and_then(|t| t.project_id().ok().flatten());
        self.store.project_id(trackers.as_ref()).map_err(store_error)
    }

    /// Brings `index.json` up to date with the sessions' records.
    pub(crate) fn sync_index(&self) -> Result<(), ApiError> {
        self.index_sync.sync(&self.store).map_err(store_error)
    }

    /// Like [`Engine::sync_index`], for one of several changes in a row: the update may be left to a later call.
    pub(crate) fn sync_index_soon(&self) -> Result<(), ApiError> {
        self.index_sync.sync_soon(&self.store).map_err(store_error)
    }

    /// Updates the index if a previous [`Engine::sync_index_soon`] left it behind.
    pub(crate) fn sync_index_if_behind(&self) -> Result<(), ApiError> {
        self.index_sync.sync_if_behind(&self.store).map_err(store_error)
    }

    /// The repository's main tree.
    pub(crate) fn main_tree(&self) -> Result<PathBuf, ApiError> {
        match &self.project.main_tree {
            Some(tree) => Ok(tree.clone()),
            None => Ok(self.project.repo()?.main_root().to_owned()),
        }
    }

    /// The user of this machine, as recorded in the tracker.
    pub(crate) fn user_actor(&self) -> Actor {
        Actor::for_user(self.user.get_or_init(|| user_name(&self.project)))
    }

    /// A session's identity in the tracker.
    pub(crate) fn session_actor(&self, id: SessionId) -> Actor {
        Actor::for_session(self.user_actor().user(), id)
    }
}

/// The user's name in the tracker, looked up in the same order as bd does, so that claims by hand and by this
/// program have the same owner.
pub(crate) fn user_name(project: &Project) -> String {
    let variable = |key: &str| std::env::var(key).ok();
    let of_git = || project.repo().ok()?.user_name();
    variable("BD_ACTOR")
        .or_else(|| variable("BEADS_ACTOR"))
        .or_else(of_git)
        .or_else(|| ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable))
        // A session's actor contains its user: `ann/1a2b3c4d` belongs to ann.
        .map(|name| name.split('/').next().unwrap_or_default().trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "user".to_owned())
}

/// The current time with the local offset.
pub(crate) fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}
