//! The engine of one project: its startup and periodic work. `contract` implements the contract's methods.
//!
//! May use: `context`, `fleet`, `merge_queue`, `recovery`, `session`.

use crate::{
    context::{
        Context, Programs, Project, ReadAhead, errors::store_error, now, recorded_actor, temporary_files,
    },
    fleet, merge_queue, recovery, session,
};
use bc_core::{Timestamp, session::Status};
use bc_store::SessionStore;
use bc_wire::ApiError;
use std::{
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// The engine of one project, which implements the contract's methods.
pub struct Engine {
    pub(crate) ctx: Arc<Context>,
    /// When the next cleanup of old sessions is due, as determined when the project was opened.
    next_sweep: OnceLock<Option<Timestamp>>,
}

/// Returns a read-only engine for the project that contains `start`, for commands that do not need the engine lock.
///
/// # Errors
/// `start` cannot be opened or is not in a project.
pub fn view(start: &Path, programs: Programs) -> Result<Engine, ApiError> {
    Ok(Engine::of(Context::view(start, programs)?))
}

impl Engine {
    /// The project's root folder.
    pub fn project_root(&self) -> &Path {
        &self.ctx.project.root
    }

    /// Returns this engine for a person with access, under whose name changes are recorded.
    pub(crate) fn acting_for(&self, person: &str) -> Engine {
        Engine::of(self.ctx.acting_for(person))
    }

    fn of(ctx: Context) -> Engine {
        Engine { ctx: Arc::new(ctx), next_sweep: OnceLock::new() }
    }

    /// The engine of a project whose lock this process holds. Call [`Engine::reconcile`] next.
    pub(crate) fn owning(
        project: Project,
        programs: Programs,
        store: SessionStore,
        read_ahead: Option<ReadAhead>,
    ) -> Engine {
        Engine::of(Context::owning(project, programs, store, read_ahead))
    }

    /// A read-only engine. Every attempt to write returns the error `why`.
    pub(crate) fn read_only(project: Project, programs: Programs, why: ApiError) -> Engine {
        Engine::of(Context::read_only(project, programs, why))
    }

    /// Pauses sessions whose host died, and cleans up. Called once when the project is opened, before any client uses
    /// the engine.
    pub(crate) fn reconcile(&self) -> Result<(), ApiError> {
        let ctx = &self.ctx;
        let sessions = ctx.session_lock();
        // Read the records once for all steps: a project can have ten thousand sessions.
        let listing = ctx.store.list().map_err(store_error)?;
        let recovered = session::pause_among(ctx, &sessions, &listing.sessions)?;
        let swept = session::sweep_of(ctx, &sessions, &listing.sessions, now());
        match recovered || swept.changed() {
            true => ctx.sync_index()?,
            false => ctx.store.index_these(&listing).map_err(store_error)?,
        }
        let _ = self.next_sweep.set(swept.next);
        temporary_files::remove(&ctx.project);
        Ok(())
    }

    /// When the next cleanup of old sessions is due, as determined when the project was opened.
    pub(crate) fn next_sweep(&self) -> Option<Timestamp> {
        self.next_sweep.get().copied().flatten()
    }

    /// Pauses sessions whose host died since the project was opened.
    pub(crate) fn recover(&self) {
        let sessions = self.ctx.session_lock();
        // A session that cannot be paused now is paused by the next call, or when the project is opened again.
        let _ = session::pause_all(&self.ctx, &sessions);
    }

    /// Renews the claims of live sessions, because bd considers a claim stale after a few minutes.
    pub(crate) fn renew_claims(&self) {
        let Ok(tracker) = self.ctx.tracker() else { return };
        for meta in self.ctx.metas().unwrap_or_default().into_iter().filter(|m| m.status == Status::Active) {
            if let (Some(bead), Some(actor)) = (&meta.bead_id, recorded_actor(&meta)) {
                // A failure is ignored: if another actor took the claim, the bead shows it.
                let _ = tracker.renew_claim(bead, &actor);
            }
        }
    }

    /// Wakes the merging thread and reconciles the fleet. Returns how long until the next reconciliation is due
    /// even without a change; `None` if only a change can require it.
    pub(crate) fn reconcile_fleet(&self) -> Option<Duration> {
        merge_queue::wake(&self.ctx);
        let due = fleet::reconcile(&self.ctx).unwrap_or_else(|error| {
            // The next change reconciles again.
            tracing::warn!(%error, "the fleet could not be reconciled");
            None
        })?;
        Some((due - now()).to_std().unwrap_or_default())
    }

    /// Notifies the hosts of live sessions whose bead is in review.
    pub(crate) fn notify_reviews(&self) {
        recovery::reviewed(&self.ctx);
    }
}
