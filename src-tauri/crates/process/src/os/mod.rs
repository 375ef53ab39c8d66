//! What differs by system, one module per difference. Linux is what is tested; the others keep the
//! program honest: what they cannot do they say.

#[cfg(target_os = "linux")]
#[path = "attend_linux.rs"]
mod attend;
#[cfg(not(target_os = "linux"))]
#[path = "attend_other.rs"]
mod attend;

#[cfg(target_os = "linux")]
#[path = "processes_linux.rs"]
mod processes;
#[cfg(all(unix, not(target_os = "linux")))]
#[path = "processes_unix.rs"]
mod processes;
#[cfg(not(unix))]
#[path = "processes_other.rs"]
mod processes;

#[cfg(target_os = "linux")]
#[path = "memory_linux.rs"]
mod memory;
#[cfg(not(target_os = "linux"))]
#[path = "memory_other.rs"]
mod memory;

#[cfg(target_os = "linux")]
#[path = "processor_linux.rs"]
mod processor;
#[cfg(not(target_os = "linux"))]
#[path = "processor_other.rs"]
mod processor;

#[cfg(unix)]
#[path = "pty_unix.rs"]
mod pty;
#[cfg(not(unix))]
#[path = "pty_other.rs"]
mod pty;

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
#[path = "terminal_unix.rs"]
mod terminal;
#[cfg(not(unix))]
#[path = "terminal_other.rs"]
mod terminal;

pub(crate) use attend::attend;
pub(crate) use detach::{close_on_exec, hide_stdout, inherit, watch_signals};
pub(crate) use memory::{grow_in_large_steps, let_go_of_code};
pub(crate) use processes::{
    become_subreaper, environment_of, identity_of, is_listed, line_of, list, reap_ended_children, send,
    wait_gone,
};
pub(crate) use processor::{Thread, answers_at_once};
pub use pty::{PtyReader, PtyWriter};
pub(crate) use pty::{Wake, pty_ends};
pub use socket::{Listener, Stream};
pub(crate) use socket::{
    bind, connect, make_private_dir, peer_is_us, peer_of, send_now, user_tag, wait_readable,
};
#[cfg(unix)]
pub(crate) use socket::{receive_with, send_with, wait_readable_of};
pub use terminal::{Keys, KeysStop};
pub(crate) use terminal::{RawMode, keys, window_size};
