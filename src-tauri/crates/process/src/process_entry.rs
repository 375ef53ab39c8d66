//! A process in the system's process list, and the signals that can be sent to it.

use serde::{Deserialize, Serialize};

/// Identifies one process. The start time distinguishes it from a later process with the same pid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    pub pid: u32,
    /// The start time: ticks since boot on Linux, microseconds since 1970 on macOS, units of 100 ns since
    /// 1601 on Windows.
    pub start: u64,
}

/// A signal to a process. On Windows, [`Signal::Cont`] and [`Signal::Stop`] have no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Terminate gracefully.
    Term,
    /// Terminate immediately.
    Kill,
    /// Hang up: the terminal was closed.
    Hup,
    /// Interrupt the current work.
    Int,
    /// Continue after a stop.
    Cont,
    /// Stop unconditionally. A stopped process cannot start children.
    Stop,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessEntry {
    pub(crate) identity: Identity,
    pub(crate) parent: u32,
    pub(crate) name: String,
    pub(crate) ended: bool,
}
