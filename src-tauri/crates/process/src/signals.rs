//! The signals that this program answers to.

use crate::os;
use std::io;

/// A signal by what it means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Somebody asks the program to end.
    Terminate,
    /// The terminal is gone.
    HangUp,
    /// Ctrl+C.
    Interrupt,
    /// A child ended.
    Child,
    /// The terminal has a new size.
    Resized,
}

/// Calls `act` for each of the wanted signals, in a thread of its own, until it returns false. The
/// signals' default effects are off from now on.
pub fn watch(wanted: &[Wanted], act: impl FnMut(Wanted) -> bool + Send + 'static) -> io::Result<()> {
    os::watch_signals(wanted, Box::new(act))
}
