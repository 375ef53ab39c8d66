//! The terminal of this process: raw mode, input and size.

use crate::{os, size::Size};
use std::io;

/// Raw mode, in which keys arrive one by one and without echo. Dropping this value restores the previous
/// mode.
pub struct Raw(#[allow(dead_code, reason = "held for its drop")] os::RawMode);

/// Switches the terminal on standard input to raw mode. Returns an error if standard input is not a terminal.
pub fn raw() -> io::Result<Raw> {
    os::RawMode::enter().map(Raw)
}

pub use crate::os::{StdinKeys, StdinKeysStop};

/// Returns unbuffered standard input. Dropping the second value makes a blocked read return.
pub fn input() -> io::Result<(StdinKeys, StdinKeysStop)> {
    os::keys()
}

/// Returns the size of the terminal on standard output or, on Unix, on standard input. `None` without a
/// terminal.
pub fn size() -> Option<Size> {
    os::window_size()
}
