//! Named pipes: creating, connecting, reading and writing them.
//!
//! This process opens its ends of a pipe for overlapped calls. Otherwise a blocked read could delay a write
//! on the same pipe, and neither call could be cancelled.

use super::{
    handle::{Event, checked, owned, raw, wait_any, wide},
    user,
};
use std::{
    ffi::OsStr,
    hash::{BuildHasher, Hasher, RandomState},
    io,
    os::windows::io::OwnedHandle,
    ptr,
    sync::atomic::{AtomicU32, Ordering},
    time::Instant,
};
use windows_sys::Win32::{
    Foundation::{
        ERROR_BROKEN_PIPE, ERROR_HANDLE_EOF, ERROR_IO_PENDING, ERROR_NO_DATA, ERROR_OPERATION_ABORTED,
        ERROR_PIPE_NOT_CONNECTED, GENERIC_READ, GENERIC_WRITE, HANDLE,
    },
    Storage::FileSystem::{
        CreateFileW, FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, OPEN_EXISTING, PIPE_ACCESS_DUPLEX,
        PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND, ReadFile, SECURITY_IDENTIFICATION, SECURITY_SQOS_PRESENT,
        WriteFile,
    },
    System::{
        IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED},
        Pipes::{
            CreateNamedPipeW, PIPE_READMODE_BYTE, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE,
            PIPE_UNLIMITED_INSTANCES, PIPE_WAIT,
        },
    },
};

/// The prefix of the names of all pipes of this program.
pub(super) const PREFIX: &str = r"\\.\pipe\beads-console-";

/// The size of the buffer of each direction, in bytes.
const BUFFER: u32 = 64 << 10;

/// Returns a name that no other process can predict.
pub(super) fn fresh_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let random = || RandomState::new().build_hasher().finish();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{}-{count}-{:016x}{:016x}", std::process::id(), random(), random())
}

/// The direction of a pipe, from the server's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Both,
    ToServer,
    FromServer,
}

/// Creates an instance of a pipe that only this user can open, and only from this machine. Creating the first
/// instance fails if the name is in use.
pub(super) fn create(name: &str, direction: Direction, first: bool) -> io::Result<OwnedHandle> {
    let access = match direction {
        Direction::Both => PIPE_ACCESS_DUPLEX,
        Direction::ToServer => PIPE_ACCESS_INBOUND,
        Direction::FromServer => PIPE_ACCESS_OUTBOUND,
    };
    let first = if first { FILE_FLAG_FIRST_PIPE_INSTANCE } else { 0 };
    let mode = PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS;
    let security = user::only_this_user(false)?;
    let name = wide(OsStr::new(name))?;
    // SAFETY: the name ends with a NUL, and the security attributes live until the call returns.
    owned(unsafe {
        CreateNamedPipeW(
            name.as_ptr(),
            access | FILE_FLAG_OVERLAPPED | first,
            mode,
            PIPE_UNLIMITED_INSTANCES,
            BUFFER,
            BUFFER,
            0,
            security.attributes(),
        )
    })
}

/// Opens the client's end of a pipe, without allowing the server to impersonate this user. `overlapped` is
/// for ends that this process uses; other programs expect an end that is not overlapped.
pub(super) fn open(name: &str, direction: Direction, overlapped: bool) -> io::Result<OwnedHandle> {
    let access = match direction {
        Direction::Both => GENERIC_READ | GENERIC_WRITE,
        Direction::ToServer => GENERIC_WRITE,
        Direction::FromServer => GENERIC_READ,
    };
    let flags = SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
    let flags = flags | if overlapped { FILE_FLAG_OVERLAPPED } else { 0 };
    let name = wide(OsStr::new(name))?;
    // SAFETY: the name ends with a NUL; neither security attributes nor a template is passed.
    owned(unsafe {
        CreateFileW(name.as_ptr(), access, 0, ptr::null(), OPEN_EXISTING, flags, ptr::null_mut())
    })
}

/// Creates a connected pair: an end for this process, and an end for a program that is about to be started.
pub(super) fn pair(direction: Direction) -> io::Result<(OwnedHandle, OwnedHandle)> {
    let name = fresh_name();
    let ours = create(&name, direction, true)?;
    let theirs = open(&name, direction, false)?;
    Ok((ours, theirs))
}

/// The conditions that end a wait on a pipe early.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// Setting this event ends the wait.
    pub(super) stop: &'a Event,
    pub(super) until: Option<Instant>,
}

