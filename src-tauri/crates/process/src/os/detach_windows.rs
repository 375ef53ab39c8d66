//! Detaching on Windows: without a console, outside this process's job if allowed, with the given handles.

use super::{
    handle::{checked, owned, raw, wide},
    spawn::{self, Given, Spawned, Start, inheritable},
};
use crate::detached_command::DetachedCommand;
use std::{
    ffi::OsStr,
    fs::File,
    io,
    os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle},
    ptr,
};
use windows_sys::Win32::{
    Foundation::{
        ERROR_ACCESS_DENIED, GENERIC_READ, GENERIC_WRITE, HANDLE_FLAG_INHERIT, SetHandleInformation,
    },
    Storage::FileSystem::{
        CreateFileW, FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_TYPE_DISK, GetFileType, OPEN_EXISTING,
    },
    System::{
        Console::{GetStdHandle, STD_OUTPUT_HANDLE, SetStdHandle},
        Threading::{CREATE_BREAKAWAY_FROM_JOB, CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS},
    },
};

pub(crate) struct Detached(Spawned);

impl Detached {
    pub(crate) fn id(&self) -> u32 {
        self.0.pid
    }

    /// Waits for the program to exit and returns its exit code.
    pub(crate) fn wait(&mut self) -> io::Result<Option<i32>> {
        self.0.wait().map(|code| Some(code.cast_signed()))
    }
}

/// Starts the program. Returns the program and this process's ends of its input and output pipes. For each
/// further file, the named variable receives the handle.
pub(crate) fn spawn_detached(
    detach: &mut DetachedCommand,
    files: &[(&'static str, File)],
) -> io::Result<(Detached, File, File)> {
    let (of_stdin, our_stdin) = io::pipe()?;
    let (our_stdout, of_stdout) = io::pipe()?;
    let log = match &detach.log {
        Some(log) => inheritable(raw(log))?,
        None => inheritable(raw(&open_null()?))?,
    };
    let (stdin, stdout) = (inheritable(raw(&of_stdin))?, inheritable(raw(&of_stdout))?);
    let mut more = Vec::with_capacity(files.len());
    let mut env = detach.env.clone();
    for (name, file) in files {
        let copy = inheritable(raw(file))?;
        env.push(((*name).into(), Some((copy.as_raw_handle() as usize).to_string().into())));
        more.push(copy);
    }
    let given = Given::Handles { standard: [&stdin, &stdout, &log], more: &more };
    let start = |flags| {
        let flags = flags | DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP;
        let start =
            Start { program: &detach.program, args: &detach.args, cwd: &detach.cwd, env: &env, flags };
        spawn::spawn(&start, &given)
    };
    // Another program's job may forbid breaking away. The new program is then terminated with that job.
    let spawned = match start(CREATE_BREAKAWAY_FROM_JOB) {
        Err(error) if error.raw_os_error() == Some(ERROR_ACCESS_DENIED.cast_signed()) => start(0),
        started => started,
    }?;
    let ours = (File::from(OwnedHandle::from(our_stdin)), File::from(OwnedHandle::from(our_stdout)));
    Ok((Detached(spawned), ours.0, ours.1))
}

/// Takes ownership of an inherited handle, and prevents this process's children from inheriting it.
pub(crate) fn close_on_exec(number: usize) -> io::Result<File> {
    let handle = number as RawHandle;
    // SAFETY: the call fails if the number is not an open handle.
    if number == 0 || unsafe { GetFileType(handle as _) } != FILE_TYPE_DISK {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the handle is not an open file"));
    }
    // SAFETY: the handle is open and was passed to this process by number. Ownership is taken once, at
    // startup, so no other code owns it.
    let file = unsafe { File::from_raw_handle(handle) };
    // SAFETY: the handle is open.
    checked(unsafe { SetHandleInformation(raw(&file), HANDLE_FLAG_INHERIT, 0) })?;
    Ok(file)
}

/// Redirects standard output to NUL, which closes the report pipe.
pub(crate) fn hide_stdout() -> io::Result<()> {
    let null = open_null()?;
    // SAFETY: the old handle was passed to this process as its standard output, and the standard library
    // queries the handle at each use.
    unsafe {
        let old = GetStdHandle(STD_OUTPUT_HANDLE);
        checked(SetStdHandle(STD_OUTPUT_HANDLE, raw(&null)))?;
        drop(owned(old));
    }
    // Keep the handle open: it is the standard output until the process exits.
    std::mem::forget(null);
    Ok(())
}

fn open_null() -> io::Result<OwnedHandle> {
    let name = wide(OsStr::new("NUL"))?;
    // SAFETY: the name ends with a NUL; neither security attributes nor a template is passed.
    owned(unsafe {
        CreateFileW(
            name.as_ptr(),
            GENERIC_READ | GENERIC_WRITE,
            FILE_SHARE_READ | FILE_SHARE_WRITE,
            ptr::null(),
            OPEN_EXISTING,
            0,
            ptr::null_mut(),
        )
    })
}
