//! Differences between operating systems: the shell, the folders of programs, executable files.

#[cfg(unix)]
#[path = "shell_unix.rs"]
mod shell;
#[cfg(not(unix))]
#[path = "shell_windows.rs"]
mod shell;

pub(crate) use shell::{SYSTEM_PATH, is_executable, make_executable, pick, quote, shell};
