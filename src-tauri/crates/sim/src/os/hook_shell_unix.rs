//! The shell that runs hooks on Unix.

use bc_process::run::Program;

/// Runs a command line in the system's shell, as claude does for hooks.
pub(crate) fn shell(line: &str) -> Program {
    Program::new("/bin/sh").args(["-c", line])
}
