//! One project's engine: what it holds, and what every part of it needs.

use crate::{
    ahead::ReadAhead,
    errors::{store_error, tracker_error},
    fleet::{self, queue::Bell},
    indexing::Indexing,
    programs::Programs,
    project::Project,
    recover, session,
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

/// The application for one project.
pub struct Engine {
    pub(crate) project: Project,
    pub(crate) programs: Programs,
    pub(crate) store: SessionStore,
    tracker: OnceLock<Arc<dyn Tracker>>,
    /// Held while the tracker is opened; a tracker that is being read already.
    ahead: Mutex<Option<ReadAhead>>,
    user: OnceLock<String>,
    /// Whether this process may write: it holds the engine's lock, or why it does not.
    may_write: Result<(), ApiError>,
    /// The cache that is searched; opened when it is first needed.
    search: Mutex<Option<SearchIndex>>,
    /// The same cache, opened a second time: who reads one session does not wait for a search over all.
    pages: Mutex<Option<SearchIndex>>,
    /// What was read of sessions whose time is looked at.
    pub(crate) looks: session::Looks,
    /// One change of sessions at a time: what was decided on must still be true when it is done.
    turn: Mutex<()>,
    /// Beads are claimed one at a time: not every tracker's program stands several at once.
    claiming: Mutex<()>,
    /// Held while it is marked what somebody has looked at: nobody waits for a start with that.
    marking: Mutex<()>,
    /// Worktrees are made and taken away, and branches checked out, one at a time: git stumbles over a worktree that
    /// is half made.
    making: Mutex<()>,
    indexing: Indexing,
    /// When old sessions are next to be cleaned up, as found at opening.
    next_sweep: OnceLock<Option<Timestamp>>,
    /// What is remembered of the fleet.
    pub(crate) fleet: fleet::Memory,
    /// Wakes whoever merges here.
    pub(crate) queue_bell: Bell,
}

impl Engine {
    /// The engine of a project whose lock this process holds, before it is settled.
    pub(crate) fn own(
        project: Project,
        programs: Programs,
        store: SessionStore,
        ahead: Option<ReadAhead>,
    ) -> Engine {
        Engine { ahead: Mutex::new(ahead), ..Engine::over(project, programs, store, Ok(())) }
    }

    /// Recovers sessions whose host died, and cleans up. Before this nobody but the reader of beads has the engine.
    pub(crate) fn settle(&self) -> Result<(), ApiError> {
        // One look at all of them: there may be ten thousand.
        let listing = self.store.list().map_err(store_error)?;
        let recovered = recover::recover_of(self, &listing.sessions)?;
        let swept = session::sweep_of(self, &listing.sessions, now());
        match recovered || swept.changed() {
            true => self.sync_index()?,
            false => self.store.index_these(&listing).map_err(store_error)?,
        }
        let _ = self.next_sweep.set(swept.next);
        Ok(())
    }

    /// A view of a project that cannot be written, and why.
    pub(crate) fn reader(project: Project, programs: Programs, why: ApiError) -> Engine {
        let store = SessionStore::at(&project.beads_dir);
        Engine::over(project, programs, store, Err(why))
    }

    fn over(
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
            ahead: Mutex::new(None),
            user: OnceLock::new(),
            may_write,
            search: Mutex::new(None),
            pages: Mutex::new(None),
            looks: session::Looks::default(),
            turn: Mutex::new(()),
            claiming: Mutex::new(()),
            marking: Mutex::new(()),
            making: Mutex::new(()),
            indexing: Indexing::default(),
            next_sweep: OnceLock::new(),
            fleet: fleet::Memory::default(),
            queue_bell: Bell::default(),
        }
    }

    /// The project's tracker; opened when it is first needed, because that runs its program.
    pub(crate) fn tracker(&self) -> Result<&dyn Tracker, ApiError> {
        if let Some(tracker) = self.tracker.get() {
            return Ok(tracker.as_ref());
        }
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
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
        let _turn = self.turn();
        // What cannot be recovered now is tried again when the project is opened next.
        let _ = recover::recover(self);
    }

    /// Renews the claims of live sessions: bd takes a claim for stale after some minutes.
    pub(crate) fn renew_claims(&self) {
        let Ok(tracker) = self.tracker() else { return };
        for meta in self.metas().unwrap_or_default().into_iter().filter(|m| m.status == Status::Active) {
            let actor = meta.actor.as_deref().and_then(|name| name.parse().ok());
            if let (Some(bead), Some(actor)) = (&meta.bead_id, actor) {
                // A claim that was taken away is seen in the bead itself.
                let _ = tracker.renew_claim(bead, &actor);
            }
        }
    }

    /// An error where this process may only read.
    pub(crate) fn writable(&self) -> Result<(), ApiError> {
        self.may_write.clone()
    }

    /// When old sessions are next to be cleaned up, as found at opening.
    pub(crate) fn next_sweep(&self) -> Option<Timestamp> {
        self.next_sweep.get().copied().flatten()
    }

    /// Held while sessions change.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a bead is claimed for a session.
    pub(crate) fn claiming(&self) -> MutexGuard<'_, ()> {
        self.claiming.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a file of a change is marked as looked at.
    pub(crate) fn marking(&self) -> MutexGuard<'_, ()> {
        self.marking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a worktree is made or taken away, or a branch is checked out. Whoever has it takes no turn.
    pub(crate) fn making(&self) -> MutexGuard<'_, ()> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache that is searched, for one at a time.
    pub(crate) fn search_index(&self) -> MutexGuard<'_, Option<SearchIndex>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache of one session's messages and figures, for one at a time.
    pub(crate) fn page_index(&self) -> MutexGuard<'_, Option<SearchIndex>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every session's record; what could not be read is left to those who list.
    pub(crate) fn metas(&self) -> Result<Vec<Meta>, ApiError> {
        Ok(self.store.list().map_err(store_error)?.sessions)
    }

    /// The project's id: the tracker's where it has one, else ours.
    pub(crate) fn project_id(&self) -> Result<ProjectId, ApiError> {
        let trackers = self.tracker().ok().and_then(|t| t.project_id().ok().flatten());
        self.store.project_id(trackers.as_ref()).map_err(store_error)
    }

    /// Makes `index.json` say what the sessions' records say.
    pub(crate) fn sync_index(&self) -> Result<(), ApiError> {
        self.indexing.bring_up(&self.store).map_err(store_error)
    }

    /// The same for one of several changes that come together: it may be left to the next, or to whoever brings it up when
    /// all of them are made.
    pub(crate) fn sync_index_soon(&self) -> Result<(), ApiError> {
        self.indexing.bring_up_soon(&self.store).map_err(store_error)
    }

    /// Brings the index up where that was left to others who have not come.
    pub(crate) fn sync_index_late(&self) -> Result<(), ApiError> {
        self.indexing.bring_up_late(&self.store).map_err(store_error)
    }

    /// The repository's main tree.
    pub(crate) fn main_tree(&self) -> Result<PathBuf, ApiError> {
        match &self.project.main_tree {
            Some(tree) => Ok(tree.clone()),
            None => Ok(self.project.repo()?.main_root().to_owned()),
        }
    }

    /// The person at this machine, for the tracker's records.
    pub(crate) fn user_actor(&self) -> Actor {
        Actor::for_user(self.user.get_or_init(|| user_name(&self.project)))
    }

    /// Who a session is for the tracker.
    pub(crate) fn session_actor(&self, id: SessionId) -> Actor {
        Actor::for_session(self.user_actor().user(), id)
    }
}

/// What trackers call the person, in the order in which bd looks: so that a bead claimed by hand and one
/// claimed here are the same person's.
pub(crate) fn user_name(project: &Project) -> String {
    let variable = |key: &str| std::env::var(key).ok();
    let of_git = || project.repo().ok()?.user_name();
    variable("BD_ACTOR")
        .or_else(|| variable("BEADS_ACTOR"))
        .or_else(of_git)
        .or_else(|| ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable))
        // A session's actor is its user's: `ann/1a2b3c4d` speaks for ann.
        .map(|name| name.split('/').next().unwrap_or_default().trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "user".to_owned())
}

/// Now, with this machine's offset.
pub(crate) fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}
