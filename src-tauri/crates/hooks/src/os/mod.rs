//! What differs by system: the shell, where programs are, how a file is made executable.

#[cfg(unix)]
#[path = "shell_unix.rs"]
mod shell;
#[cfg(not(unix))]
#[path = "shell_windows.rs"]
mod shell;

pub(crate) use shell::{SYSTEM_PATH, is_executable, make_executable, pick, quote, shell};
