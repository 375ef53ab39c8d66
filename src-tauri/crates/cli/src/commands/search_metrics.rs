//! `session search` and `session metrics`.

use super::{Context, session_lookup::resolve_session};
use crate::{
    args::{Csv, MetricsArgs, SearchArgs},
    failure::Failure,
    output::search_metrics,
};
use bc_core::search::Query;
use bc_wire::search::ProjectMetricsParams;

pub(super) fn search(args: SearchArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let query = Query {
        // The last word matches as a prefix, as it does in the UI.
        text: args.query.join(" "),
        since: args.since.map(|moment| moment.0),
        until: args.until.map(|moment| moment.0),
        bead: args.bead,
        agent: args.agent,
        status: args.status,
        file: args.file,
        commit: args.commit,
        skip: args.skip,
        limit: Some(args.limit),
        within_ms: None,
    };
    let answer = context.api.session_search(query)?;
    context.print(&answer, search_metrics::answer)?;
    if answer.more {
        context.note(&format!("more results: --skip {}", args.skip + args.limit))?;
    }
    context.warn(&answer.notes)
}

pub(super) fn metrics(args: &MetricsArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    if let Some(key) = &args.id {
        let metrics = context.api.session_metrics(resolve_session(key, context)?)?;
        return context.print(&metrics, search_metrics::metrics);
    }
    let (range, agent, label) = (args.range.into(), args.agent.clone(), args.label.clone());
    let metrics = context.api.project_metrics(ProjectMetricsParams { range, agent, label })?;
    match args.csv {
        Some(Csv::Days) => Ok(context.io.out().write_all(metrics.days_csv.as_bytes())?),
        Some(Csv::Shares) => Ok(context.io.out().write_all(metrics.shares_csv.as_bytes())?),
        None => {
            context.print(&metrics, |metrics, style| search_metrics::dashboard(&metrics.dashboard, style))
        }
    }
}
