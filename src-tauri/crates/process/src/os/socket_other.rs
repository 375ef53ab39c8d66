//! Local stream sockets on systems without them in the standard library: every function reports that they are
//! unsupported.

use std::{
    io::{self, Read, Write},
    net::Shutdown,
    path::Path,
    time::Duration,
};

fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "local sockets are not supported on this system yet")
}

/// A connection; none exists here.
#[derive(Debug)]
pub enum Stream {}

/// A listener; none exists here.
#[derive(Debug)]
pub enum Listener {}

impl Stream {
    /// A second handle.
    pub fn try_clone(&self) -> io::Result<Stream> {
        match *self {}
    }

    /// Shuts the connection down.
    pub fn shutdown(&self, _how: Shutdown) -> io::Result<()> {
        match *self {}
    }

    /// Limits the time of a read.
    pub fn set_read_timeout(&self, _after: Option<Duration>) -> io::Result<()> {
        match *self {}
    }

    /// Limits the time of a write.
    pub fn set_write_timeout(&self, _after: Option<Duration>) -> io::Result<()> {
        match *self {}
    }
}

impl Read for Stream {
    fn read(&mut self, _buf: &mut [u8]) -> io::Result<usize> {
        match *self {}
    }
}

impl Write for Stream {
    fn write(&mut self, _buf: &[u8]) -> io::Result<usize> {
        match *self {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match *self {}
    }
}

impl Listener {
    /// The next connection.
    pub fn accept(&self) -> io::Result<(Stream, ())> {
        match *self {}
    }
}

pub(crate) fn bind(_path: &Path) -> io::Result<Listener> {
    Err(unsupported())
}

pub(crate) fn connect(_path: &Path) -> io::Result<Stream> {
    Err(unsupported())
}

pub(crate) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    match *stream {}
}

pub(crate) fn peer_of(stream: &Stream) -> Option<u32> {
    match *stream {}
}

pub(crate) fn try_send(stream: &Stream, _bytes: &[u8]) -> io::Result<usize> {
    match *stream {}
}

pub(crate) fn wait_readable(stream: &Stream) -> io::Result<()> {
    match *stream {}
}

pub(crate) fn user_tag() -> String {
    std::env::var("USERNAME").unwrap_or_default()
}

pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}
