//! The limits of a client's flow control.

use bc_core::terminal::WINDOW;
use std::time::Duration;

/// The limits of a client's flow control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowLimits {
    /// The size in bytes up to which outputs are merged.
    pub chunk: usize,
    /// The maximum number of bytes that are sent and not acknowledged.
    pub window: usize,
    /// The number of queued bytes from which the pipe is no longer read.
    pub queue: usize,
    /// How long a client may stall with a full queue before its output is dropped.
    pub patience: Duration,
}

impl FlowLimits {
    /// Chunks of 64 KiB, a window of 1 MiB, a queue of 256 KiB, a patience of one second.
    pub const DEFAULT: FlowLimits =
        FlowLimits { chunk: 64 << 10, window: WINDOW, queue: 256 << 10, patience: Duration::from_secs(1) };
}

impl Default for FlowLimits {
    fn default() -> Self {
        FlowLimits::DEFAULT
    }
}
