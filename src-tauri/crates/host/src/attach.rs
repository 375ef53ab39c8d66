//! Attaches the session's terminal to the user's terminal. Keys go to claude, and claude's output is shown,
//! until the detach key is pressed or the host exits. Afterwards, the previous screen is restored.

use crate::{
    client::{ClientError, connect_terminal},
    frame::{self, Frame},
    protocol::{Call, Request, View},
};
use bc_process::{
    signals::{self, HandledSignal},
    size::Size,
    socket::Stream,
    terminal,
};
use std::{
    io::{self, Read, Write},
    net::Shutdown,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Ctrl+], as a plain byte and in the encodings of newer keyboard protocols.
const DETACH: [&[u8]; 3] = [b"\x1d", b"\x1b[93;5u", b"\x1b[27;5;93~"];

/// Switches to the alternate screen, to preserve the main screen.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[2J\x1b[H";

/// Turns off every mode that claude may have enabled, and restores the main screen.
const LEAVE: &[u8] =
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\
    \x1b[?2004l\x1b[?2031l\x1b[?1l\x1b>\x1b[<99u\x1b[>4m\x1b[r\x1b[?7h\x1b[0m\x1b[0 q\x1b[?1049l\x1b[?25h";

/// How an attachment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachEnd {
    /// The detach key was pressed, or the local terminal was closed, or this process was asked to end.
    Detached,
    /// The connection to the host ended, usually because the session was paused or closed, or claude exited.
    HostEnded,
}

/// The reason that the local terminal could not be attached.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// Standard input or output is not a terminal.
    #[error("attaching requires a terminal on standard input and output: {0}")]
    NoTerminal(#[source] io::Error),
    /// Communication with the host failed.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// Watching for signals failed.
    #[error("cannot watch signals: {0}")]
    Signals(#[source] io::Error),
}

/// Attaches the session's terminal to the local terminal. Returns how the attachment ended.
pub fn attach(socket: &Path) -> Result<AttachEnd, AttachError> {
    let size = terminal::size().unwrap_or_default();
    let raw = terminal::raw().map_err(AttachError::NoTerminal)?;
    let (keys, stop_keys) = terminal::input().map_err(AttachError::NoTerminal)?;
    let mut stream = connect_terminal(socket, size, View::Visible)?;
    let sender = Arc::new(Sender {
        stream: Mutex::new(stream.try_clone().map_err(frame::FrameError::Io).map_err(ClientError::from)?),
        detached: AtomicBool::new(false),
        output_ended: AtomicBool::new(false),
    });
    let watched = sender.clone();
    signals::watch(
        &[HandledSignal::Resized, HandledSignal::Terminate, HandledSignal::HangUp],
        move |signal| match signal {
            HandledSignal::Resized => terminal::size().is_none_or(|size| watched.resize(size)),
            _ => {
                watched.detach();
                false
            }
        },
    )
    .map_err(AttachError::Signals)?;

    let screen = OwnScreen::enter();
    let key_sender = sender.clone();
    let key_thread = thread::spawn(move || key_sender.send_keys(keys));
    draw(&mut stream);
    sender.output_ended.store(true, Ordering::Release);
    drop(stop_keys);
    let _ = key_thread.join();
    drop(screen);
    drop(raw);
    Ok(match sender.detached.load(Ordering::Acquire) {
        true => AttachEnd::Detached,
        false => AttachEnd::HostEnded,
    })
}

/// The alternate screen of the local terminal; dropping it restores the main screen.
struct OwnScreen;

impl OwnScreen {
    fn enter() -> OwnScreen {
        put(ENTER);
        OwnScreen
    }
}

impl Drop for OwnScreen {
    fn drop(&mut self) {
        put(LEAVE);
    }
}

fn put(bytes: &[u8]) -> bool {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).is_ok()
}

/// Draws output until the connection or the local terminal is closed.
fn draw(stream: &mut Stream) {
    while let Ok(Some(frame)) = frame::read(stream) {
        if let Some((_, bytes)) = frame.as_output()
            && !put(bytes)
        {
            break;
        }
    }
}

/// The sending half of the connection, shared by the key reader and the signal watcher.
struct Sender {
    stream: Mutex<Stream>,
    detached: AtomicBool,
    output_ended: AtomicBool,
}

impl Sender {
    fn send(&self, frame: &Frame) -> bool {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        frame::write(&mut *stream, frame).is_ok()
    }

    fn resize(&self, size: Size) -> bool {
        self.send(&Frame::control(&Request { request: 0, call: Call::Resize { size } }))
    }

    /// Closes the connection, which also ends the output loop.
    fn detach(&self) {
        self.detached.store(true, Ordering::Release);
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn send_keys(&self, mut keys: impl Read) {
        let mut chunk = [0; 16 * 1024];
        while let Ok(n) = keys.read(&mut chunk)
            && n > 0
        {
            let (typed, detach) = before_detach(&chunk[..n]);
            let sent = typed.is_empty() || self.send(&Frame::input(typed));
            if detach {
                return self.detach();
            }
            if !sent {
                return;
            }
        }
        // Unless the host exited, the local terminal was closed.
        if !self.output_ended.load(Ordering::Acquire) {
            self.detach();
        }
    }
}

/// The keys before the detach key, and whether the detach key was pressed.
fn before_detach(typed: &[u8]) -> (&[u8], bool) {
    let first =
        DETACH.iter().filter_map(|key| typed.windows(key.len()).position(|window| window == *key)).min();
    (&typed[..first.unwrap_or(typed.len())], first.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detach_key_is_found_in_every_encoding_and_not_sent() {
        assert_eq!(before_detach(b"abc"), (&b"abc"[..], false));
        assert_eq!(before_detach(b"ab\x1dc"), (&b"ab"[..], true));
        assert_eq!(before_detach(b"\x1b[93;5u"), (&b""[..], true));
        assert_eq!(before_detach(b"x\x1b[27;5;93~"), (&b"x"[..], true));
        assert_eq!(before_detach(b"\x1b[93u"), (&b"\x1b[93u"[..], false));
    }
}
