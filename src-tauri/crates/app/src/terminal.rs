//! A session's terminal as the bridge wants it, over the session host's socket.

use bc_bridge::{TerminalFrame, TerminalPipe};
use bc_host::{
    ClientError, connect_terminal,
    frame::{self, Frame, FrameError, Kind},
    protocol::{Call, FreshScreen, Request, View},
};
use bc_process::{
    size::Size,
    socket::{self, Stream},
};
use std::{
    io::{self, BufReader, Read, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What is read at a time; longer frames are read into their place.
const READ: usize = 64 << 10;

/// More is not sent without perhaps waiting: what a local socket takes whole or not at all.
const AT_ONCE: usize = 4 << 10;

/// One connection to a host's terminal.
pub(crate) struct HostTerminal {
    reader: Mutex<BufReader<Stream>>,
    writer: Mutex<Stream>,
    /// For waking a blocked read from another thread.
    ender: Stream,
}

impl HostTerminal {
    /// Connects to the host that listens there.
    pub(crate) fn connect(socket: &Path, size: (u16, u16)) -> Result<HostTerminal, ClientError> {
        let stream = connect_terminal(socket, sized(size), View::Whole)?;
        let copy = || stream.try_clone().map_err(FrameError::Io);
        let reader = BufReader::with_capacity(READ, copy()?);
        Ok(HostTerminal { writer: copy()?.into(), ender: stream, reader: reader.into() })
    }

    fn send(&self, frame: &Frame) -> io::Result<()> {
        frame::write(&mut *lock(&self.writer), frame).map_err(io::Error::other)
    }
}

impl TerminalPipe for HostTerminal {
    fn read(&self) -> io::Result<TerminalFrame> {
        let mut stream = lock(&self.reader);
        loop {
            let Some(frame) = frame::read(&mut *stream).map_err(io::Error::other)? else {
                return Ok(TerminalFrame::Ended);
            };
            match frame.kind {
                Kind::Output => {
                    let Some((offset, bytes)) = frame.as_output() else { continue };
                    return Ok(TerminalFrame::Output { offset, bytes: bytes.to_vec() });
                }
                Kind::Control => {
                    // Replies to our own requests, and what other versions say, are passed over.
                    if let Ok(fresh) = frame.json::<FreshScreen>() {
                        return screen(&mut *stream, &fresh);
                    }
                }
                Kind::Input => {}
            }
        }
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

/// The whole screen that a control frame announced.
fn screen(stream: &mut impl Read, fresh: &FreshScreen) -> io::Result<TerminalFrame> {
    let mut drawn = Vec::new();
    let mut offset = 0;
    while (drawn.len() as u64) < fresh.bytes {
        let Some(frame) = frame::read(stream).map_err(io::Error::other)? else {
            return Ok(TerminalFrame::Ended);
        };
        if let Some((at, bytes)) = frame.as_output() {
            offset = at;
            drawn.extend_from_slice(bytes);
        }
    }
    let size = (fresh.fresh_screen.cols(), fresh.fresh_screen.rows());
    Ok(TerminalFrame::Screen { offset, size, bytes: drawn })
}

fn sized((cols, rows): (u16, u16)) -> Size {
    Size::new(rows, cols)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
