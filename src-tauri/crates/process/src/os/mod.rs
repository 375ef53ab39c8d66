//! Differences between operating systems, one module per difference. Linux is the tested one; the other modules
//! report what they do not support.

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
#[cfg(not(unix))]
#[path = "processes_other.rs"]
mod processes;

#[cfg(unix)]
mod outermost_shell;

// The parts of macOS without system calls, which are tested everywhere.
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
#[cfg(not(unix))]
#[path = "pty_other.rs"]
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
#[cfg(not(unix))]
#[path = "socket_other.rs"]
mod socket;

#[cfg(unix)]
#[path = "detach_unix.rs"]
mod detach;
#[cfg(not(unix))]
#[path = "detach_other.rs"]
mod detach;

#[cfg(unix)]
#[path = "descriptors_unix.rs"]
mod descriptors;
#[cfg(not(unix))]
#[path = "descriptors_other.rs"]
mod descriptors;

#[cfg(unix)]
#[path = "terminal_unix.rs"]
mod terminal;
#[cfg(not(unix))]
#[path = "terminal_other.rs"]
mod terminal;

pub(crate) use descriptors::descriptor_limit;
pub(crate) use detach::{close_on_exec, hide_stdout, inherit, watch_signals};
#[cfg(unix)]
pub(crate) use peer::{peer_is_us, peer_of};
pub(crate) use processes::{
    become_subreaper, environment_of, identity_of, is_listed, list, outermost_shell_of, reap_ended_children,
    send, wait_ended,
};
pub use pty::{PtyReader, PtyWriter};
pub(crate) use pty::{Wake, pty_ends, spawn_with_input};
pub use socket::{Listener, Stream};
pub(crate) use socket::{bind, connect, make_private_dir, try_send, user_tag, wait_readable};
#[cfg(not(unix))]
pub(crate) use socket::{peer_is_us, peer_of};
#[cfg(unix)]
pub(crate) use socket::{receive_descriptor, send_descriptor, wait_either_readable};
pub(crate) use terminal::{RawMode, keys, window_size};
pub use terminal::{StdinKeys, StdinKeysStop};
pub(crate) use wait_with_output::wait_with_output;
