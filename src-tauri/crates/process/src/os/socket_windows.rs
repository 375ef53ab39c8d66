//! Local stream sockets on Windows: named pipes that only this user can open.
//!
//! A socket file contains the pipe's random name. As on Unix, clients find a socket by its path, and new
//! connections fail after the file is removed. The length of the path is not limited.

use super::{
    handle::{Event, checked, raw, wait_any, wide},
    pipe::{self, Call, Direction, Limits},
    user,
};
use std::{
    collections::VecDeque,
    ffi::OsStr,
    fs,
    io::{self, Read, Write},
    net::Shutdown,
    os::windows::io::OwnedHandle,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use windows_sys::Win32::{
    Foundation::{ERROR_FILE_NOT_FOUND, ERROR_PIPE_BUSY, ERROR_PIPE_CONNECTED},
    System::Pipes::{
        ConnectNamedPipe, GetNamedPipeClientProcessId, GetNamedPipeServerProcessId, WaitNamedPipeW,
    },
};

pub(crate) use super::user::{make_private_dir, user_tag};

/// The number of pipe instances that wait for clients. The system completes up to this number of connections
/// before they are accepted.
const BACKLOG: usize = 16;

/// How long a client waits for a free pipe instance if the backlog is full.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

/// The maximum size of a socket file, in bytes.
const NAME_MAX: u64 = 1 << 10;

/// A connection. Its clones share the timeouts, like descriptors of one socket on Unix.
#[derive(Debug)]
pub struct Stream(Arc<Connection>);

#[derive(Debug)]
struct Connection {
    /// Taken when the connection is shut down. The handle is closed when all calls that use it have
    /// completed.
    pipe: Mutex<Option<Arc<OwnedHandle>>>,
    /// Set when the connection is shut down.
    ended: Event,
    read_timeout: Mutex<Option<Duration>>,
    write_timeout: Mutex<Option<Duration>>,
    peer: Option<u32>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change leaves the value valid, so a poisoned lock is still usable.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    fn of(pipe: OwnedHandle, peer: Option<u32>) -> io::Result<Stream> {
        Ok(Stream(Arc::new(Connection {
            pipe: Mutex::new(Some(Arc::new(pipe))),
            ended: Event::new()?,
            read_timeout: Mutex::default(),
            write_timeout: Mutex::default(),
            peer,
        })))
    }

    /// Creates two connected ends of a pipe with an unpredictable name.
    pub fn pair() -> io::Result<(Stream, Stream)> {
        let name = pipe::fresh_name();
        let one = pipe::create(&name, Direction::Both, true)?;
        let other = pipe::open(&name, Direction::Both, true)?;
        let me = Some(std::process::id());
        Ok((Stream::of(one, me)?, Stream::of(other, me)?))
    }

    /// Returns a second handle to the same connection.
    pub fn try_clone(&self) -> io::Result<Stream> {
        Ok(Stream(Arc::clone(&self.0)))
    }

    /// Shuts down the connection. Bytes already written still reach the other end.
    ///
    /// # Errors
    /// `Unsupported` if `how` is not `Both`, because a pipe cannot be half closed; `NotConnected` if the
    /// connection is already shut down.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        if how != Shutdown::Both {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "one direction of a named pipe cannot be shut down alone",
            ));
        }
        let pipe = lock(&self.0.pipe).take();
        self.0.ended.set();
        pipe.map(drop).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Sets the time limit for each read; `None` means no limit. Applies to all clones.
    pub fn set_read_timeout(&self, after: Option<Duration>) -> io::Result<()> {
        *lock(&self.0.read_timeout) = after;
        Ok(())
    }

    /// Sets the time limit for each write; `None` means no limit. Applies to all clones.
    pub fn set_write_timeout(&self, after: Option<Duration>) -> io::Result<()> {
        *lock(&self.0.write_timeout) = after;
        Ok(())
    }

    fn limits(&self, timeout: &Mutex<Option<Duration>>) -> Limits<'_> {
        let until = lock(timeout).map(|timeout| Instant::now() + timeout);
        Limits { stop: &self.0.ended, until }
    }
}

impl Read for &Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Some(pipe) = lock(&self.0.pipe).clone() else { return Ok(0) };
        pipe::read(&pipe, bytes, self.limits(&self.0.read_timeout))
    }
}

impl Read for Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        (&*self).read(bytes)
    }
}

impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let pipe = lock(&self.0.pipe).clone().ok_or(io::ErrorKind::BrokenPipe)?;
        pipe::write(&pipe, bytes, self.limits(&self.0.write_timeout))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A listener with several instances of one pipe. Each instance serves one client.
#[derive(Debug)]
pub struct Listener {
    name: String,
    waiting: Mutex<VecDeque<Waiting>>,
}

/// A pipe instance that waits for its client.
struct Waiting {
    call: Call,
    pipe: OwnedHandle,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Waiting").field(&self.pipe).finish()
    }
}

