//! The hidden command `errand`: reads a session host's helper request from standard input and writes the
//! report to standard output.

use bc_host::HelperRequest;
use bc_wire::{ApiError, ErrorCode};
use std::{
    io::{Read, Write},
    process::ExitCode,
};

/// The maximum size of a request in bytes, far larger than any request of a host.
const REQUEST_MAX: u64 = 64 << 20;

/// Answers one helper request. Errors go to standard error, for the host.
pub(crate) fn run() -> ExitCode {
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::warn!(code = error.code.as_str(), "a helper request failed");
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn answer() -> Result<(), ApiError> {
    let mut input = Vec::new();
    let io = |error: std::io::Error| ApiError::new(ErrorCode::Io, format!("helper request failed: {error}"));
    std::io::stdin().lock().take(REQUEST_MAX).read_to_end(&mut input).map_err(io)?;
    let request: HelperRequest = serde_json::from_slice(&input)
        .map_err(|error| ApiError::new(ErrorCode::Usage, format!("invalid helper request: {error}")))?;
    let report = match bc_remote::is_place_project(&request.project_root) {
        true => {
            bc_remote::ask_home(request).map_err(|why| ApiError::new(ErrorCode::MachineUnreachable, why))?
        }
        false => bc_engine::run_helper_request(request)?,
    };
    let printed = serde_json::to_vec(&report).map_err(|error| {
        ApiError::new(ErrorCode::Internal, format!("cannot serialize the report: {error}"))
    })?;
    let mut out = std::io::stdout().lock();
    out.write_all(&printed).and_then(|()| out.flush()).map_err(io)
}
