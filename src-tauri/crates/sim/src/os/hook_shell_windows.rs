//! The shell that runs hooks on Windows.

use bc_process::{find::find, run::Program};

/// Runs a command line as claude does for hooks, in Git Bash. Without Git Bash, only a program with its
/// arguments works.
pub(crate) fn shell(line: &str) -> Program {
    if let Some(bash) = find("bash", None) {
        return Program::new(bash).args(["-c", line]);
    }
    match shell_words::split(line).as_deref() {
        Ok([program, args @ ..]) => Program::new(program).args(args),
        Ok([]) | Err(_) => Program::new(line),
    }
}
