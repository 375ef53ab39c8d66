//! The socket of a live session's host, and connections to it.

use crate::context::{
    Context, Project,
    errors::{chain, host_error, store_error},
};
use bc_core::{
    ids::SessionId,
    session::{Meta, Status},
};
use bc_host::{Client, protocol};
use bc_store::{SessionDir, SessionStore};
use bc_wire::{ApiError, ErrorCode};
use std::path::PathBuf;

/// The path of the socket on which this user's host of the session listens.
pub(crate) fn expected_socket_path(id: SessionId) -> Result<PathBuf, ApiError> {
    bc_host::socket_path(id).map_err(|e| {
        ApiError::new(ErrorCode::HostUnreachable, chain(&e))
            .hint("set XDG_RUNTIME_DIR to one of your folders with a short path")
    })
}

/// The socket of an active session's host. The path in the session's files can be outdated or come from the
/// repository, so only the expected path is accepted.
pub(crate) fn active_host_socket(project: &Project, id: SessionId) -> Result<PathBuf, ApiError> {
    let dir = SessionStore::at(&project.beads_dir).session(id);
    let meta = dir.meta().map_err(store_error)?;
    if meta.status != Status::Active {
        return Err(not_running(&meta));
    }
    verified_socket(&dir).ok_or_else(|| not_running(&meta))
}

pub(crate) fn verified_socket(dir: &SessionDir) -> Option<PathBuf> {
    let host = dir.host().ok().flatten()?;
    let expected = expected_socket_path(dir.id()).ok()?;
    (host.socket == expected).then_some(host.socket)
}

pub(crate) fn not_running(meta: &Meta) -> ApiError {
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

pub(crate) fn connect(ctx: &Context, id: SessionId) -> Result<Client, ApiError> {
    Client::connect(&active_host_socket(&ctx.project, id)?).map_err(host_error)
}

/// The status that an active session's host reports; `None` if the host does not answer.
pub(crate) fn query_status(ctx: &Context, id: SessionId) -> Option<protocol::HostStatus> {
    let mut client = Client::connect(&verified_socket(&ctx.store.session(id))?).ok()?;
    client.status().ok()
}
