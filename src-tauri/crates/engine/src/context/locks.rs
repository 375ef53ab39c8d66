//! The locks on a project's sessions, worktrees, claims and viewed files.
//!
//! Each lock guards a token that exists only inside the lock, so only the holder of the session lock can call
//! a function that takes `&Sessions`. The session lock must be taken before the worktree lock. The functions
//! in `worktrees` that need the worktree lock take a [`WorktreeGuard`] instead of the context, so they cannot
//! take the session lock.

use super::project::Project;
use bc_beads::{Actor, Tracker, TrackerError};
use bc_core::{bead::BeadStatus, ids::BeadId};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Proof that the session lock is held.
#[derive(Debug, Default)]
pub(crate) struct Sessions(());

pub(crate) type SessionGuard<'a> = MutexGuard<'a, Sessions>;

/// Proof that the lock on viewed files is held.
#[derive(Debug, Default)]
pub(crate) struct ViewedFiles(());

#[derive(Debug, Default)]
struct Worktrees(());

#[derive(Debug, Default)]
struct Claiming(());

#[derive(Debug, Default)]
pub(super) struct Locks {
    sessions: Mutex<Sessions>,
    worktrees: Mutex<Worktrees>,
    claims: Mutex<Claiming>,
    viewed: Mutex<ViewedFiles>,
}

impl Locks {
    pub(super) fn sessions(&self) -> SessionGuard<'_> {
        lock(&self.sessions)
    }

    pub(super) fn viewed(&self) -> MutexGuard<'_, ViewedFiles> {
        lock(&self.viewed)
    }

    pub(super) fn worktrees<'a>(&'a self, project: &'a Project) -> WorktreeGuard<'a> {
        WorktreeGuard { project, _held: lock(&self.worktrees) }
    }

    pub(super) fn claims<'a>(&'a self, tracker: &'a dyn Tracker) -> Claims<'a> {
        Claims { tracker, _held: lock(&self.claims) }
    }
}

/// The held lock on worktrees and checked-out branches, with the project to which they belong.
#[derive(Debug)]
pub(crate) struct WorktreeGuard<'a> {
    pub(crate) project: &'a Project,
    _held: MutexGuard<'a, Worktrees>,
}

/// The tracker and the held lock on claims, which prevents concurrent claims in this process. Between
/// processes, [`Tracker::claim`] is exclusive.
pub(crate) struct Claims<'a> {
    tracker: &'a dyn Tracker,
    _held: MutexGuard<'a, Claiming>,
}

impl Claims<'_> {
    /// Claims a bead. The claim of `earlier` is released first.
    pub(crate) fn claim(
        &self,
        bead: &BeadId,
        earlier: Option<&Actor>,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        if let Some(earlier) = earlier {
            self.tracker.set_status(bead, &BeadStatus::Open, earlier)?;
        }
        self.tracker.claim(bead, actor).map(drop)
    }

    /// Claims several beads with one write; `None` if the tracker does not support this.
    pub(crate) fn claim_all(&self, claims: &[(BeadId, Actor)]) -> Option<Vec<Result<(), TrackerError>>> {
        self.tracker.claim_all(claims)
    }
}

/// Locks a mutex, even if a thread panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
