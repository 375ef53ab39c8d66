//! Tests hooks, reloads them in live sessions, lists their runs, and sends the end event of sessions whose host died.

use super::places::{facts, places};
use crate::context::{
    Context, count,
    errors::{chain, store_error},
    now,
};
use bc_core::{
    hooks::HookRun,
    session::{Meta, Status},
};
use bc_hooks::{Facts, Payload, Runner, load, sample};
use bc_host::{Client, HookSetup, run_owed_end_hooks};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, hooks::*, session::SessionRef};

/// The number of recent sessions that are searched for runs.
const SESSIONS_SEARCHED: usize = 200;
/// The default number of runs in a list.
const RUNS_SHOWN: usize = 200;

/// Runs the hooks of an event once, with the given data or a sample.
pub(crate) fn test(ctx: &Context, params: HookTestParams) -> Result<HookTest, ApiError> {
    let fields = params.payload.unwrap_or_else(|| sample(params.event));
    if !fields.is_object() {
        return Err(ApiError::new(ErrorCode::Usage, "the payload of a hook must be a JSON object"));
    }
    let places = places(&ctx.project);
    let loaded = load(&places);
    let root = ctx.project.root.display().to_string();
    let facts =
        Facts { session_id: Some("test".into()), cwd: root.clone(), project: root, ..Facts::default() };
    let payload = Payload::new(params.event, Some("test"), fields);
    let runner = Runner { program: ctx.programs.console.clone(), places, session: None };
    let outcome = runner.run(&loaded.of(params.event), &payload, &facts, now);
    let (decision, reason) =
        outcome.decision.map_or((None, None), |(decision, reason)| (Some(decision), reason));
    Ok(HookTest {
        payload: payload.to_json(&facts, now()),
        runs: outcome.runs,
        context: outcome.context,
        decision,
        reason,
        warnings: loaded.warnings,
    })
}

/// Asks the hosts of live sessions to reload their hooks; returns the number of hosts that did.
pub(crate) fn reload(ctx: &Context) -> Result<HooksReloaded, ApiError> {
    let active = ctx.metas()?.into_iter().filter(|meta| meta.status == Status::Active);
    let reloaded = active.filter(|meta| {
        let socket = crate::hosts::active_host_socket(&ctx.project, meta.id);
        socket.ok().and_then(|socket| Client::connect(&socket).ok()?.reload_hooks().ok()).is_some()
    });
    Ok(HooksReloaded { sessions: count(reloaded.count()) })
}

/// The hook runs of a session, oldest first, with warnings about unreadable lines.
pub(crate) fn runs(ctx: &Context, params: &SessionRef) -> Result<SessionHookRuns, ApiError> {
    let dir = ctx.store.session(params.id);
    dir.meta().map_err(store_error)?;
    let read = dir.hook_runs().map_err(store_error)?;
    let warnings = read.problems.iter().map(|problem| chain(problem)).collect();
    Ok(SessionHookRuns { runs: read.runs, warnings })
}

/// The hook runs of one session or of recent sessions, latest first.
pub(crate) fn all_runs(ctx: &Context, params: &HookRunsParams) -> Result<HookRunsShown, ApiError> {
    let mut metas = match params.session {
        Some(id) => vec![ctx.meta(id)?],
        None => ctx.metas()?,
    };
    metas.sort_by_key(|meta| std::cmp::Reverse(meta.last_activated_at.unwrap_or(meta.created_at)));
    let (mut runs, mut warnings) = (Vec::new(), Vec::new());
    for meta in metas.iter().take(SESSIONS_SEARCHED) {
        // An unreadable session does not affect the others.
        let read = match ctx.store.session(meta.id).hook_runs() {
            Ok(read) => read,
            Err(error) => {
                warnings.push(chain(&error));
                continue;
            }
        };
        warnings.extend(read.problems.iter().map(|problem| chain(problem)));
        let fits = |run: &HookRun| {
            params.event.is_none_or(|event| event == run.event) && !(params.failed && run.warning.is_none())
        };
        let fitting = read.runs.into_iter().filter(fits);
        runs.extend(fitting.map(|run| HookRunOf { session_id: meta.id, run }));
    }
    runs.sort_by_key(|of| std::cmp::Reverse(of.run.at));
    let total = count(runs.len());
    runs.truncate(params.limit.map_or(RUNS_SHOWN, |limit| limit as usize));
    Ok(HookRunsShown { runs, total, warnings })
}

/// Runs the hooks for the end of a session whose host died, if that event is still due.
pub(crate) fn end_owed(ctx: &Context, lock: &SessionLock, meta: &Meta) {
    let setup = || Some(HookSetup { places: places(&ctx.project), facts: facts(ctx, meta) });
    run_owed_end_hooks(lock, meta, setup, ctx.programs.console.clone(), now);
}
