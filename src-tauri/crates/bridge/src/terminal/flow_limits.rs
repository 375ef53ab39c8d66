//! The limits of the flow control.

use bc_core::terminal::WINDOW;
use std::time::Duration;

/// The limits of the flow control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowLimits {
    /// Outputs are merged up to this number of bytes.
    pub chunk: usize,
    /// The maximum bytes sent and not acknowledged.
    pub window: usize,
    /// The maximum bytes queued before the pipe is no longer read.
    pub queue: usize,
    /// How long a client may stall with a full queue before it is cut.
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
