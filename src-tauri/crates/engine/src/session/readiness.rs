//! Waits until a started claude is ready, has exited, or asks a question.

use super::dead_hosts;
use crate::{
    context::{
        Context,
        errors::{host_error, store_error},
    },
    hosts,
};
use bc_core::{
    ids::SessionId,
    session::{PauseReason, Status},
};
use bc_host::{Client, ClientError, protocol::Readiness};
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// How long to wait for claude to report that it is ready; its hooks usually report after about 0.6 s.
const READY_TIMEOUT: Duration = Duration::from_secs(20);

/// How long to wait for the exit of a host whose claude has exited.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Like [`await_claude`] for a start that did not wait, and updates the index. The host must be listening.
/// Fails if claude exited right after its start.
pub(crate) fn started(ctx: &Context, id: SessionId) -> Result<Vec<String>, ApiError> {
    let dir = ctx.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    if meta.status != Status::Active {
        return match (meta.pause_reason, bc_host::read_exit_note(&dir)) {
            (Some(PauseReason::Exited | PauseReason::Interrupted), Some(note)) => {
                Err(exited_error(&note, id))
            }
            // A user paused or ended the session meanwhile.
            _ => Ok(Vec::new()),
        };
    }
    let warnings = await_claude(ctx, id, &hosts::expected_socket_path(id)?, meta.runner.as_deref())?;
    ctx.sync_index()?;
    Ok(warnings)
}

/// Waits until claude is ready, has exited, or asks a question. Returns warnings if claude is not ready.
/// Fails if claude has exited.
pub(super) fn await_claude(
    ctx: &Context,
    id: SessionId,
    socket: &Path,
    runner: Option<&str>,
) -> Result<Vec<String>, ApiError> {
    let mut warnings = Vec::new();
    let heard = Client::connect(socket).and_then(|mut client| client.wait_ready(READY_TIMEOUT));
    let readiness = if_reported(heard, |error| ended_at_once(ctx, id, host_error(error)))?;
    match readiness {
        Some(Readiness::Ready) => {}
        None if runner.is_some() => warnings.push(format!(
            "claude has not reported within {} seconds through the runner {}: it is still starting, or its hooks \
             cannot reach this machine, so that only its terminal is shown; check with `beads-console session \
             attach {}` and `beads-console fleet runner {1}`",
            READY_TIMEOUT.as_secs(),
            runner.unwrap_or_default(),
            id.short()
        )),
        None => warnings.push(format!(
            "claude has not reported within {} seconds: it is still starting, or asks a question; check with \
             `beads-console session attach {}`",
            READY_TIMEOUT.as_secs(),
            id.short()
        )),
        Some(Readiness::Exited { note }) => {
            await_host_exit(ctx, id, EXIT_TIMEOUT)?;
            return Err(exited_error(&note, id));
        }
        Some(Readiness::Quiet { screen }) => warnings.push(format!(
            "claude has not reported yet: it may be asking a question; check with `beads-console session attach {}`. \
             Its screen shows: {}",
            id.short(),
            bc_core::text::cut(&bc_core::text::one_line(&screen), 300)
        )),
    }
    Ok(warnings)
}

/// The result of the wait; `None` if the wait timed out. A claude that starts slowly, as on a busy machine,
/// keeps running.
fn if_reported(
    heard: Result<Readiness, ClientError>,
    otherwise: impl FnOnce(ClientError) -> Result<Readiness, ApiError>,
) -> Result<Option<Readiness>, ApiError> {
    match heard {
        Ok(readiness) => Ok(Some(readiness)),
        Err(ClientError::TimedOut(_)) => Ok(None),
        Err(error) => otherwise(error).map(Some),
    }
}

/// Handles a lost connection. A host exits this early only because claude has exited, and it has recorded the
/// reason. Without this record, returns `error`.
fn ended_at_once(ctx: &Context, id: SessionId, error: ApiError) -> Result<Readiness, ApiError> {
    let dir = ctx.store.session(id);
    if bc_host::read_exit_note(&dir).is_none() {
        await_host_exit(ctx, id, EXIT_TIMEOUT)?;
    }
    match bc_host::read_exit_note(&dir) {
        Some(note) => Ok(Readiness::Exited { note }),
        None => Err(error),
    }
}

/// Waits up to `within` for the exit of a host whose claude has exited or is exiting. Then pauses the
/// sessions whose host died without recording claude's exit.
pub(super) fn await_host_exit(ctx: &Context, id: SessionId, within: Duration) -> Result<(), ApiError> {
    let dir = ctx.store.session(id);
    let deadline = Instant::now() + within;
    while dir.try_lock().map_err(store_error)?.is_none() && Instant::now() < deadline {
        // The host's exit releases the lock, which raises no event, so poll.
        std::thread::sleep(Duration::from_millis(20));
    }
    let sessions = ctx.session_lock();
    dead_hosts::pause_all(ctx, &sessions)
}

fn exited_error(note: &bc_host::ExitNote, id: SessionId) -> ApiError {
    let screen = bc_core::text::cut(bc_core::text::plain(&note.screen).trim(), 1_000);
    let output =
        if screen.is_empty() { "it had no output".to_owned() } else { format!("its output:\n{screen}") };
    ApiError::new(
        ErrorCode::ClaudeExited,
        format!("claude ended right after its start ({}); {output}", note.exit),
    )
    .hint(format!(
        "the session is paused; fix the reported problem, then `beads-console session resume {}`",
        id.short()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claude_that_reports_late_has_not_failed() {
        let failed = |error| Err(host_error(error));
        assert_eq!(if_reported(Err(ClientError::TimedOut(READY_TIMEOUT)), failed), Ok(None));
        assert_eq!(if_reported(Ok(Readiness::Ready), failed), Ok(Some(Readiness::Ready)));
        let gone = if_reported(Err(ClientError::Ended), failed).expect_err("the end is unknown");
        assert_eq!(gone.code, ErrorCode::HostUnreachable);
    }
}
