//! The two ends of a PTY's master where portable-pty's own are the only ones.

use portable_pty::MasterPty;
use std::{
    io::{self, Read, Write},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Nothing to wake here: closing the terminal ends both.
pub(crate) struct Wake;

/// What the program prints.
pub struct PtyReader(Box<dyn Read + Send>);

/// What the program reads.
pub struct PtyWriter(Arc<Mutex<Box<dyn Write + Send>>>);

impl PtyReader {
    /// There is only one here.
    pub fn try_clone(&self) -> io::Result<PtyReader> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// That cannot be known here.
    pub fn has_some(&self) -> bool {
        false
    }

    /// It cannot be waited for here but by reading.
    pub fn wait(&mut self, within: Option<Duration>) -> io::Result<()> {
        match within {
            Some(_) => Err(io::ErrorKind::TimedOut.into()),
            None => Ok(()),
        }
    }

    /// Reads, and waits for that; whether more is there already is not known here.
    pub fn read_burst(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.read(buf)
    }
}

impl PtyWriter {
    /// A second handle.
    pub fn try_clone(&self) -> io::Result<PtyWriter> {
        Ok(PtyWriter(Arc::clone(&self.0)))
    }

    /// Nothing can be written here without perhaps waiting.
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
