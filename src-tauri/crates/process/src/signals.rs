//! Watches for signals, such as SIGTERM and SIGWINCH.

use crate::os;
use std::io;

pub use crate::handled_signal::HandledSignal;

/// Calls `act` for each of the wanted signals on a separate thread, until `act` returns false. Replaces the
/// signals' default actions.
pub fn watch(
    wanted: &[HandledSignal],
    act: impl FnMut(HandledSignal) -> bool + Send + 'static,
) -> io::Result<()> {
    os::watch_signals(wanted, Box::new(act))
}
