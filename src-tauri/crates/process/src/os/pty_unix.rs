//! The two ends of a PTY's master on Unix. Both block in `poll` on the terminal and on a pipe whose
//! other end [`Wake`] holds, so that closing the terminal never waits for a blocked thread.

use portable_pty::MasterPty;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fd::{AsFd, BorrowedFd, OwnedFd},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    io::{Errno, fcntl_dupfd_cloexec, ioctl_fionread},
    pipe::{PipeFlags, pipe_with},
};
use std::{
    io::{self, Read, Write},
    time::Duration,
};

/// Dropped to end the reader and the writer.
pub(crate) struct Wake(#[allow(dead_code, reason = "held for its being closed")] OwnedFd);

/// What the program prints.
pub struct PtyReader {
    fd: OwnedFd,
    wake: OwnedFd,
    /// Reads until it is asked again whether the PTY was hung up.
    unasked: u8,
    hung_up: bool,
}

/// A program that prints without end is read so often before it is looked whether the PTY was hung up.
const UNASKED: u8 = 16;

/// More at once than anybody types or an editor draws for a key: more is coming.
const BURST: usize = 1 << 10;

/// What the program reads. Dropping it sends nothing: portable-pty's own writer would type an end of
/// file, which could answer a dialog.
pub struct PtyWriter {
    fd: OwnedFd,
    wake: OwnedFd,
}

pub(crate) fn pty_ends(master: &dyn MasterPty) -> io::Result<(PtyReader, PtyWriter, Wake)> {
    let raw = master.as_raw_fd().ok_or_else(|| io::Error::other("the terminal has no descriptor"))?;
    // SAFETY: `master` is borrowed for this whole function and keeps the descriptor open.
    let master = unsafe { BorrowedFd::borrow_raw(raw) };
    fcntl_setfl(master, fcntl_getfl(master)? | OFlags::NONBLOCK)?;
    let dup = |fd: BorrowedFd<'_>| fcntl_dupfd_cloexec(fd, 3);
    let (woken, wake) = pipe_with(PipeFlags::CLOEXEC)?;
    let reader = PtyReader { fd: dup(master)?, wake: dup(woken.as_fd())?, unasked: 0, hung_up: false };
    let writer = PtyWriter { fd: dup(master)?, wake: woken };
    Ok((reader, writer, Wake(wake)))
}

/// Whether the terminal is ready for `flags`; false when the PTY was hung up.
///
/// # Errors
/// `TimedOut` when neither came within that time, if there is one.
fn ready(fd: &OwnedFd, wake: &OwnedFd, flags: PollFlags, within: Option<Duration>) -> io::Result<bool> {
    let within = within.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
    loop {
        let mut wanted = [PollFd::new(fd, flags), PollFd::new(wake, PollFlags::IN)];
        match poll(&mut wanted, within.as_ref()) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) if !wanted[1].revents().is_empty() => return Ok(false),
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl Read for PtyReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            self.wait(None)?;
            match self.read_burst(buf) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

impl PtyReader {
    /// A second handle. What one of them has read, the other does not.
    pub fn try_clone(&self) -> io::Result<PtyReader> {
        let dup = |fd: &OwnedFd| fcntl_dupfd_cloexec(fd, 3);
        Ok(PtyReader { fd: dup(&self.fd)?, wake: dup(&self.wake)?, unasked: 0, hung_up: false })
    }

    /// Whether there surely is something to read. Unlike a read that finds nothing, the question never waits for what
    /// the system is just bringing.
    pub fn has_some(&self) -> bool {
        ioctl_fionread(&self.fd).is_ok_and(|bytes| bytes > 0)
    }

    /// Waits until there is something to read, or the end.
    ///
    /// # Errors
    /// `TimedOut` when nothing came within that time, if there is one.
    pub fn wait(&mut self, within: Option<Duration>) -> io::Result<()> {
        if self.unasked == 0 {
            self.hung_up = !ready(&self.fd, &self.wake, PollFlags::IN, within)?;
            self.unasked = UNASKED;
        }
        Ok(())
    }

    /// Reads what is there without waiting, and where much comes at once goes on reading: a terminal hands out
    /// a flood in small pieces.
    ///
    /// # Errors
    /// `WouldBlock` when nothing is there (any more).
    pub fn read_burst(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.hung_up {
            return Ok(0);
        }
        let mut length = 0;
        while length < buf.len() {
            match rustix::io::read(&self.fd, &mut buf[length..]) {
                Ok(n @ 1..) => length += n,
                Err(Errno::INTR) => continue,
                // The end, and what fails, is met again by the next read.
                _ if length > 0 => break,
                // Every other end is closed.
                Ok(_) | Err(Errno::IO) => return Ok(0),
                Err(error) => {
                    self.unasked = 0;
                    return Err(error.into());
                }
            }
            if length < BURST {
                break;
            }
        }
        // After a little there is nothing more yet, most likely.
        self.unasked = if length < BURST { 0 } else { self.unasked.saturating_sub(1) };
        Ok(length)
    }
}

impl PtyWriter {
    /// A second handle: one may write at once while the other waits.
    pub fn try_clone(&self) -> io::Result<PtyWriter> {
        let dup = |fd: &OwnedFd| fcntl_dupfd_cloexec(fd, 3);
        Ok(PtyWriter { fd: dup(&self.fd)?, wake: dup(&self.wake)? })
    }

    /// Writes as much as the terminal takes at once and says how much that was; never waits.
    pub fn write_now(&self, buf: &[u8]) -> io::Result<usize> {
        match rustix::io::write(&self.fd, buf) {
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            written => Ok(written?),
        }
    }
}

impl Write for PtyWriter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        loop {
            if !ready(&self.fd, &self.wake, PollFlags::OUT, None)? {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            match rustix::io::write(&self.fd, buf) {
                Ok(n) => return Ok(n),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
