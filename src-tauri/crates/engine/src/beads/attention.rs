//! Beads that need attention: the ready beads to start next, and the stale beads.

use super::query::session_activity;
use crate::context::{Context, errors::tracker_error, next_beads::next_beads, now};
use bc_beads::ListFilter;
use bc_core::{
    bead::{Bead, BeadStatus},
    stale::{self, Level},
};
use bc_wire::{ApiError, bead::*};

/// The default number of beads to start next.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_core::session::Event;
    use bc_wire::{api::Api, project::Nothing};
    use chrono::Duration;

    #[test]
    fn a_bead_without_activity_is_stale_unless_its_session_works() {
        let fixture = Fixture::new();
        let line = |id: &str, status: &str, hours: i64| {
            let at = (now() - Duration::hours(hours)).to_rfc3339();
            format!(
                "{{\"id\":\"{id}\",\"title\":\"{id}\",\"status\":\"{status}\",\"updated_at\":\"{at}\"}}\n"
            )
        };
        let text = [
            line("old", "in_progress", 9),
            line("new", "in_progress", 1),
            line("review", "in_review", 30),
            line("lives", "in_progress", 3),
            line("open", "open", 900),
        ];
        let file = fixture.ctx.project.beads_dir.join("issues.jsonl");
        bc_store::file::replace(&file, text.concat().as_bytes()).unwrap();
        // The session's host is not running, so the session's start is the last known activity.
        let session = fixture.session(1, 0, &[Event::Start]);
        let lock = fixture.session_lock(session);
        let mut meta = lock.meta().unwrap();
        meta.bead_id = Some("lives".parse().unwrap());
        meta.last_activated_at = Some(now());
        lock.save_meta(&meta).unwrap();
        let stale = fixture.engine.bead_stale(Nothing {}).unwrap().beads;
        let found: Vec<(&str, StaleLevel)> =
            stale.iter().map(|bead| (bead.id.as_str(), bead.level)).collect();
        assert_eq!(found, [("review", StaleLevel::Warning), ("old", StaleLevel::Critical)]);
    }
}
