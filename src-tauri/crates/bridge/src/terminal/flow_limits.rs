//! The limits of a client's flow control.

use bc_core::terminal::WINDOW;
use std::time::Duration;

/// The limits of a client's queued and unacknowledged output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowLimits {
    /// The maximum size of an output frame in bytes. Smaller outputs are merged, and larger ones split.
    pub chunk: usize,
    /// The maximum number of sent and unacknowledged bytes, unless a single screen is larger.
    pub window: usize,
    /// The number of queued bytes at which reading the session's output stops.
    pub queue: usize,
    /// How long a client with a full queue may be inactive before its output is dropped.
    pub patience: Duration,
}

impl FlowLimits {
    /// 64 KiB per chunk, 1 MiB unacknowledged, 256 KiB queued, and one second.
    pub const DEFAULT: FlowLimits =
        FlowLimits { chunk: 64 << 10, window: WINDOW, queue: 256 << 10, patience: Duration::from_secs(1) };
}
