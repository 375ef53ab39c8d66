//! The terminal that this program itself runs in, on Unix.

use crate::size::Size;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::io::{self, IsTerminal};

/// Raw while it lives; the former state comes back when it is dropped, on a panic too.
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
        // Nothing can be done about a terminal that is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.0);
    }
}

pub(crate) fn window_size() -> Option<Size> {
    let size = tcgetwinsize(io::stdout()).or_else(|_| tcgetwinsize(io::stdin())).ok()?;
    (size.ws_row > 0 && size.ws_col > 0).then(|| Size::new(size.ws_row, size.ws_col))
}
