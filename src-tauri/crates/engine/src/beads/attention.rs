//! Beads that need attention: the ready ones to start next, and the stale ones.

use super::query::session_activity;
use crate::context::{Context, errors::tracker_error, next_beads::next_beads, now};
use bc_beads::ListFilter;
use bc_core::{
    bead::{Bead, BeadStatus},
    stale::{self, Level},
};
use bc_wire::{ApiError, bead::*};

/// The number of beads unless given.
const NEXT: u32 = 5;

pub(crate) fn next(ctx: &Context, params: &BeadNextParams) -> Result<NextBeads, ApiError> {
    let ranked = next_beads(ctx.tracker()?, params.after.as_ref())?;
    let limit = params.limit.unwrap_or(NEXT) as usize;
    let beads = ranked.into_iter().take(limit);
    let beads = beads.map(|(bead, rank)| NextBead { bead, score: rank.score, reasons: rank.reasons });
    Ok(NextBeads { beads: beads.collect() })
}

pub(crate) fn stale(ctx: &Context) -> Result<StaleBeads, ApiError> {
    let statuses = vec![BeadStatus::InProgress, BeadStatus::InReview];
    let filter = ListFilter { statuses, ..ListFilter::open() };
    let beads = ctx.tracker()?.list(&filter).map_err(tracker_error)?.beads;
    let (activity, now) = (session_activity(ctx)?, now());
    let of = |bead: Bead| {
        let session = activity.get(&bead.id);
        let level = stale::level(&bead, session, now)?;
        let since = stale::since(&bead, session)?;
        Some(StaleBead {
            since,
            level: match level {
                Level::Warning => StaleLevel::Warning,
                Level::Critical => StaleLevel::Critical,
            },
            id: bead.id,
            title: bead.title,
            status: bead.status,
        })
    };
    let mut beads: Vec<StaleBead> = beads.into_iter().filter_map(of).collect();
    beads.sort_by_key(|bead| bead.since);
    Ok(StaleBeads { beads })
}
