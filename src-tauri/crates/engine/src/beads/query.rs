//! Finds the beads that match a query line.

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

/// The beads that match a query line, and the problems in the line.
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

/// For each bead with an active session, the time of its latest activity in a session: now while claude
/// works, or the session's last activation if its host does not answer.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_wire::api::Api;

    fn found(fixture: &Fixture, line: &str) -> Vec<String> {
        let answer = fixture.engine.bead_query(BeadQueryParams { query: line.to_owned() }).unwrap();
        answer.ids.iter().map(BeadId::to_string).collect()
    }

    #[test]
    fn a_query_follows_the_beads_and_reads_texts_when_it_needs_them() {
        let fixture = Fixture::new();
        let file = fixture.ctx.project.beads_dir.join("issues.jsonl");
        let put = |text: &str| {
            let line = format!("{{\"id\":\"a-1\",\"title\":\"One\",\"description\":\"{text}\"}}\n");
            bc_store::file::replace(&file, line.as_bytes()).unwrap();
        };
        put("about cookies");
        assert_eq!(found(&fixture, "status:open"), ["a-1"]);
        assert_eq!(found(&fixture, "cookies"), ["a-1"], "the first query did not read the texts");
        put("about tea");
        assert!(found(&fixture, "cookies").is_empty());
        assert_eq!(found(&fixture, "TEA has:description"), ["a-1"]);
        let odd = fixture.engine.bead_query(BeadQueryParams { query: "colour:red".into() }).unwrap();
        assert_eq!((odd.ids.len(), odd.problems.len()), (0, 1));
    }

    #[test]
    fn a_list_with_a_query_has_the_beads_and_warns_of_problems() {
        let fixture = Fixture::new();
        bc_store::file::replace(&fixture.ctx.project.beads_dir.join("issues.jsonl"), b"").unwrap();
        for title in ["One", "Two"] {
            let new = BeadCreateParams { title: title.into(), ..BeadCreateParams::default() };
            fixture.engine.bead_create(new).unwrap();
        }
        let params = BeadListParams { query: "two priority:9".into(), ..BeadListParams::default() };
        let list = fixture.engine.bead_list(params).unwrap();
        assert_eq!((list.beads.len(), list.warnings.len()), (0, 1), "{list:?}");
        let params = BeadListParams { query: "two".into(), ..BeadListParams::default() };
        let list = fixture.engine.bead_list(params).unwrap();
        assert_eq!(list.beads.iter().map(|bead| bead.title.as_str()).collect::<Vec<_>>(), ["Two"]);
    }
}
