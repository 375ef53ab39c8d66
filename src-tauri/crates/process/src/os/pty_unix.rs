//! A PTY on Unix. Its reader and its writer block in `poll` on the terminal and on a pipe. [`Wake`] holds the
//! pipe's write end, so that closing the terminal never waits for a blocked thread.

use super::pipe::pipe;
use crate::{private_env, pty_command::PtyCommand, size::Size};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fd::{AsFd, BorrowedFd, OwnedFd},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    io::{Errno, fcntl_dupfd_cloexec},
};
use std::{
    fs::File,
    io::{self, Write},
    os::unix::{fs::OpenOptionsExt, process::CommandExt},
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

/// This process's end of a PTY. Dropping it stops the reader and the writer. The kernel hangs up the terminal
/// after they are dropped as well.
pub(crate) struct PtyTerminal {
    master: Box<dyn MasterPty + Send>,
    /// Held until the program starts.
    slave: Option<Box<dyn SlavePty + Send>>,
    _wake: Wake,
}

pub(crate) struct TerminalChild(Box<dyn Child + Send + Sync>);

/// The write end of the pipe that the reader and the writer also poll. Dropping it stops both.
struct Wake(#[allow(dead_code, reason = "closed when it is dropped")] OwnedFd);

impl PtyTerminal {
    pub(crate) fn open(size: Size) -> Result<(PtyTerminal, PtyReader, PtyWriter), String> {
        let pair = portable_pty::native_pty_system().openpty(pty_size(size)).map_err(|e| format!("{e:#}"))?;
        let (reader, writer, wake) = pty_ends(pair.master.as_ref()).map_err(|error| error.to_string())?;
        Ok((PtyTerminal { master: pair.master, slave: Some(pair.slave), _wake: wake }, reader, writer))
    }

    pub(crate) fn spawn(
        &mut self,
        command: &PtyCommand,
        input: Option<Vec<u8>>,
    ) -> Result<TerminalChild, String> {
        let slave = self.slave.take().ok_or("a program was started in the terminal already")?;
        let child = match input {
            None => slave.spawn_command(builder(command)).map_err(|e| format!("{e:#}")),
            Some(input) => {
                let name = self.master.tty_name().ok_or("the terminal has no name")?;
                spawn_with_input(command, input, &name).map_err(|e| e.to_string())
            }
        };
        child.map(TerminalChild)
    }

    pub(crate) fn resize(&self, size: Size) -> Result<(), String> {
        self.master.resize(pty_size(size)).map_err(|e| format!("{e:#}"))
    }
}

impl TerminalChild {
    pub(crate) fn pid(&self) -> u32 {
        self.0.process_id().unwrap_or_default()
    }

    /// Waits for the program to exit. Returns its exit code, or the name of the signal that killed it.
    pub(crate) fn wait(&mut self) -> io::Result<(Option<u32>, Option<String>)> {
        self.0.wait().map(|status| match status.signal() {
            Some(name) => (None, Some(name.to_owned())),
            None => (Some(status.exit_code()), None),
        })
    }
}

fn builder(command: &PtyCommand) -> CommandBuilder {
    let mut builder = CommandBuilder::new(&command.program);
    builder.args(&command.args);
    builder.cwd(&command.cwd);
    private_env::names().for_each(|name| builder.env_remove(name));
    for (key, value) in &command.env {
        match value {
            Some(value) => builder.env(key, value),
            None => builder.env_remove(key),
        }
    }
    builder
}

fn pty_size(size: Size) -> PtySize {
    PtySize { rows: size.rows(), cols: size.cols(), pixel_width: 0, pixel_height: 0 }
}

/// The program's output. It ends when all programs have closed the terminal or `PtyTerminal` is dropped.
pub struct PtyReader {
    fd: OwnedFd,
    wake: OwnedFd,
    /// Remaining reads before the next `poll` for a hang-up.
    reads_until_poll: u8,
    hung_up: bool,
}

/// The number of reads between two polls for a hang-up while a program prints continuously.
const READS_PER_POLL: u8 = 16;

/// The minimum size of a read, in bytes, after which more output is expected. The output after a single
/// keystroke is smaller.
const BURST: usize = 1 << 10;

/// The program's input. Dropping it writes nothing. The writer of portable-pty writes an end-of-file
/// character, which could answer one of the program's dialogs.
pub struct PtyWriter {
    fd: OwnedFd,
    wake: OwnedFd,
}

fn pty_ends(master: &dyn MasterPty) -> io::Result<(PtyReader, PtyWriter, Wake)> {
    let raw = master.as_raw_fd().ok_or_else(|| io::Error::other("the terminal has no descriptor"))?;
    // SAFETY: `master` is borrowed for the whole function and keeps the descriptor open.
    let master = unsafe { BorrowedFd::borrow_raw(raw) };
    fcntl_setfl(master, fcntl_getfl(master)? | OFlags::NONBLOCK)?;
    let dup = |fd: BorrowedFd<'_>| fcntl_dupfd_cloexec(fd, 3);
    let (woken, wake) = pipe()?;
    let reader =
        PtyReader { fd: dup(master)?, wake: dup(woken.as_fd())?, reads_until_poll: 0, hung_up: false };
    let writer = PtyWriter { fd: dup(master)?, wake: woken };
    Ok((reader, writer, Wake(wake)))
}

/// Starts a program in the same way as portable-pty, but with `input` as its standard input.
fn spawn_with_input(
    command: &PtyCommand,
    input: Vec<u8>,
    terminal: &Path,
) -> io::Result<Box<dyn Child + Send + Sync>> {
    let open = || {
        let noctty = i32::try_from(OFlags::NOCTTY.bits()).map_err(io::Error::other)?;
        File::options().read(true).write(true).custom_flags(noctty).open(terminal)
    };
    let (read, mut write) = io::pipe()?;
    // The caller's `child_reaper::spawn` records the child.
    #[allow(clippy::disallowed_methods)]
    let mut spawned = Command::new(&command.program);
    spawned.args(&command.args).current_dir(&command.cwd).stdin(read).stdout(open()?).stderr(open()?);
    if std::env::var_os("SHELL").is_none() {
        spawned.env("SHELL", CommandBuilder::new_default_prog().get_shell());
    }
    private_env::change(&mut spawned, &command.env);
    // SAFETY: only signal, setsid and ioctl are called between fork and exec. All of them are
    // async-signal-safe and none allocates.
    unsafe { spawned.pre_exec(become_session_leader) };
    let child = spawned.spawn()?;
    drop(spawned);
    thread::Builder::new().name("input".into()).spawn(move || {
        let _ = write.write_all(&input);
    })?;
    Ok(Box::new(child))
}

/// Makes the new process a session leader with the terminal on its standard output. Also resets its signal
/// handling, because this process may ignore some signals.
fn become_session_leader() -> io::Result<()> {
    use libc::{SIG_DFL, SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for signal in [SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM] {
        // SAFETY: the default action installs no handler.
        unsafe { libc::signal(signal, SIG_DFL) };
    }
    rustix::process::setsid()?;
    rustix::process::ioctl_tiocsctty(rustix::stdio::stdout())?;
    Ok(())
}

/// Waits until the terminal is ready for `flags`. Returns false if [`PtyTerminal`] was dropped.
///
/// # Errors
/// `TimedOut` if neither happened within `within` (`None`: no limit).
fn ready(fd: &OwnedFd, wake: &OwnedFd, flags: PollFlags, within: Option<Duration>) -> io::Result<bool> {
    let within = within.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
    loop {
        let mut wanted = [PollFd::new(fd, flags), PollFd::new(wake, PollFlags::IN)];
        match poll(&mut wanted, within.as_ref()) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) if !wanted[1].revents().is_empty() => return Ok(false),
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl PtyReader {
    /// Waits until output is available or ends. Returns immediately after most large reads, because more
    /// output is expected.
    ///
    /// # Errors
    /// `TimedOut` if no output arrived within `within` (`None`: no limit).
    pub fn wait(&mut self, within: Option<Duration>) -> io::Result<()> {
        if self.reads_until_poll == 0 {
            self.hung_up = !ready(&self.fd, &self.wake, PollFlags::IN, within)?;
            self.reads_until_poll = READS_PER_POLL;
        }
        Ok(())
    }

    /// Reads available bytes without waiting; returns 0 at the end of the output. Continues after a large
    /// read, because a terminal delivers bulk output in small pieces.
    ///
    /// # Errors
    /// `WouldBlock` if no bytes are available.
    pub fn read_burst(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.hung_up {
            return Ok(0);
        }
        let mut length = 0;
        while length < buf.len() {
            match rustix::io::read(&self.fd, &mut buf[length..]) {
                Ok(n @ 1..) => length += n,
                Err(Errno::INTR) => continue,
                // The next read returns the end or the error again.
                _ if length > 0 => break,
                // All other ends of the terminal are closed.
                Ok(_) | Err(Errno::IO) => return Ok(0),
                Err(error) => {
                    self.reads_until_poll = 0;
                    return Err(error.into());
                }
            }
            if length < BURST {
                break;
            }
        }
        // After a short read, most likely no more output is available yet.
        self.reads_until_poll = if length < BURST { 0 } else { self.reads_until_poll.saturating_sub(1) };
        Ok(length)
    }
}

impl PtyWriter {
    /// Returns a second handle, which can write without blocking while the first one waits.
    pub fn try_clone(&self) -> io::Result<PtyWriter> {
        let dup = |fd: &OwnedFd| fcntl_dupfd_cloexec(fd, 3);
        Ok(PtyWriter { fd: dup(&self.fd)?, wake: dup(&self.wake)? })
    }

    /// Writes as many bytes as the terminal accepts without blocking, and returns their number.
    pub fn write_now(&self, buf: &[u8]) -> io::Result<usize> {
        match rustix::io::write(&self.fd, buf) {
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            written => Ok(written?),
        }
    }
}

impl Write for PtyWriter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        loop {
            if !ready(&self.fd, &self.wake, PollFlags::OUT, None)? {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            match rustix::io::write(&self.fd, buf) {
                Ok(n) => return Ok(n),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
