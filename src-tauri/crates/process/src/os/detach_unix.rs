//! Detaching and signals on Unix.

use crate::signals::Wanted;
use rustix::{
    fd::{AsFd, FromRawFd, OwnedFd, RawFd},
    fs::{Mode, OFlags},
    io::{FdFlags, fcntl_getfd, fcntl_setfd},
};
use signal_hook::{consts, iterator::Signals};
use std::{
    io,
    os::{fd::AsRawFd, unix::process::CommandExt},
    process::Command,
};

/// Has the command start in a process session of its own, with these descriptors open in it. The
/// returned numbers are the descriptors' in the new program.
pub(crate) fn inherit(command: &mut Command, fds: Vec<OwnedFd>) -> Vec<RawFd> {
    let numbers = fds.iter().map(AsRawFd::as_raw_fd).collect();
    let prepare = move || {
        rustix::process::setsid()?;
        for fd in &fds {
            fcntl_setfd(fd, FdFlags::empty())?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec only setsid and fcntl are called: both are async-signal-safe and
    // neither allocates.
    unsafe { command.pre_exec(prepare) };
    numbers
}

/// Takes over an inherited descriptor and keeps it from the children of this process.
pub(crate) fn close_on_exec(number: RawFd) -> io::Result<OwnedFd> {
    if number <= 2 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is one of the standard streams"));
    }
    // SAFETY: fcntl only looks at the number, and fails on one that is not open.
    let known = unsafe { rustix::fd::BorrowedFd::borrow_raw(number) };
    fcntl_setfd(known, fcntl_getfd(known)? | FdFlags::CLOEXEC)?;
    // SAFETY: the descriptor is open and was handed to this process by its number; nobody else here
    // knows it, for it is taken over once, at the start.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Points standard output at /dev/null, which closes the readiness pipe.
pub(crate) fn hide_stdout() -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdout(null.as_fd()).map_err(io::Error::from)
}

/// Calls `act` for each of the wanted signals, in a thread of its own, until it returns false.
pub(crate) fn watch_signals(
    wanted: &[Wanted],
    mut act: Box<dyn FnMut(Wanted) -> bool + Send>,
) -> io::Result<()> {
    let number = |wanted: &Wanted| match wanted {
        Wanted::Terminate => consts::SIGTERM,
        Wanted::HangUp => consts::SIGHUP,
        Wanted::Interrupt => consts::SIGINT,
        Wanted::Child => consts::SIGCHLD,
        Wanted::Resized => consts::SIGWINCH,
    };
    let known: Vec<(i32, Wanted)> = wanted.iter().map(|w| (number(w), *w)).collect();
    let mut signals = Signals::new(known.iter().map(|(n, _)| *n))?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for got in signals.forever() {
            let Some((_, wanted)) = known.iter().find(|(n, _)| *n == got) else { continue };
            if !act(*wanted) {
                break;
            }
        }
    })?;
    Ok(())
}
