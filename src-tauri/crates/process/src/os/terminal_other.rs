//! The terminal that this program itself runs in, where this build cannot change its mode.

use crate::size::Size;
use std::io::{self, Read};

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

/// Standard input; it ends with the process here.
pub struct Keys;

/// Nothing to stop here.
pub struct KeysStop;

pub(crate) fn keys() -> io::Result<(Keys, KeysStop)> {
    Ok((Keys, KeysStop))
}

impl Read for Keys {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        io::stdin().read(buf)
    }
}
