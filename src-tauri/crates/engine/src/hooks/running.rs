//! Trying hooks out, letting live sessions read theirs anew, what their runs were, and the end of a run
//! whose host died.

use super::{facts, places};
use crate::{
    engine::{Engine, now},
    errors::{chain, store_error},
};
use bc_core::{
    hooks::HookEvent,
    session::{Meta, Status},
};
use bc_hooks::{Facts, Payload, Runner, load, sample};
use bc_host::Client;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, hooks::*, session::SessionRef};
use serde_json::json;

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
