//! Starts ssh, and exchanges lines with a script that runs on another machine, in a container or in a pod.

use super::{MachineAddress, OPTIONS, UNSHARED, next_line, tail};
use bc_process::{
    foreground::ForegroundError,
    piped::{self, Piped, PipedChild},
};
use bc_wire::{ApiError, ErrorCode};
use std::{
    ffi::OsString,
    io::{BufReader, Write},
    process::ChildStdin,
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Instant,
};

/// The maximum number of unread lines. At this limit, the script's output blocks.
const LINES_MAX: usize = 64;

/// Starts ssh with additional options and runs `line` in the account's shell on the machine. Dropping the
/// child ends ssh.
///
/// # Errors
/// ssh is not installed, or cannot be started.
pub fn start(machine: &MachineAddress, options: &[String], line: String) -> Result<Piped, ApiError> {
    let mut args: Vec<String> = OPTIONS.iter().chain(UNSHARED).map(|&option| option.to_owned()).collect();
    args.extend_from_slice(options);
    args.extend(["--".to_owned(), machine.as_str().to_owned(), line]);
    // ssh's messages are matched against English strings.
    piped::start("ssh".as_ref(), args.into_iter().map(OsString::from), &[("LC_ALL", "C")]).map_err(|error| {
        match error {
            ForegroundError::NotFound { .. } => ApiError::new(ErrorCode::ProgramMissing, "ssh was not found")
                .hint("install an OpenSSH client"),
            other => ApiError::new(ErrorCode::Io, other.to_string()),
        }
    })
}

/// A running script that receives requests and sends answers, each as a line.
pub struct Connection {
    child: PipedChild,
    stdin: ChildStdin,
    lines: Receiver<String>,
    said: Receiver<String>,
}

/// The reason why no line arrived.
pub enum NoLine {
    /// The deadline has passed.
    TimedOut,
    /// The script's output has ended.
    Ended,
}

impl Connection {
    pub(crate) fn over(started: Piped) -> Connection {
        let Piped { child, stdin, stdout, stderr } = started;
        let (sender, lines) = sync_channel(LINES_MAX);
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            // Sending fails once the connection, and with it the receiver, is dropped.
            while let Some(line) = next_line(&mut stdout)
                && sender.send(line).is_ok()
            {}
        });
        let (sender, said) = sync_channel(1);
        thread::spawn(move || {
            let _ = sender.send(tail(stderr));
        });
        Connection { child, stdin, lines, said }
    }

    /// Sends a line. A lost connection is reported when the answer is read.
    pub fn send(&mut self, line: &str) {
        let _ = self.stdin.write_all(format!("{line}\n").as_bytes());
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// No line arrived before the deadline, or the output has ended.
    pub fn line(&self, deadline: Instant) -> Result<String, NoLine> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::TimedOut,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// Waits until the local program, such as ssh, exits after the script's output has ended. Returns its
    /// exit code (`None` after a signal) and the tail of its standard error.
    pub fn end(self) -> (Option<i32>, String) {
        let Connection { mut child, stdin, lines, said } = self;
        drop((stdin, lines));
        let code = child.wait().and_then(|status| status.code());
        (code, said.recv().unwrap_or_default())
    }
}
