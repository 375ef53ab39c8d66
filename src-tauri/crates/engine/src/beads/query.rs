//! Queries over beads.

use crate::{
    context::{Context, now},
    session,
};
use bc_core::{
    Timestamp,
    ids::BeadId,
    query::{Beads, Matcher, Moment, Query},
    session::Status,
};
use bc_wire::{ApiError, bead::*, session::Activity};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

pub(crate) fn query(ctx: &Context, params: &BeadQueryParams) -> Result<BeadQueryAnswer, ApiError> {
    let query = Query::parse(&params.query);
    let (beads, moment) = (beads_for(ctx, &query)?, moment(ctx, &query)?);
    let ids = Matcher::new(&query, &moment).ids(&beads);
    Ok(BeadQueryAnswer { ids, problems: problems(&query) })
}

/// The beads that match, and the parts of the query that were not understood.
pub(super) fn matching(ctx: &Context, line: &str) -> Result<(HashSet<BeadId>, Vec<QueryProblem>), ApiError> {
    let answer = query(ctx, &BeadQueryParams { query: line.to_owned() })?;
    Ok((answer.ids.into_iter().collect(), answer.problems))
}

fn beads_for(ctx: &Context, query: &Query) -> Result<Arc<Beads>, ApiError> {
    ctx.bead_queries.beads(ctx.tracker()?, query.needs_texts())
}

fn moment(ctx: &Context, query: &Query) -> Result<Moment, ApiError> {
    let activity = if query.needs_activity() { session_activity(ctx)? } else { HashMap::new() };
    Ok(Moment { now: now(), me: ctx.user_actor().user().to_owned(), activity })
}

fn problems(query: &Query) -> Vec<QueryProblem> {
    let problem = |problem: &bc_core::query::Problem| QueryProblem {
        part: problem.part.clone(),
        why: problem.why.clone(),
    };
    query.problems().iter().map(problem).collect()
}

/// The last activity of live sessions, by bead.
pub(super) fn session_activity(ctx: &Context) -> Result<HashMap<BeadId, Timestamp>, ApiError> {
    let mut latest: HashMap<BeadId, Timestamp> = HashMap::new();
    for meta in ctx.metas()?.into_iter().filter(|meta| meta.status == Status::Active) {
        let Some(bead) = meta.bead_id.clone() else { continue };
        let started = meta.last_activated_at;
        let at = match session::view_of(ctx, meta).live {
            Some(live) if live.activity == Activity::Working => Some(now()),
            Some(live) => Some(live.activity_since),
            None => started,
        };
        if let Some(at) = at {
            let known = latest.entry(bead).or_insert(at);
            *known = at.max(*known);
        }
    }
    Ok(latest)
}
