//! Requests to the hosts of live sessions. Also changes project settings, because a new idle time is sent to
//! the hosts.

use super::{readiness, view};
use crate::{
    context::{
        Context, Project,
        errors::{host_error, store_error},
    },
    hosts, settings,
};
use bc_core::{
    ids::SessionId,
    mode::PermissionMode,
    session::{Event, Status},
};
use bc_host::{
    Client, ClientError,
    protocol::{self, RefusedCode},
};
use bc_store::SessionStore;
use bc_wire::{ApiError, ErrorCode, session::*, settings::*};
use std::time::Duration;

/// The time limit for a session's end, including its hooks.
const END_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn send(ctx: &Context, params: &SessionSendParams) -> Result<Sent, ApiError> {
    ctx.writable()?;
    let sent = hosts::connect(ctx, params.id)?.send(&params.text).map_err(host_error)?;
    let delivery = match sent.delivery {
        protocol::Delivery::Sent => Delivery::Sent,
        protocol::Delivery::Held => Delivery::Held,
        protocol::Delivery::Unconfirmed => Delivery::Unconfirmed,
    };
    Ok(Sent { delivery, reason: sent.reason })
}

/// Sends a prompt to a session's claude. Returns `None` if the session ended before claude received it;
/// in that case, the session's new state is on disk.
pub(crate) fn send_unless_it_ends(
    ctx: &Context,
    params: &SessionSendParams,
) -> Result<Option<Sent>, ApiError> {
    let outcome = send(ctx, params);
    if matches!(&outcome, Ok(sent) if sent.delivery != Delivery::Unconfirmed)
        || hosts::query_status(ctx, params.id).is_some_and(|status| !status.stopping)
    {
        return outcome.map(Some);
    }
    readiness::await_host_exit(ctx, params.id, END_TIMEOUT)?;
    match ctx.meta(params.id)?.status {
        Status::Active => outcome.map(Some),
        Status::Draft | Status::Paused | Status::Closed => Ok(None),
    }
}

pub(crate) fn retry(ctx: &Context, params: &HeldTextRef) -> Result<SessionView, ApiError> {
    hosts::connect(ctx, params.id)?.retry(&params.text).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn forget(ctx: &Context, params: &HeldTextRef) -> Result<SessionView, ApiError> {
    hosts::connect(ctx, params.id)?.forget(&params.text).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn edit_queued(ctx: &Context, params: &QueuedEditParams) -> Result<SessionView, ApiError> {
    hosts::connect(ctx, params.id)?.edit_text(&params.text, &params.content).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn move_queued(ctx: &Context, params: &QueuedMoveParams) -> Result<SessionView, ApiError> {
    let before = params.before.as_deref();
    hosts::connect(ctx, params.id)?.move_text(&params.text, before).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn send_now(ctx: &Context, params: &HeldTextRef) -> Result<SessionView, ApiError> {
    hosts::connect(ctx, params.id)?.send_now(&params.text).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn permission(ctx: &Context, params: &PermissionParams) -> Result<SessionView, ApiError> {
    if !params.answers.is_empty() && params.answer != PermissionAnswer::Allow {
        return Err(ApiError::new(ErrorCode::Usage, "answers to questions require `allow`"));
    }
    if params.mode.is_some() && (params.answer != PermissionAnswer::Allow || !params.answers.is_empty()) {
        return Err(ApiError::new(ErrorCode::Usage, "a mode is only for an approved plan"));
    }
    let verdict = match params.answer {
        PermissionAnswer::Allow if !params.answers.is_empty() => {
            protocol::Verdict::Answers { answers: params.answers.clone() }
        }
        PermissionAnswer::Allow => match params.mode {
            // Older hosts accept only `Allow` as the approval of a plan.
            Some(PermissionMode::Manual) | None => protocol::Verdict::Allow,
            Some(mode) => protocol::Verdict::Approve { mode },
        },
        PermissionAnswer::Always => protocol::Verdict::AllowAlways,
        PermissionAnswer::Deny => protocol::Verdict::Deny { message: params.message.clone() },
    };
    hosts::connect(ctx, params.id)?.permission(&params.request, verdict).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn mode(ctx: &Context, params: &SessionModeParams) -> Result<SessionView, ApiError> {
    hosts::connect(ctx, params.id)?.mode(params.mode).map_err(host_error)?;
    view::show(ctx, params.id)
}

pub(crate) fn interrupt(ctx: &Context, id: SessionId) -> Result<SessionView, ApiError> {
    hosts::connect(ctx, id)?.interrupt().map_err(host_error)?;
    view::show(ctx, id)
}

/// Changes the project's settings, and notifies the hosts of live sessions if the idle time changed.
pub(crate) fn change_settings(
    ctx: &Context,
    change: ProjectSettingsChange,
) -> Result<ProjectSettingsShown, ApiError> {
    let sessions = ctx.session_lock();
    let before = settings::idle_ms(&ctx.project);
    let shown = settings::change(ctx, &sessions, change)?;
    if settings::idle_ms(&ctx.project) != before {
        notify_settings(&ctx.project);
    }
    Ok(shown)
}

/// Sends the current idle time to the hosts of live sessions. A host that cannot be reached keeps its
/// previous idle time.
pub(crate) fn notify_settings(project: &Project) {
    let ms = settings::idle_ms(project);
    let store = SessionStore::at(&project.beads_dir);
    let all = store.list().map(|listing| listing.sessions).unwrap_or_default();
    for meta in all.iter().filter(|meta| meta.status == Status::Active) {
        if let Ok(socket) = hosts::active_host_socket(project, meta.id) {
            let _ = Client::connect(&socket).and_then(|mut client| client.idle_after(ms));
        }
    }
}

/// The result of a stop request.
pub(super) enum StopOutcome {
    /// Claude has exited, and the session's new state is on disk.
    Saved(Status),
    /// Claude has exited, but for the given reason, the new state is not on disk yet.
    Unsaved(String),
    /// The host cannot be reached, because it is starting, exiting or dead.
    NoHost,
}

/// Asks the host to pause or close the session; the host then ends claude.
pub(super) fn stop(ctx: &Context, id: SessionId, event: Event) -> Result<StopOutcome, ApiError> {
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
    let dir = ctx.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    match meta.status {
        Status::Active => {}
        // The host has already saved the pause, and holds the lock until it exits.
        Status::Paused => return Ok(StopOutcome::NoHost),
        Status::Draft | Status::Closed => return Err(hosts::not_running(&meta)),
    }
    let Some(socket) = hosts::verified_socket(&dir) else {
        let elsewhere = dir.host().ok().flatten().is_some() && !hosts::is_dead(&dir);
        return if elsewhere { Err(hosts::not_running(&meta)) } else { Ok(StopOutcome::NoHost) };
    };
    let stopped = Client::connect(&socket).and_then(|mut client| client.stop(then));
    match (stopped, event) {
        (Err(ClientError::Away { .. } | ClientError::Ended), _) if hosts::is_dead(&dir) => {
            Ok(StopOutcome::NoHost)
        }
        // The session is already ending. A current host accepts the request, and an older host refuses it.
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
