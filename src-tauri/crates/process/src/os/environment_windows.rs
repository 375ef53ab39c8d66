//! Reads the environment of another process of this user from its memory.

use super::handle::{checked, owned, raw};
use std::{
    ffi::{OsString, c_void},
    io,
    os::windows::{ffi::OsStringExt, io::OwnedHandle},
};
use windows_sys::{
    Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation},
    Win32::System::{
        Diagnostics::Debug::ReadProcessMemory,
        Threading::{OpenProcess, PROCESS_BASIC_INFORMATION, PROCESS_QUERY_INFORMATION, PROCESS_VM_READ},
    },
};

/// Offsets in a 64-bit process: of the parameters in the process environment block, and of the environment
/// and its size in the parameters. They have not changed since Windows Vista.
#[cfg(target_pointer_width = "64")]
const OFFSETS: (usize, usize, usize) = (0x20, 0x80, 0x3F0);
#[cfg(target_pointer_width = "32")]
const OFFSETS: (usize, usize, usize) = (0x10, 0x48, 0x290);

/// The maximum number of bytes read from an environment.
const ENVIRONMENT_MAX: usize = 1 << 20;

/// Returns the current environment of the process, or `None` if this process may not read it.
pub(crate) fn environment_of(pid: u32) -> Option<Vec<Vec<u8>>> {
    let access = PROCESS_QUERY_INFORMATION | PROCESS_VM_READ;
    // SAFETY: no pointers are passed; the handle is checked.
    let process = owned(unsafe { OpenProcess(access, 0, pid) }).ok()?;
    let units = read_environment(&process).ok()?;
    let entries = units.split(|&unit| unit == 0).filter(|entry| !entry.is_empty());
    Some(
        entries.map(|entry| OsString::from_wide(entry).to_string_lossy().into_owned().into_bytes()).collect(),
    )
}

fn read_environment(process: &OwnedHandle) -> io::Result<Vec<u16>> {
    let mut basic = PROCESS_BASIC_INFORMATION::default();
    let size = u32::try_from(size_of_val(&basic)).expect("a few bytes");
    let mut length = 0;
    // SAFETY: `basic` has the type and the size that this information class requires.
    let status = unsafe {
        NtQueryInformationProcess(
            raw(process),
            ProcessBasicInformation,
            (&raw mut basic).cast::<c_void>(),
            size,
            &raw mut length,
        )
    };
    if status < 0 {
        return Err(io::Error::other(format!("the process cannot be queried: {status:#x}")));
    }
    let (parameters, environment, environment_size) = OFFSETS;
    let parameters = read_pointer(process, basic.PebBaseAddress as usize + parameters)?;
    let start = read_pointer(process, parameters + environment)?;
    let bytes = read_pointer(process, parameters + environment_size)?.min(ENVIRONMENT_MAX);
    let mut units = vec![0u16; bytes / 2];
    read_memory(process, start, units.as_mut_ptr().cast(), bytes / 2 * 2)?;
    Ok(units)
}

fn read_pointer(process: &OwnedHandle, address: usize) -> io::Result<usize> {
    let mut value = 0usize;
    read_memory(process, address, (&raw mut value).cast(), size_of::<usize>())?;
    Ok(value)
}

/// Copies memory of another process. `into` must have room for `length` bytes.
fn read_memory(process: &OwnedHandle, address: usize, into: *mut c_void, length: usize) -> io::Result<()> {
    let mut read = 0;
    // SAFETY: the callers provide room for `length` bytes. If the address is not readable in the other
    // process, the call returns an error.
    checked(unsafe {
        ReadProcessMemory(raw(process), address as *const c_void, into, length, &raw mut read)
    })?;
    match read == length {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
