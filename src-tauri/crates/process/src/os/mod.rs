//! Platform-specific code, with one module per difference and operating system.

#[cfg(target_os = "linux")]
#[path = "wait_with_output_linux.rs"]
mod wait_with_output;
#[cfg(not(target_os = "linux"))]
#[path = "wait_with_output_other.rs"]
mod wait_with_output;

#[cfg(target_os = "linux")]
#[path = "processes_linux.rs"]
mod processes;
#[cfg(target_os = "macos")]
#[path = "processes_macos.rs"]
mod processes;
#[cfg(windows)]
#[path = "processes_windows.rs"]
mod processes;

#[cfg(unix)]
mod outermost_shell;

#[cfg(unix)]
#[path = "signal_unix.rs"]
mod signal;

#[cfg(unix)]
#[path = "login_shell_unix.rs"]
mod login_shell;
#[cfg(windows)]
#[path = "login_shell_windows.rs"]
mod login_shell;

// Parts of the macOS code that make no system calls and can therefore be tested on every system.
#[cfg(any(test, target_os = "macos"))]
mod lineage;
#[cfg(any(test, target_os = "macos"))]
mod proc_args;

#[cfg(unix)]
#[path = "pipe_unix.rs"]
mod pipe;

#[cfg(unix)]
#[path = "pty_unix.rs"]
mod pty;
#[cfg(windows)]
#[path = "pty_windows.rs"]
mod pty;

#[cfg(target_os = "linux")]
#[path = "peer_linux.rs"]
mod peer;
#[cfg(target_os = "macos")]
#[path = "peer_macos.rs"]
mod peer;
#[cfg(unix)]
#[path = "socket_unix.rs"]
mod socket;
#[cfg(windows)]
#[path = "socket_windows.rs"]
mod socket;

#[cfg(unix)]
#[path = "detach_unix.rs"]
mod detach;
#[cfg(windows)]
#[path = "detach_windows.rs"]
mod detach;

#[cfg(unix)]
#[path = "descriptors_unix.rs"]
mod descriptors;
#[cfg(windows)]
#[path = "descriptors_windows.rs"]
mod descriptors;

#[cfg(unix)]
#[path = "terminal_unix.rs"]
mod terminal;
#[cfg(windows)]
#[path = "terminal_windows.rs"]
mod terminal;

#[cfg(windows)]
#[path = "console_windows.rs"]
mod console;
#[cfg(windows)]
#[path = "environment_windows.rs"]
mod environment;
#[cfg(windows)]
#[path = "free_memory_windows.rs"]
mod free_memory;
#[cfg(windows)]
#[path = "handle_windows.rs"]
mod handle;
#[cfg(windows)]
#[path = "job_windows.rs"]
mod job;
#[cfg(windows)]
#[path = "pipe_windows.rs"]
mod pipe;
#[cfg(windows)]
#[path = "signals_windows.rs"]
mod signals;
#[cfg(windows)]
#[path = "spawn_windows.rs"]
mod spawn;
#[cfg(windows)]
#[path = "user_windows.rs"]
mod user;

pub(crate) use descriptors::descriptor_limit;
#[cfg(unix)]
pub(crate) use detach::watch_signals;
pub(crate) use detach::{close_on_exec, hide_stdout, spawn_detached};
#[cfg(windows)]
pub use free_memory::free_mib;
pub(crate) use login_shell::login_shell;
#[cfg(unix)]
pub(crate) use peer::{peer_is_us, peer_of};
#[cfg(windows)]
pub(crate) use processes::kill_group;
pub(crate) use processes::{
    become_subreaper, environment_of, identity_of, is_listed, list, outermost_shell_of, reap_ended_children,
    send, wait_ended,
};
pub use pty::{PtyReader, PtyWriter};
pub(crate) use pty::{PtyTerminal, TerminalChild};
#[cfg(windows)]
pub(crate) use signals::watch_signals;
pub use socket::{Listener, Stream};
pub(crate) use socket::{bind, connect, make_private_dir, try_send, user_tag, wait_readable};
#[cfg(not(unix))]
pub(crate) use socket::{peer_is_us, peer_of};
#[cfg(windows)]
pub(crate) use spawn::NO_WINDOW;
pub(crate) use terminal::{RawMode, keys, window_size};
pub use terminal::{StdinKeys, StdinKeysStop};
pub(crate) use wait_with_output::wait_with_output;