/// Reads available bytes, or waits for bytes. Returns 0 at the end of the stream, or if the wait was stopped.
///
/// # Errors
/// `WouldBlock` at the deadline, like a read from a Unix socket.
pub(super) fn read(pipe: &OwnedHandle, bytes: &mut [u8], limits: Limits<'_>) -> io::Result<usize> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    if length == 0 {
        return Ok(0);
    }
    let read = overlapped(pipe, limits, |overlapped| {
        // SAFETY: the buffer and `overlapped` live until `overlapped()` has waited for the call's completion.
        unsafe { ReadFile(raw(pipe), bytes.as_mut_ptr(), length, ptr::null_mut(), overlapped) }
    });
    match read {
        Ok(Some(read)) => Ok(read),
        Ok(None) => Ok(0),
        Err(error) if is_end(&error) => Ok(0),
        Err(error) => Err(error),
    }
}

/// Writes a prefix of these bytes and waits until the pipe has accepted it.
///
/// # Errors
/// `BrokenPipe` if the other end is closed or the wait was stopped; `WouldBlock` at the deadline.
pub(super) fn write(pipe: &OwnedHandle, bytes: &[u8], limits: Limits<'_>) -> io::Result<usize> {
    // Write in pieces, because a cancelled call does not report how many bytes it has written.
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX).min(BUFFER);
    if length == 0 {
        return Ok(0);
    }
    let written = overlapped(pipe, limits, |overlapped| {
        // SAFETY: the bytes and `overlapped` live until `overlapped()` has waited for the call's completion.
        unsafe { WriteFile(raw(pipe), bytes.as_ptr(), length, ptr::null_mut(), overlapped) }
    });
    match written {
        Ok(Some(written)) => Ok(written),
        Ok(None) => Err(io::ErrorKind::BrokenPipe.into()),
        Err(error) if is_end(&error) => Err(io::Error::new(io::ErrorKind::BrokenPipe, error)),
        Err(error) => Err(error),
    }
}

/// Whether the error means that the other end is closed.
pub(super) fn is_end(error: &io::Error) -> bool {
    let code = error.raw_os_error().and_then(|code| u32::try_from(code).ok());
    matches!(code, Some(ERROR_BROKEN_PIPE | ERROR_PIPE_NOT_CONNECTED | ERROR_NO_DATA | ERROR_HANDLE_EOF))
}

/// Starts a call and waits for its completion. Returns the number of bytes, or `None` if the wait was
/// stopped.
fn overlapped(
    pipe: &OwnedHandle,
    limits: Limits<'_>,
    start: impl FnOnce(*mut OVERLAPPED) -> i32,
) -> io::Result<Option<usize>> {
    let mut call = Call::new()?;
    let until = limits.until;
    if !call.started(start)? {
        let ended = wait_any(&[call.event.raw(), limits.stop.raw()], until)?;
        if ended != Some(0) {
            call.cancel(raw(pipe));
        }
        let late = || io::Error::from(io::ErrorKind::WouldBlock);
        return match call.finish(raw(pipe)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if was_cancelled(&error) && ended == Some(1) => Ok(None),
            Err(error) if was_cancelled(&error) => Err(late()),
            Err(error) => Err(error),
        };
    }
    call.finish(raw(pipe)).map(Some)
}

fn was_cancelled(error: &io::Error) -> bool {
    error.raw_os_error() == i32::try_from(ERROR_OPERATION_ABORTED).ok()
}

/// An overlapped call. It must be finished before it is dropped.
pub(super) struct Call {
    pub(super) event: Event,
    // Boxed, because the system keeps the address until the call completes.
    state: Box<OVERLAPPED>,
}

// SAFETY: the address in `OVERLAPPED` is only used by the system, and each method takes `&mut self`.
unsafe impl Send for Call {}

impl Call {
    pub(super) fn new() -> io::Result<Call> {
        let event = Event::new()?;
        let state = Box::new(OVERLAPPED { hEvent: event.raw(), ..OVERLAPPED::default() });
        Ok(Call { event, state })
    }

    /// Starts the call. Returns whether it has already completed.
    pub(super) fn started(&mut self, start: impl FnOnce(*mut OVERLAPPED) -> i32) -> io::Result<bool> {
        match checked(start(&raw mut *self.state)) {
            Ok(()) => Ok(true),
            Err(error) if error.raw_os_error() == i32::try_from(ERROR_IO_PENDING).ok() => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(super) fn cancel(&mut self, pipe: HANDLE) {
        // SAFETY: the pipe is open, and `state` belongs to a call on the pipe. Cancelling has no effect on a
        // completed call.
        unsafe { CancelIoEx(pipe, &raw const *self.state) };
    }

    /// Waits for the call's completion and returns the number of bytes.
    pub(super) fn finish(&mut self, pipe: HANDLE) -> io::Result<usize> {
        let mut bytes = 0;
        // SAFETY: as in `cancel`; the call was started.
        checked(unsafe { GetOverlappedResult(pipe, &raw const *self.state, &raw mut bytes, 1) })?;
        Ok(bytes as usize)
    }
}
