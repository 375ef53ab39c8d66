//! A session's terminal as the bridge wants it, over the session host's socket.

use crate::incoming::{Incoming, Wait};
use bc_bridge::{TerminalFrame, TerminalPipe};
use bc_host::{
    ClientError, connect_terminal,
    frame::{self, Frame, FrameError},
    protocol::{Call, Request, View},
};
use bc_process::{
    size::Size,
    socket::{self, Stream},
};
use std::{
    io::{self, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// More is not sent without perhaps waiting: what a local socket takes whole or not at all.
const AT_ONCE: usize = 4 << 10;

/// One connection to a host's terminal.
pub(crate) struct HostTerminal {
    reader: Mutex<Incoming>,
    writer: Mutex<Stream>,
    /// For waking a blocked read from another thread.
    ender: Stream,
}

impl HostTerminal {
    /// Connects to the host that listens there.
    pub(crate) fn connect(socket: &Path, size: (u16, u16)) -> Result<HostTerminal, ClientError> {
        let stream = connect_terminal(socket, sized(size), View::Whole)?;
        let copy = || stream.try_clone().map_err(FrameError::Io);
        let reader = Incoming::new(copy()?);
        Ok(HostTerminal { writer: copy()?.into(), ender: stream, reader: reader.into() })
    }

    fn send(&self, frame: &Frame) -> io::Result<()> {
        frame::write(&mut *lock(&self.writer), frame).map_err(io::Error::other)
    }
}

impl TerminalPipe for HostTerminal {
    fn read(&self) -> io::Result<TerminalFrame> {
        let said = lock(&self.reader).next(Wait::Yes)?;
        // It is waited for: there always is something.
        said.ok_or_else(|| io::ErrorKind::WouldBlock.into())
    }

    #[cfg(unix)]
    fn descriptor(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        Some(std::os::fd::AsFd::as_fd(&self.ender))
    }

    fn read_now(&self) -> io::Result<Option<TerminalFrame>> {
        lock(&self.reader).next(Wait::No)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        bytes.chunks(frame::MAX / 4).try_for_each(|part| self.send(&Frame::input(part)))
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<bool> {
        let frame = Frame::input(bytes).encoded().map_err(io::Error::other)?;
        let Some(mut writer) = self.writer.try_lock().ok().filter(|_| frame.len() <= AT_ONCE) else {
            return Ok(false);
        };
        match socket::send_now(&writer, &frame)? {
            0 => Ok(false),
            // The rest, where a system takes a part of so little, follows before anything else.
            sent => writer.write_all(&frame[sent..]).map(|()| true),
        }
    }

    fn resize(&self, size: (u16, u16)) -> io::Result<()> {
        self.send(&Frame::control(&Request { request: 0, call: Call::Resize { size: sized(size) } }))
    }

    /// The host cuts a slow client over by itself.
    fn ack(&self, _offset: u64) {}

    fn close(&self) {
        // One that is closed already is what was wanted.
        let _ = self.ender.shutdown(std::net::Shutdown::Both);
    }
}

fn sized((cols, rows): (u16, u16)) -> Size {
    Size::new(rows, cols)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
