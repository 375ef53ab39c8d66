//! `session attach`: a session's terminal in this terminal.

use crate::{commands, failure::Failure, io::Io};
use bc_core::ids::SessionId;
use bc_engine::Programs;
use bc_host::{AttachEnd, AttachError};
use bc_wire::{ApiError, ErrorCode, api::Api, session::SessionRef};
use std::path::Path;

/// Attaches until the user detaches or the session's host ends. Then prints how to attach again, or the session's
/// state.
pub(crate) fn attach(socket: &Path, id: SessionId, start: &Path, io: &mut dyn Io) -> Result<(), Failure> {
    let short = id.short();
    match bc_host::attach(socket).map_err(|e| refused(&short, &e))? {
        AttachEnd::Detached => Ok(writeln!(
            io.out(),
            "detached; the session keeps running: beads-console session attach {short}"
        )?),
        AttachEnd::HostEnded => {
            let ended = Programs::beside_current_exe()
                .and_then(|programs| bc_engine::connect(start, programs))
                .and_then(|connection| connection.api().session_show(SessionRef { id }));
            match ended {
                Ok(session) => commands::terminal_ended(&session, io),
                Err(_) => {
                    Ok(writeln!(io.out(), "the terminal has ended: beads-console session show {short}")?)
                }
            }
        }
    }
}

fn refused(short: &str, error: &AttachError) -> ApiError {
    match error {
        AttachError::NoTerminal(_) => ApiError::new(ErrorCode::Usage, error.to_string()),
        AttachError::Client(_) => {
            ApiError::new(ErrorCode::HostUnreachable, format!("cannot attach to session {short}: {error}"))
                .hint(format!("`beads-console session show {short}` shows its state"))
        }
        AttachError::Signals(_) => ApiError::new(ErrorCode::Io, error.to_string()),
    }
}
