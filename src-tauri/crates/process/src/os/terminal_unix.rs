//! The terminal of this process on Unix.

use super::pipe::pipe;
use crate::size::Size;
use rustix::{
    event::{PollFd, PollFlags, poll},
    fd::OwnedFd,
    io::Errno,
    termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr},
};
use std::io::{self, IsTerminal, Read};

/// Raw mode while this value exists. Dropping it restores the previous mode, even during a panic.
pub(crate) struct RawMode(Termios);

impl RawMode {
    pub(crate) fn enter() -> io::Result<RawMode> {
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard input is not a terminal"));
        }
        let before = tcgetattr(&stdin)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&stdin, OptionalActions::Now, &raw)?;
        Ok(RawMode(before))
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        // Ignore an error: if the terminal was closed, nothing can be restored.
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.0);
    }
}

pub(crate) fn window_size() -> Option<Size> {
    let size = tcgetwinsize(io::stdout()).or_else(|_| tcgetwinsize(io::stdin())).ok()?;
    (size.ws_row > 0 && size.ws_col > 0).then(|| Size::new(size.ws_row, size.ws_col))
}

/// Reads standard input until [`StdinKeysStop`] is dropped.
pub struct StdinKeys {
    wake: OwnedFd,
}

/// Stops the reader when it is dropped.
pub struct StdinKeysStop(#[allow(dead_code, reason = "closed when it is dropped")] OwnedFd);

pub(crate) fn keys() -> io::Result<(StdinKeys, StdinKeysStop)> {
    let (woken, wake) = pipe()?;
    Ok((StdinKeys { wake: woken }, StdinKeysStop(wake)))
}

impl Read for StdinKeys {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let stdin = io::stdin();
        loop {
            let mut wanted = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.wake, PollFlags::IN)];
            match poll(&mut wanted, None) {
                Ok(_) if !wanted[1].revents().is_empty() => return Ok(0),
                // Bypass the standard library's buffer, because `poll` does not report buffered bytes.
                Ok(_) => match rustix::io::read(&stdin, &mut *buf) {
                    Ok(n) => return Ok(n),
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                },
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
