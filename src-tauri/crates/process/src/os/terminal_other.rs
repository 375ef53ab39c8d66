//! This program's own terminal, on systems where this build cannot change its mode.

use crate::size::Size;
use std::io::{self, Read};

pub(crate) struct RawMode;

impl RawMode {
    pub(crate) fn enter() -> io::Result<RawMode> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "attaching to a terminal is not supported on this system yet",
        ))
    }
}

pub(crate) fn window_size() -> Option<Size> {
    None
}

/// Standard input; its reading ends only with the process here.
pub struct StdinKeys;

/// Nothing to stop here.
pub struct StdinKeysStop;

pub(crate) fn keys() -> io::Result<(StdinKeys, StdinKeysStop)> {
    Ok((StdinKeys, StdinKeysStop))
}

impl Read for StdinKeys {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        io::stdin().read(buf)
    }
}
