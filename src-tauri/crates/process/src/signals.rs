//! The signals that this program handles.

use crate::os;
use std::io;

/// A signal by its meaning for this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandledSignal {
    /// A request to end.
    Terminate,
    /// The terminal is gone.
    HangUp,
    /// Ctrl+C.
    Interrupt,
    /// A child has ended.
    Child,
    /// The terminal was resized.
    Resized,
}

/// Calls `act` for each of these signals on its own thread, until it returns false. It replaces the signals' default
/// actions.
pub fn watch(
    wanted: &[HandledSignal],
    act: impl FnMut(HandledSignal) -> bool + Send + 'static,
) -> io::Result<()> {
    os::watch_signals(wanted, Box::new(act))
}
