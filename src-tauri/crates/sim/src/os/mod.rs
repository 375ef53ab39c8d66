//! Differences between operating systems: the shell of the Bash tool and of hooks.

#[cfg(unix)]
#[path = "bash_unix.rs"]
mod bash;
#[cfg(windows)]
#[path = "bash_windows.rs"]
mod bash;

#[cfg(unix)]
#[path = "hook_shell_unix.rs"]
mod hook_shell;
#[cfg(windows)]
#[path = "hook_shell_windows.rs"]
mod hook_shell;

pub(crate) use bash::bash;
pub(crate) use hook_shell::shell;
