//! The reaper as a separate program, for the tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(bc_hooks::RUN_VERB) => bc_hooks::run_verb(),
        _ => ExitCode::from(2),
    }
}
