//! Detaching and signals on Unix.

use crate::{detached_command::DetachedCommand, handled_signal::HandledSignal, private_env};
use rustix::{
    fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
    fs::{Mode, OFlags},
    io::{FdFlags, fcntl_getfd, fcntl_setfd},
};
use signal_hook::{consts, iterator::Signals};
use std::{
    fs::File,
    io,
    os::{fd::AsRawFd, unix::process::CommandExt},
    process::{Child, Command, Stdio},
};

pub(crate) struct Detached(Child);

impl Detached {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits for the program to exit. Returns its exit code, or `None` if it was killed by a signal.
    pub(crate) fn wait(&mut self) -> io::Result<Option<i32>> {
        self.0.wait().map(|status| status.code())
    }
}

/// Starts the program in its own process session, with the files open in it. Returns the program and this
/// process's ends of its input and output pipes. The caller closes the files afterwards, so that only the
/// program holds the locks on them.
pub(crate) fn spawn_detached(
    detach: &mut DetachedCommand,
    files: &[(&'static str, File)],
) -> io::Result<(Detached, File, File)> {
    #[allow(clippy::disallowed_methods)]
    let mut command = Command::new(&detach.program);
    command.args(&detach.args).current_dir(&detach.cwd).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(detach.log.take().map_or_else(Stdio::null, Stdio::from));
    private_env::change(&mut command, &detach.env);
    let mut fds = Vec::with_capacity(files.len());
    for (name, file) in files {
        command.env(name, file.as_raw_fd().to_string());
        fds.push(file.as_raw_fd());
    }
    inherit(&mut command, fds);
    let mut child = command.spawn()?;
    let stdin = child.stdin.take().ok_or_else(|| io::Error::other("the child has no standard input"))?;
    let report = child.stdout.take().ok_or_else(|| io::Error::other("the child has no standard output"))?;
    Ok((Detached(child), File::from(OwnedFd::from(stdin)), File::from(OwnedFd::from(report))))
}

/// Configures the command to start in its own process session with these descriptors open.
fn inherit(command: &mut Command, fds: Vec<RawFd>) {
    let prepare = move || {
        rustix::process::setsid()?;
        for fd in &fds {
            // SAFETY: the caller keeps the files open until the program has started.
            fcntl_setfd(unsafe { BorrowedFd::borrow_raw(*fd) }, FdFlags::empty())?;
        }
        Ok(())
    };
    // SAFETY: only setsid and fcntl are called between fork and exec. Both are async-signal-safe and neither
    // allocates.
    unsafe { command.pre_exec(prepare) };
}

/// Takes ownership of an inherited descriptor, and prevents this process's children from inheriting it.
pub(crate) fn close_on_exec(number: RawFd) -> io::Result<OwnedFd> {
    if number <= 2 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the descriptor is a standard stream"));
    }
    // SAFETY: fcntl only reads the number, and fails if it is not an open descriptor.
    let known = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl_setfd(known, fcntl_getfd(known)? | FdFlags::CLOEXEC)?;
    // SAFETY: the descriptor is open and was passed to this process by number. Ownership is taken once, at
    // startup, so no other code owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Redirects standard output to /dev/null, which closes the report pipe.
pub(crate) fn hide_stdout() -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdout(null.as_fd()).map_err(io::Error::from)
}

/// Calls `act` for each of these signals on a separate thread, until `act` returns false.
pub(crate) fn watch_signals(
    wanted: &[HandledSignal],
    mut act: Box<dyn FnMut(HandledSignal) -> bool + Send>,
) -> io::Result<()> {
    let number = |wanted: &HandledSignal| match wanted {
        HandledSignal::Terminate => consts::SIGTERM,
        HandledSignal::HangUp => consts::SIGHUP,
        HandledSignal::Interrupt => consts::SIGINT,
        HandledSignal::ChildExited => consts::SIGCHLD,
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
