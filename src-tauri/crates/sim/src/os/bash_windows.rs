//! The Bash tool on Windows. Runs command lines in cmd.exe.

use crate::{command_end::Ended, shared::Shared};
use bc_process::run::{Program, RunError};
use std::{sync::Arc, time::Duration};

/// The time limit for a command, as in claude.
const LONGEST: Duration = Duration::from_secs(120);

/// The maximum number of bytes kept of each of stdout and stderr.
const KEPT: usize = 30_000;

/// Runs a command line until it exits, the user presses Esc, or [`LONGEST`] has passed.
pub(crate) fn bash(line: &str, shared: &Arc<Shared>) -> Result<Ended, RunError> {
    let program = Program::cmd(line).env("NO_COLOR", "1").cwd(&shared.cwd).cap(KEPT);
    let waker = Arc::clone(shared);
    let until_interrupted = |is_done: &dyn Fn() -> bool| {
        shared.interrupt.wait(LONGEST, is_done);
    };
    let done = program.run_until(move || waker.interrupt.wake(), until_interrupted)?;
    let Some(done) = done else {
        return Ok(Ended { code: None, output: String::new(), interrupted: shared.interrupt.requested() });
    };
    let output = bc_core::text::plain(&format!("{}{}", done.out(), done.err()).replace("\r\n", "\n"));
    Ok(Ended { code: done.code.map(i32::cast_unsigned), output, interrupted: false })
}
