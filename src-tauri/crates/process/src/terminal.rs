//! The terminal that this program itself runs in: raw mode, and its size.

use crate::{os, size::Size};
use std::io;

/// Keys come one by one and unechoed while it lives; dropping it restores what was.
pub struct Raw(#[allow(dead_code, reason = "held for its drop")] os::RawMode);

/// Makes the terminal on standard input raw. An error where it is none.
pub fn raw() -> io::Result<Raw> {
    os::RawMode::enter().map(Raw)
}

pub use crate::os::{Keys, KeysStop};

/// Standard input, unbuffered, whose reading can be ended by dropping the other half.
pub fn input() -> io::Result<(Keys, KeysStop)> {
    os::keys()
}

/// The size of the terminal on standard output or input; `None` where there is none.
pub fn size() -> Option<Size> {
    os::window_size()
}
