//! The Bash tool on Windows. Runs command lines in cmd.exe, which every Windows installation includes.

use crate::{command_end::Ended, shared::Shared};
use bc_process::run::{Program, RunError};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// The time limit for a command, as in claude.
const LONGEST: Duration = Duration::from_secs(120);

/// The maximum number of bytes kept of each of stdout and stderr.
const KEPT: usize = 30_000;

/// The environment variable that passes the command line to cmd.exe, which has its own quoting rules for
/// arguments.
const LINE: &str = "BEADS_CONSOLE_SIM_LINE";

/// Runs a command line until it exits, the user presses Esc, or [`LONGEST`] has passed.
pub(crate) fn bash(line: &str, shared: &Arc<Shared>) -> Result<Ended, RunError> {
    let shell =
        std::env::var_os("ComSpec").map_or_else(|| r"C:\Windows\System32\cmd.exe".into(), PathBuf::from);
    let program = Program::new(shell).args(["/d", "/c", "%BEADS_CONSOLE_SIM_LINE%"]).env(LINE, line);
    let program = program.env("NO_COLOR", "1").cwd(&shared.cwd).cap(KEPT);
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
