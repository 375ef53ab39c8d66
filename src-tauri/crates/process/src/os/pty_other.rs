//! The two ends of a PTY's master on systems that only have the ones of portable-pty.

use crate::pty_command::PtyCommand;
use portable_pty::{Child, MasterPty};
use std::{
    io::{self, Read, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// A program cannot have both a terminal and its own standard input on this system.
pub(crate) fn spawn_with_input(
    _command: &PtyCommand,
    _input: Vec<u8>,
    _terminal: &std::path::Path,
) -> io::Result<Box<dyn Child + Send + Sync>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Nothing to wake: closing the terminal ends both.
pub(crate) struct Wake;

/// The program's output.
pub struct PtyReader(Box<dyn Read + Send>);

/// The program's input.
pub struct PtyWriter(Arc<Mutex<Box<dyn Write + Send>>>);

impl PtyReader {
    /// Only reading can wait on this system.
    pub fn wait(&mut self, within: Option<Duration>) -> io::Result<()> {
        match within {
            Some(_) => Err(io::ErrorKind::TimedOut.into()),
            None => Ok(()),
        }
    }

    /// Reads, which may block; whether more is available is not known on this system.
    pub fn read_burst(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.read(buf)
    }
}

impl PtyWriter {
    /// A second handle.
    pub fn try_clone(&self) -> io::Result<PtyWriter> {
        Ok(PtyWriter(Arc::clone(&self.0)))
    }

    /// Every write may block on this system.
    pub fn write_now(&self, _buf: &[u8]) -> io::Result<usize> {
        Ok(0)
    }
}

pub(crate) fn pty_ends(master: &dyn MasterPty) -> io::Result<(PtyReader, PtyWriter, Wake)> {
    let reader = master.try_clone_reader().map_err(io::Error::other)?;
    let writer = master.take_writer().map_err(io::Error::other)?;
    Ok((PtyReader(reader), PtyWriter(Arc::new(Mutex::new(writer))), Wake))
}

impl Read for PtyReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf)
    }
}

impl Write for PtyWriter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}
