//! A session's terminal in this one.

use crate::{commands, failure::Failure, io::Io};
use bc_core::ids::SessionId;
use bc_engine::Programs;
use bc_host::{AttachEnd, AttachError};
use bc_wire::{ApiError, ErrorCode, api::Api, session::SessionRef};
use std::path::Path;

/// Attaches until the person leaves or the session's host ends, then says how things stand.
pub(crate) fn attach(socket: &Path, id: SessionId, start: &Path, io: &mut dyn Io) -> Result<(), Failure> {
    let short = id.short();
    match bc_host::attach(socket).map_err(|e| refused(&short, &e))? {
        AttachEnd::Detached => {
            let text = format!("left; the session goes on: beads-console session attach {short}\n");
            Ok(io.out().write_all(text.as_bytes())?)
        }
        AttachEnd::HostEnded => {
            let ended = Programs::beside_current_exe()
                .and_then(|programs| bc_engine::connect(start, programs))
                .and_then(|connection| connection.api().session_show(SessionRef { id }));
            match ended {
                Ok(session) => commands::terminal_ended(&session, io),
                Err(_) => {
                    let text = format!("its terminal has ended: beads-console session show {short}\n");
                    Ok(io.out().write_all(text.as_bytes())?)
                }
            }
        }
    }
}

fn refused(short: &str, error: &AttachError) -> ApiError {
    match error {
        AttachError::NoTerminal(_) => ApiError::new(ErrorCode::Usage, error.to_string()),
        AttachError::Client(_) => ApiError::new(
            ErrorCode::HostUnreachable,
            format!("session {short} cannot be attached to: {error}"),
        )
        .hint(format!("`beads-console session show {short}` says how it is")),
        AttachError::Signals(_) => ApiError::new(ErrorCode::Io, error.to_string()),
    }
}
