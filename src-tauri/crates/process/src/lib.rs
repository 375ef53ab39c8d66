//! Processes, PTYs, terminal state and local sockets.
//!
//! Except for tests and tools, only this crate starts programs. Arguments are vectors, never command lines,
//! except for cmd.exe on Windows ([`run::Program`]). Every child has one owner, and every descendant of a
//! child can be found and terminated ([`descendants`]).

mod captured_output;
pub mod child_reaper;
pub mod contained_process;
pub mod descendants;
pub mod descriptors;
pub mod detach;
mod detached_command;
pub mod exit_reaped;
pub mod find;
pub mod foreground;
pub mod free_memory;
mod handled_signal;
pub mod login_path;
mod os;
pub mod pending;
pub mod piped;
pub mod private_env;
mod process_entry;
pub mod pty;
mod pty_command;
pub mod run;
pub mod screen;
pub mod signals;
pub mod size;
pub mod socket;
pub mod supervised_child;
pub mod terminal;
