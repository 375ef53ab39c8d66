//! Trying hooks out, letting live sessions read theirs anew, what their runs were, and the end of a run
//! whose host died.

use super::{facts, places};
use crate::{
    engine::{Engine, now},
    errors::{chain, store_error},
};
use bc_core::{
    hooks::{HookEvent, HookRun},
    session::{Meta, Status},
};
use bc_hooks::{Facts, Payload, Runner, load, sample};
use bc_host::Client;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, hooks::*, session::SessionRef};
use serde_json::json;

/// In how many sessions, the latest first, runs are looked for.
const SESSIONS_LOOKED_AT: usize = 200;
/// How many are shown unless somebody says otherwise.
const RUNS_SHOWN: usize = 200;

/// Runs the hooks of an event once, with a sample or what is given.
pub(crate) fn test(engine: &Engine, params: HookTestParams) -> Result<HookTest, ApiError> {
    let fields = params.payload.unwrap_or_else(|| sample(params.event));
    if !fields.is_object() {
        return Err(ApiError::new(ErrorCode::Usage, "the payload of a hook is a JSON object"));
    }
    let places = places(&engine.project);
    let loaded = load(&places);
    let root = engine.project.root.display().to_string();
    let facts =
        Facts { session_id: Some("test".into()), cwd: root.clone(), project: root, ..Facts::default() };
    let payload = Payload::new(params.event, Some("test"), fields);
    let runner = Runner { program: engine.programs.console.clone(), places, session: None };
    let outcome = runner.run(&loaded.of(params.event), &payload, &facts, now);
    let (decision, reason) =
        outcome.decision.map_or((None, None), |(decision, reason)| (Some(decision), reason));
    let payload = payload.to_json(&facts, now());
    Ok(HookTest {
        payload,
        runs: outcome.runs,
        context: outcome.context,
        decision,
        reason,
        warnings: loaded.warnings,
    })
}

/// Lets live sessions read their hooks anew.
pub(crate) fn reload(engine: &Engine) -> Result<HooksReloaded, ApiError> {
    let active = engine.metas()?.into_iter().filter(|meta| meta.status == Status::Active);
    let told = active.filter(|meta| {
        let socket = crate::session::host_socket(&engine.project, meta.id);
        socket.ok().and_then(|socket| Client::connect(&socket).ok()?.reload_hooks().ok()).is_some()
    });
    Ok(HooksReloaded { sessions: u32::try_from(told.count()).unwrap_or(u32::MAX) })
}

/// The runs of hooks in a session.
pub(crate) fn runs(engine: &Engine, params: &SessionRef) -> Result<SessionHookRuns, ApiError> {
    let dir = engine.store.session(params.id);
    dir.meta().map_err(store_error)?;
    let read = dir.hook_runs().map_err(store_error)?;
    let warnings = read.problems.iter().map(|problem| chain(problem)).collect();
    Ok(SessionHookRuns { runs: read.runs, warnings })
}

/// The runs of hooks in the latest sessions, the latest first.
pub(crate) fn all_runs(engine: &Engine, params: &HookRunsParams) -> Result<HookRunsShown, ApiError> {
    let mut metas = match params.session {
        Some(id) => vec![engine.store.session(id).meta().map_err(store_error)?],
        None => engine.metas()?,
    };
    metas.sort_by_key(|meta| std::cmp::Reverse(meta.last_activated_at.unwrap_or(meta.created_at)));
    let (mut runs, mut warnings) = (Vec::new(), Vec::new());
    for meta in metas.iter().take(SESSIONS_LOOKED_AT) {
        // What cannot be read of one session says nothing about the others.
        let read = match engine.store.session(meta.id).hook_runs() {
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
    let total = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    runs.truncate(params.limit.map_or(RUNS_SHOWN, |limit| limit as usize));
    Ok(HookRunsShown { runs, total, warnings })
}

/// Tells hooks of the end of a run whose host could not, if they are owed it. Told once: what fails
/// from here on is not tried again.
pub(crate) fn end_owed(engine: &Engine, lock: &SessionLock, meta: &Meta) {
    // A record that cannot be read says nothing that could be acted on.
    if lock.session_end_owed().ok().flatten().is_none() || lock.session_end_paid().is_err() {
        return;
    }
    let places = places(&engine.project);
    let hooks = load(&places).of(HookEvent::SessionEnd);
    let conversation = meta.claude_sessions.last().map(|conversation| conversation.id);
    let fields = json!({"reason": "interrupted", "conversation": conversation});
    let payload = Payload::new(HookEvent::SessionEnd, Some("interrupted"), fields);
    let session = Some(meta.id.to_string());
    let runner = Runner { program: engine.programs.console.clone(), places, session };
    let outcome = runner.run(&hooks, &payload, &facts(engine, meta), now);
    if let Ok(writer) = lock.hook_run_writer() {
        // The session is recovered whatever becomes of its record.
        outcome.runs.iter().for_each(|run| drop(writer.append(run)));
    }
}
