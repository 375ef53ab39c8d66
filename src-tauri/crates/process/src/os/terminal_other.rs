//! The terminal that this program itself runs in, where this build cannot change its mode.

use crate::size::Size;
use std::io;

pub(crate) struct RawMode;

impl RawMode {
    pub(crate) fn enter() -> io::Result<RawMode> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "attaching to a terminal is not there on this system yet",
        ))
    }
}

pub(crate) fn window_size() -> Option<Size> {
    None
}