impl Waiting {
    fn start(name: &str, first: bool) -> io::Result<Waiting> {
        let pipe = pipe::create(name, Direction::Both, first)?;
        let mut waiting = Waiting { call: Call::new()?, pipe };
        let handle = raw(&waiting.pipe);
        // SAFETY: the pipe and the call's state live until the call completes, because `drop` waits for it.
        match waiting.call.started(|overlapped| unsafe { ConnectNamedPipe(handle, overlapped) }) {
            Ok(_) => {}
            // The client connected before this call.
            Err(error) if error.raw_os_error() == Some(ERROR_PIPE_CONNECTED.cast_signed()) => {
                waiting.call.event.set();
            }
            Err(error) => return Err(error),
        }
        Ok(waiting)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.call.cancel(raw(&self.pipe));
        let _ = self.call.finish(raw(&self.pipe));
    }
}

impl Listener {
    fn start(name: String) -> io::Result<Listener> {
        let mut waiting = VecDeque::with_capacity(BACKLOG);
        for n in 0..BACKLOG {
            waiting.push_back(Waiting::start(&name, n == 0)?);
        }
        Ok(Listener { name, waiting: Mutex::new(waiting) })
    }

    /// Waits for the next connection. The second value, which is an address on Unix, is empty.
    pub fn accept(&self) -> io::Result<(Stream, ())> {
        let mut waiting = lock(&self.waiting);
        let events: Vec<_> = waiting.iter().map(|waiting| waiting.call.event.raw()).collect();
        let first = wait_any(&events, None)?.unwrap_or_default();
        // Create the next instance before this one is removed, so that the pipe name always exists.
        let next = Waiting::start(&self.name, false)?;
        let connected = waiting.remove(first).ok_or(io::ErrorKind::NotConnected)?;
        waiting.push_back(next);
        drop(waiting);
        let pipe = connected.pipe.try_clone()?;
        let mut pid = 0;
        // SAFETY: the pipe is open; the pid is written only on success.
        let known = unsafe { GetNamedPipeClientProcessId(raw(&pipe), &raw mut pid) };
        let stream = Stream::of(pipe, (known != 0).then_some(pid))?;
        Ok((stream, ()))
    }
}

/// Listens under a random name and then publishes the name, so that no client finds a socket before it is
/// listening.
pub(crate) fn bind(path: &Path) -> io::Result<Listener> {
    let listener = Listener::start(pipe::fresh_name())?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let temporary = path.with_file_name(name);
    fs::write(&temporary, &listener.name)
        .and_then(|()| fs::rename(&temporary, path))
        .inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    Ok(listener)
}

pub(crate) fn connect(path: &Path) -> io::Result<Stream> {
    let mut name = String::new();
    fs::File::open(path)?.take(NAME_MAX).read_to_string(&mut name)?;
    let is_ours = name.strip_prefix(pipe::PREFIX).is_some_and(|rest| !rest.contains(['\\', '/', '\0']));
    if !is_ours {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is not a socket"));
    }
    let until = Instant::now() + CONNECT_WITHIN;
    let pipe = loop {
        match pipe::open(&name, Direction::Both, true) {
            Ok(pipe) => break pipe,
            Err(error) if error.raw_os_error() == Some(ERROR_PIPE_BUSY.cast_signed()) => {
                wait_for_instance(&name, until)?;
            }
            Err(error) if error.raw_os_error() == Some(ERROR_FILE_NOT_FOUND.cast_signed()) => {
                return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "no process listens on it"));
            }
            Err(error) => return Err(error),
        }
    };
    let mut pid = 0;
    // SAFETY: the pipe is open; the pid is written only on success.
    checked(unsafe { GetNamedPipeServerProcessId(raw(&pipe), &raw mut pid) })?;
    if user::of_process(pid)? != user::current()? {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "another user listens on it"));
    }
    Stream::of(pipe, Some(pid))
}

fn wait_for_instance(name: &str, until: Instant) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    let name = wide(OsStr::new(name))?;
    // Use at least 1, because 0 means the pipe's default timeout.
    let milliseconds = u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1);
    // SAFETY: the name ends with a NUL.
    match unsafe { WaitNamedPipeW(name.as_ptr(), milliseconds) } {
        0 if left.is_zero() => Err(io::ErrorKind::TimedOut.into()),
        _ => Ok(()),
    }
}

pub(crate) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    let pid = stream.0.peer.ok_or(io::ErrorKind::NotConnected)?;
    Ok(user::of_process(pid)? == user::current()?)
}

pub(crate) fn peer_of(stream: &Stream) -> Option<u32> {
    stream.0.peer
}

/// Always sends 0 bytes, because a pipe does not report how much it accepts without blocking. The caller then
/// writes on a separate thread.
pub(crate) fn try_send(_stream: &Stream, _bytes: &[u8]) -> io::Result<usize> {
    Ok(0)
}

/// Returns immediately, because the caller's read waits.
pub(crate) fn wait_readable(_stream: &Stream) -> io::Result<()> {
    Ok(())
}
