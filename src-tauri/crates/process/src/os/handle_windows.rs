//! Handles, events and UTF-16 strings for the other Windows modules.

use std::{
    ffi::OsStr,
    io,
    os::windows::{
        ffi::OsStrExt,
        io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle},
    },
    ptr,
    time::{Duration, Instant},
};
use windows_sys::Win32::{
    Foundation::{HANDLE, INVALID_HANDLE_VALUE, WAIT_FAILED, WAIT_OBJECT_0, WAIT_TIMEOUT},
    System::Threading::{CreateEventW, INFINITE, SetEvent, WaitForMultipleObjects},
};

/// Takes ownership of a handle that the system returned. Returns the last error if the handle is invalid.
pub(super) fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just returned this handle, and no other code owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle as RawHandle) })
}

pub(super) fn raw(handle: &impl AsRawHandle) -> HANDLE {
    handle.as_raw_handle() as HANDLE
}

/// Converts a call's result: zero becomes the last system error.
pub(super) fn checked(result: i32) -> io::Result<()> {
    match result {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Returns the text as UTF-16 with a terminating NUL. Refuses text that contains a NUL.
pub(super) fn wide(text: &OsStr) -> io::Result<Vec<u16>> {
    let mut units: Vec<u16> = text.encode_wide().collect();
    if units.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a text for the system contains a NUL"));
    }
    units.push(0);
    Ok(units)
}

/// A manual-reset event: once set, it stays set.
#[derive(Debug)]
pub(super) struct Event(OwnedHandle);

impl Event {
    pub(super) fn new() -> io::Result<Event> {
        // SAFETY: neither attributes nor a name is passed; the handle is checked.
        owned(unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) }).map(Event)
    }

    pub(super) fn set(&self) {
        // SAFETY: the handle is open while `self` exists. Setting an open event does not fail.
        unsafe { SetEvent(self.raw()) };
    }

    pub(super) fn raw(&self) -> HANDLE {
        raw(&self.0)
    }
}

/// Waits until one of the handles (at most 64) is signalled. Returns the index of the first signalled handle,
/// or `None` at the deadline.
pub(super) fn wait_any(handles: &[HANDLE], until: Option<Instant>) -> io::Result<Option<usize>> {
    let count = u32::try_from(handles.len()).map_err(io::Error::other)?;
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        // SAFETY: the slice has `count` handles, which the callers keep open during the wait.
        let waited = unsafe { WaitForMultipleObjects(count, handles.as_ptr(), 0, milliseconds(left)) };
        match waited {
            WAIT_FAILED => return Err(io::Error::last_os_error()),
            WAIT_TIMEOUT if left.is_some_and(|left| left.is_zero()) => return Ok(None),
            // A wait is limited to `u32` milliseconds, and the system can end it slightly early.
            WAIT_TIMEOUT => {}
            index => return Ok(Some((index - WAIT_OBJECT_0) as usize)),
        }
    }
}

fn milliseconds(left: Option<Duration>) -> u32 {
    let Some(left) = left else { return INFINITE };
    let rounded_up = left.as_nanos().div_ceil(1_000_000);
    u32::try_from(rounded_up).unwrap_or(INFINITE - 1).min(INFINITE - 1)
}
