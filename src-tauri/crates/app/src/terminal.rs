//! A session's terminal for the bridge, connected to the socket of the session's host.

use crate::terminal_frames::TerminalFrames;
use bc_bridge::{TerminalFrame, TerminalPipe};
use bc_host::{
    ClientError, connect_terminal,
    frame::{self, Frame, FrameError},
    protocol::{Call, Request, View},
};
use bc_process::{size::Size, socket::Stream};
use std::{
    io,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The terminal of one client, on a connection to the session's host.
pub(crate) struct HostTerminal {
    reader: Mutex<TerminalFrames>,
    writer: Mutex<Stream>,
    /// A handle with which another thread ends a blocked read.
    ender: Stream,
}

impl HostTerminal {
    pub(crate) fn connect(socket: &Path, size: (u16, u16)) -> Result<HostTerminal, ClientError> {
        let stream = connect_terminal(socket, sized(size), View::Whole)?;
        let copy = || stream.try_clone().map_err(FrameError::Io);
        let reader = TerminalFrames::new(copy()?);
        Ok(HostTerminal { writer: copy()?.into(), ender: stream, reader: reader.into() })
    }

    fn send(&self, frame: &Frame) -> io::Result<()> {
        frame::write(&mut *lock(&self.writer), frame).map_err(io::Error::other)
    }
}

impl TerminalPipe for HostTerminal {
    fn read(&self) -> io::Result<TerminalFrame> {
        lock(&self.reader).next()
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        bytes.chunks(frame::MAX / 4).try_for_each(|part| self.send(&Frame::input(part)))
    }

    fn resize(&self, size: (u16, u16)) -> io::Result<()> {
        self.send(&Frame::control(&Request { request: 0, call: Call::Resize { size: sized(size) } }))
    }

    /// Does nothing: the host detects a slow client by its unread output.
    fn ack(&self, _offset: u64) {}

    fn close(&self) {
        // An error is ignored: the connection may already be closed.
        let _ = self.ender.shutdown(std::net::Shutdown::Both);
    }
}

/// The terminal of a session whose host no longer exists. It only reports the end.
pub(crate) struct NoTerminal;

impl TerminalPipe for NoTerminal {
    fn read(&self) -> io::Result<TerminalFrame> {
        Ok(TerminalFrame::Ended)
    }

    fn write(&self, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn resize(&self, _size: (u16, u16)) -> io::Result<()> {
        Ok(())
    }

    fn ack(&self, _offset: u64) {}

    fn close(&self) {}
}

fn sized((cols, rows): (u16, u16)) -> Size {
    Size::new(rows, cols)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
