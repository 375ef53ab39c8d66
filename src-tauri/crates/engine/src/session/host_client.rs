//! Requests to the host of a live session.

use super::view;
use crate::{
    dead_hosts,
    engine::Engine,
    errors::{host_error, store_error},
    project::Project,
};
use bc_core::{
    ids::SessionId,
    session::{Event, Meta, Status},
};
use bc_host::{
    Client, ClientError,
    protocol::{self, RefusedCode},
};
use bc_store::{SessionDir, SessionStore};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::{path::PathBuf, time::Duration};

/// The maximum duration of a session's end, hooks included.
const ENDED_WITHIN: Duration = Duration::from_secs(60);

/// The socket of a live session's host. It is trusted only while the session is locked: the file that names it may
/// be outdated or come with the repository.
pub(crate) fn host_socket(project: &Project, id: SessionId) -> Result<PathBuf, ApiError> {
    let dir = SessionStore::at(&project.beads_dir).session(id);
    let meta = dir.meta().map_err(store_error)?;
    if meta.status != Status::Active {
        return Err(not_running(&meta));
    }
    socket_of(&dir).ok_or_else(|| not_running(&meta))
}

fn socket_of(dir: &SessionDir) -> Option<PathBuf> {
    let host = dir.host().ok().flatten()?;
    let expected = super::launch::socket_path(dir.id()).ok()?;
    (host.socket == expected).then_some(host.socket)
}

fn not_running(meta: &Meta) -> ApiError {
    let short = meta.id.short();
    let hint = match meta.status {
        Status::Paused | Status::Active => format!("resume it with `beads-console session resume {short}`"),
        Status::Draft | Status::Closed => "start a new session on its bead".to_owned(),
    };
    ApiError::new(
        ErrorCode::SessionState,
        format!("session {short} is {}: claude is not running", meta.status.as_str()),
    )
    .hint(hint)
}

fn client(engine: &Engine, id: SessionId) -> Result<Client, ApiError> {
    Client::connect(&host_socket(&engine.project, id)?).map_err(host_error)
}

/// The status reported by an active session's host; `None` if it does not answer.
pub(super) fn status(engine: &Engine, id: SessionId) -> Option<protocol::HostStatus> {
    let mut client = Client::connect(&socket_of(&engine.store.session(id))?).ok()?;
    client.status().ok()
}

/// The status as clients see it.
pub(super) fn live(said: protocol::HostStatus) -> Live {
    let permission = |card: protocol::Card| PermissionRequest {
        id: card.id,
        tool: card.tool,
        input: card.input.into(),
        subagent: card.subagent,
        lasting: card.lasting,
        asked_at: card.asked_at,
    };
    let held = |text: protocol::HeldText| HeldText {
        id: text.id,
        text: text.text,
        at: text.at,
        state: match text.state {
            protocol::HeldState::Waiting => HeldState::Waiting,
            protocol::HeldState::Unconfirmed => HeldState::Unconfirmed,
            protocol::HeldState::Returned => HeldState::Returned,
        },
    };
    Live {
        host_pid: said.host.pid,
        agent_pid: said.agent.map(|a| a.pid),
        activity: activity(said.activity),
        model: said.model,
        context: said.context.map(|used| ContextUse { tokens: used.tokens, size: used.size }),
        retry: said.retry.map(|retry| ApiRetry { attempt: retry.attempt, of: retry.of, why: retry.why }),
        permissions: said.permissions.into_iter().map(permission).collect(),
        held: said.held.into_iter().map(held).collect(),
        hooks_seen: said.hooks_seen,
        hold: said.hold,
        activity_since: said.activity_since,
        troubles: said.troubles,
    }
}

fn activity(activity: bc_host::Activity) -> Activity {
    match activity {
        bc_host::Activity::Starting => Activity::Starting,
        bc_host::Activity::AsksAtStart => Activity::AsksAtStart,
        bc_host::Activity::Idle => Activity::Idle,
        bc_host::Activity::Working => Activity::Working,
        bc_host::Activity::WaitingPermission => Activity::WaitingPermission,
        bc_host::Activity::DialogOpen => Activity::DialogOpen,
        bc_host::Activity::Unknown => Activity::Unknown,
        bc_host::Activity::Gone => Activity::Gone,
    }
}

pub(crate) fn send(engine: &Engine, params: &SessionSendParams) -> Result<Sent, ApiError> {
    engine.writable()?;
    let sent = client(engine, params.id)?.send(&params.text).map_err(host_error)?;
    let delivery = match sent.delivery {
        protocol::Delivery::Sent => Delivery::Sent,
        protocol::Delivery::Held => Delivery::Held,
        protocol::Delivery::Unconfirmed => Delivery::Unconfirmed,
    };
    Ok(Sent { delivery, reason: sent.reason })
}

