//! Runs a program, then terminates its whole process family: background processes, detached processes, and
//! processes that ignore SIGTERM.
//!
//! Use this module only in a process that has no other task and that adopts its descendants' orphans
//! ([`crate::child_reaper::become_subreaper`]). Fully detached programs then remain in its process tree. The
//! environment marker also finds processes that the process tree does not show.

use crate::{
    captured_output::reap,
    descendants::{EndReport, EnvMarker, contained, end_each},
    run::{DrainReceiver, Program, RunError, drain, write_stdin},
};
use std::{
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

/// How long to wait for the end of each pipe, and after a timeout for the exit code, once the program's
/// processes have been terminated. The output of a pipe that stays open longer is lost.
const LAST_OUTPUT: Duration = Duration::from_secs(2);

/// The result of a run. None of its processes is still running, except [`EndReport::left`].
#[derive(Debug)]
pub struct ContainedRun {
    /// The exit code; `None` if the program was killed by a signal or timed out.
    pub code: Option<i32>,
    /// Whether the program was still running at its deadline.
    pub timed_out: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Whether output is missing: beyond the cap, or of a pipe that stayed open.
    pub truncated: bool,
    /// The processes that were still running when the program exited or reached its deadline.
    pub ended: EndReport,
}

impl Program {
    /// Runs the program until it exits or reaches its deadline, then terminates all processes that it
    /// started. Sends SIGTERM first, and SIGKILL after `grace`.
    pub fn run_contained(self, mark: &EnvMarker, grace: Duration) -> Result<ContainedRun, RunError> {
        let program = self.env(&mark.variable, &mark.value);
        let mut child = program.spawn()?;
        write_stdin(child.stdin.take(), program.stdin);
        let out = drain(child.stdout.take(), program.cap, program.log.clone());
        let err = drain(child.stderr.take(), program.cap, program.log);
        let (sender, waited) = sync_channel(1);
        thread::spawn(move || {
            let _ = sender.send(reap(&mut child));
        });
        let path = program.path;
        let wait_error = |source| RunError::Wait { program: path.clone(), source };
        let in_time = waited.recv_timeout(program.timeout);
        let ended = end_each(|| contained(mark), grace).map_err(wait_error)?;
        let (timed_out, status) = match in_time {
            Ok(status) => (false, Some(status.map_err(wait_error)?)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                (true, waited.recv_timeout(LAST_OUTPUT).ok().and_then(Result::ok))
            }
        };
        // A program that is not contained can keep the pipe open; then the output is incomplete.
        let read = |pipe: DrainReceiver| pipe.recv_timeout(LAST_OUTPUT).unwrap_or((Vec::new(), true));
        let ((stdout, cut_out), (stderr, cut_err)) = (read(out), read(err));
        let code = status.and_then(|status| status.code()).filter(|_| !timed_out);
        Ok(ContainedRun { code, timed_out, stdout, stderr, truncated: cut_out || cut_err, ended })
    }
}
