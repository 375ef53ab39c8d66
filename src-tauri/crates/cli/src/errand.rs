//! The hidden verb `errand`: a session's host asks on standard input and reads the answer.

use bc_host::Errand;
use bc_wire::{ApiError, ErrorCode};
use std::{
    io::{Read, Write},
    process::ExitCode,
};

/// The longest errand that is read: what a host remembers has bounds far below.
const ERRAND_MAX: u64 = 64 << 20;

/// Runs one errand. What fails is said on standard error, for the host.
pub(crate) fn run() -> ExitCode {
    match errand() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn errand() -> Result<(), ApiError> {
    let mut input = Vec::new();
    let io = |error: std::io::Error| ApiError::new(ErrorCode::Io, format!("the errand broke off: {error}"));
    std::io::stdin().lock().take(ERRAND_MAX).read_to_end(&mut input).map_err(io)?;
    let errand: Errand = serde_json::from_slice(&input)
        .map_err(|error| ApiError::new(ErrorCode::Usage, format!("this is no errand: {error}")))?;
    let report = bc_engine::run_errand(errand)?;
    let printed = serde_json::to_vec(&report)
        .map_err(|error| ApiError::new(ErrorCode::Internal, format!("a report is not JSON: {error}")))?;
    let mut out = std::io::stdout().lock();
    out.write_all(&printed).and_then(|()| out.flush()).map_err(io)
}