/// Sends a text to a session's claude; `None` if the session ended before claude received it. Its new state is then
/// on disk.
pub(crate) fn send_unless_it_ends(
    engine: &Engine,
    params: &SessionSendParams,
) -> Result<Option<Sent>, ApiError> {
    let outcome = send(engine, params);
    if matches!(&outcome, Ok(sent) if sent.delivery != Delivery::Unconfirmed)
        || status(engine, params.id).is_some_and(|said| !said.stopping)
    {
        return outcome.map(Some);
    }
    super::launch::settled(engine, params.id, ENDED_WITHIN)?;
    match engine.store.session(params.id).meta().map_err(store_error)?.status {
        Status::Active => outcome.map(Some),
        Status::Draft | Status::Paused | Status::Closed => Ok(None),
    }
}

pub(crate) fn retry(engine: &Engine, params: &HeldTextRef) -> Result<SessionView, ApiError> {
    client(engine, params.id)?.retry(&params.text).map_err(host_error)?;
    view::show(engine, params.id)
}

pub(crate) fn forget(engine: &Engine, params: &HeldTextRef) -> Result<SessionView, ApiError> {
    client(engine, params.id)?.forget(&params.text).map_err(host_error)?;
    view::show(engine, params.id)
}

pub(crate) fn permission(engine: &Engine, params: &PermissionParams) -> Result<SessionView, ApiError> {
    if !params.answers.is_empty() && params.answer != PermissionAnswer::Allow {
        return Err(ApiError::new(ErrorCode::Usage, "answers to questions require `allow`"));
    }
    let verdict = match params.answer {
        PermissionAnswer::Allow if !params.answers.is_empty() => {
            protocol::Verdict::Answers { answers: params.answers.clone() }
        }
        PermissionAnswer::Allow => protocol::Verdict::Allow,
        PermissionAnswer::Always => protocol::Verdict::AllowAlways,
        PermissionAnswer::Deny => protocol::Verdict::Deny { message: params.message.clone() },
    };
    client(engine, params.id)?.permission(&params.request, verdict).map_err(host_error)?;
    view::show(engine, params.id)
}

pub(crate) fn mode(engine: &Engine, params: &SessionModeParams) -> Result<SessionView, ApiError> {
    client(engine, params.id)?.mode(params.mode).map_err(host_error)?;
    view::show(engine, params.id)
}

pub(crate) fn interrupt(engine: &Engine, id: SessionId) -> Result<SessionView, ApiError> {
    client(engine, id)?.interrupt().map_err(host_error)?;
    view::show(engine, id)
}

/// Sends the current settings to the hosts of live sessions. A host that cannot be reached keeps its earlier
/// settings.
pub(crate) fn tell_settings(project: &Project) {
    let ms = super::launch::idle_ms(project);
    let store = SessionStore::at(&project.beads_dir);
    let all = store.list().map(|listing| listing.sessions).unwrap_or_default();
    for meta in all.iter().filter(|meta| meta.status == Status::Active) {
        if let Ok(socket) = host_socket(project, meta.id) {
            let _ = Client::connect(&socket).and_then(|mut client| client.idle_after(ms));
        }
    }
}

/// The result of a stop request.
pub(super) enum StopOutcome {
    /// Claude has ended, and the session's new state is on disk.
    Saved(Status),
    /// Claude has ended; the reason why the new state is not on disk yet.
    Unsaved(String),
    /// No host can be reached: it is starting, exiting, or has just died.
    NoHost,
}

/// Asks the host to end claude in order.
pub(super) fn stop(engine: &Engine, id: SessionId, event: Event) -> Result<StopOutcome, ApiError> {
    let then = match event {
        Event::Pause(reason) => protocol::StopKind::Pause(reason),
        Event::Close(reason) => protocol::StopKind::Close(reason),
        Event::Start | Event::Resume => {
            return Err(ApiError::new(
                ErrorCode::Internal,
                "a running session was to be started by stopping it",
            ));
        }
    };
    let dir = engine.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    match meta.status {
        Status::Active => {}
        // The host has saved this and holds the lock until it exits.
        Status::Paused => return Ok(StopOutcome::NoHost),
        Status::Draft | Status::Closed => return Err(not_running(&meta)),
    }
    let Some(socket) = socket_of(&dir) else {
        let elsewhere = dir.host().ok().flatten().is_some() && !dead_hosts::is_dead(&dir);
        return if elsewhere { Err(not_running(&meta)) } else { Ok(StopOutcome::NoHost) };
    };
    let stopped = Client::connect(&socket).and_then(|mut client| client.stop(then));
    match (stopped, event) {
        (Err(ClientError::Away { .. } | ClientError::Ended), _) if dead_hosts::is_dead(&dir) => {
            Ok(StopOutcome::NoHost)
        }
        // The session is ending already; an older host refuses instead of accepting the end.
        (Err(ClientError::Refused(refused)), Event::Close(_)) if refused.code == RefusedCode::State => {
            Ok(StopOutcome::NoHost)
        }
        (Err(ClientError::Ended), Event::Close(_)) => Ok(StopOutcome::NoHost),
        (stopped, _) => match stopped.map_err(host_error)? {
            protocol::Stopped { unsaved: Some(why), .. } => Ok(StopOutcome::Unsaved(why)),
            protocol::Stopped { status, .. } => Ok(StopOutcome::Saved(status)),
        },
    }
}
