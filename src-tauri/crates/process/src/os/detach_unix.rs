//! Detaching and signals on Unix.

use crate::handled_signal::HandledSignal;
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

/// Makes the command start in its own process session, with these descriptors open in it. Returns the descriptor
/// numbers in the new program.
pub(crate) fn inherit(command: &mut Command, fds: Vec<OwnedFd>) -> Vec<RawFd> {
    let numbers = fds.iter().map(AsRawFd::as_raw_fd).collect();
    let prepare = move || {
        rustix::process::setsid()?;
        for fd in &fds {
            fcntl_setfd(fd, FdFlags::empty())?;
        }
        Ok(())
    };
    // SAFETY: only setsid and fcntl are called between fork and exec. Both are async-signal-safe and neither
    // allocates.
    unsafe { command.pre_exec(prepare) };
    numbers
}

/// Takes over an inherited descriptor and closes it in the children of this process.
pub(crate) fn close_on_exec(number: RawFd) -> io::Result<OwnedFd> {
    if number <= 2 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the descriptor is a standard stream"));
    }
    // SAFETY: fcntl only reads the number and fails on one that is not open.
    let known = unsafe { rustix::fd::BorrowedFd::borrow_raw(number) };
    fcntl_setfd(known, fcntl_getfd(known)? | FdFlags::CLOEXEC)?;
    // SAFETY: the descriptor is open and was passed to this process by its number. It is taken over once, at the
    // start, so no other code here owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Points standard output at /dev/null, which closes the readiness pipe.
pub(crate) fn hide_stdout() -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdout(null.as_fd()).map_err(io::Error::from)
}

/// Calls `act` for each of these signals on its own thread, until it returns false.
pub(crate) fn watch_signals(
    wanted: &[HandledSignal],
    mut act: Box<dyn FnMut(HandledSignal) -> bool + Send>,
) -> io::Result<()> {
    let number = |wanted: &HandledSignal| match wanted {
        HandledSignal::Terminate => consts::SIGTERM,
        HandledSignal::HangUp => consts::SIGHUP,
        HandledSignal::Interrupt => consts::SIGINT,
        HandledSignal::Child => consts::SIGCHLD,
        HandledSignal::Resized => consts::SIGWINCH,
    };
    let known: Vec<(i32, HandledSignal)> = wanted.iter().map(|w| (number(w), *w)).collect();
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
