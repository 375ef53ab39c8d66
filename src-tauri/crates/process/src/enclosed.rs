//! Running a program whose whole family ends with it: what it left in the background, what made itself
//! independent, what ignores being told.
//!
//! For a process that does nothing else. It has to be the parent of its descendants' orphans
//! ([`crate::owned::become_subreaper`]), so that a program that cut every tie is still found below it;
//! where the system has no such thing the mark in the environment finds what kept its environment.

use crate::{
    descendants::{Ended, Mark, enclosed, end_each},
    run::{Drained, Program, RunError, drain},
};
use std::{
    io::Write,
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

/// How long pipes are read once nobody is left who could write into them.
const LAST_OUTPUT: Duration = Duration::from_secs(2);

/// What a run left behind; of its processes nothing, but for [`Ended::left`].
#[derive(Debug)]
pub struct Enclosed {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Whether it was still running at its deadline.
    pub timed_out: bool,
    /// Standard output, at most the cap.
    pub stdout: Vec<u8>,
    /// Standard error, at most the cap.
    pub stderr: Vec<u8>,
    /// Whether more was printed than the cap and dropped.
    pub truncated: bool,
    /// Whoever was still there when the program had ended or was late.
    pub ended: Ended,
}

impl Program {
    /// Runs it to its end or to its deadline, and ends everything that it started. Whoever is told to
    /// end gets `grace` for it.
    pub fn run_enclosed(self, mark: &Mark, grace: Duration) -> Result<Enclosed, RunError> {
        let program = self.env(&mark.variable, &mark.value);
        let mut child = program.spawn()?;
        let (stdin, input) = (child.stdin.take(), program.stdin);
        thread::spawn(move || {
            if let Some(mut pipe) = stdin {
                // A program that does not read its input is not an error of ours.
                let _ = pipe.write_all(&input);
            }
        });
        let out = drain(child.stdout.take(), program.cap, program.log.clone());
        let err = drain(child.stderr.take(), program.cap, program.log);
        let (sender, waited) = sync_channel(1);
        thread::spawn(move || {
            let status = child.wait();
            crate::owned::collected(child.id());
            let _ = sender.send(status);
        });
        let path = program.path;
        let wait_error = |source| RunError::Wait { program: path.clone(), source };
        let in_time = waited.recv_timeout(program.timeout);
        let ended = end_each(|| enclosed(mark), grace).map_err(wait_error)?;
        let (timed_out, status) = match in_time {
            Ok(status) => (false, Some(status.map_err(wait_error)?)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                (true, waited.recv_timeout(LAST_OUTPUT).ok().and_then(Result::ok))
            }
        };
        let read = |pipe: Drained| pipe.recv_timeout(LAST_OUTPUT).unwrap_or_default();
        let ((stdout, cut_out), (stderr, cut_err)) = (read(out), read(err));
        let code = status.and_then(|status| status.code()).filter(|_| !timed_out);
        Ok(Enclosed { code, timed_out, stdout, stderr, truncated: cut_out || cut_err, ended })
    }
}
