//! Runs a supervised program until it exits or its caller stops it, and a command inside such a program.
//!
//! The supervised program's standard output is forwarded as it arrives. The program must exit when its
//! standard input is closed. The pipe is closed even if the caller is killed, so that the program does not
//! outlive its caller.

use crate::{
    captured_output::reap,
    descendants::{EndReport, EnvMarker, contained, end_each},
    run::{Program, RunError, drain},
};
use std::{
    io::{self, Read, Write},
    process::Stdio,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// The maximum amount of a program's standard error that is kept, in bytes.
const STDERR_MAX: usize = 1 << 20;

/// Stops a supervised program by closing its standard input. Clones stop the same program.
#[derive(Debug, Clone, Default)]
pub struct StopHandle(Arc<Mutex<HandleState>>);

#[derive(Debug, Default)]
struct HandleState {
    pipe: Option<std::process::ChildStdin>,
    stopped: bool,
}

impl StopHandle {
    /// Closes the program's standard input, after which the program must exit. A program that has not started
    /// yet will not be started.
    pub fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.stopped = true;
        drop(state.pipe.take());
    }

    fn is_stopped(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).stopped
    }

    fn attach(&self, pipe: Option<std::process::ChildStdin>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.pipe = pipe.filter(|_| !state.stopped);
    }
}

/// The result of running a supervised program.
#[derive(Debug)]
pub struct SupervisedExit {
    /// The exit code; `None` if the program was killed by a signal.
    pub code: Option<i32>,
    pub stderr: Vec<u8>,
}

impl Program {
    /// Runs the program until it exits, without a deadline. `order` is written as the first line of its
    /// standard input, which stays open until `stop_handle` closes it. Output is passed to `output` as it
    /// arrives. Returns `None` if `stop_handle` was used before the start.
    pub fn run_supervised(
        self,
        order: &str,
        stop_handle: &StopHandle,
        mut output: impl FnMut(&[u8]),
    ) -> Result<Option<SupervisedExit>, RunError> {
        if stop_handle.is_stopped() {
            return Ok(None);
        }
        let mut child = self.spawn()?;
        let mut stdin = child.stdin.take();
        if let Some(pipe) = &mut stdin {
            // Ignore an error: if the program exits without reading its input, its exit code shows the
            // failure.
            let _ = pipe.write_all(format!("{order}\n").as_bytes()).and_then(|()| pipe.flush());
        }
        stop_handle.attach(stdin);
        let stderr = drain(child.stderr.take(), STDERR_MAX, None);
        if let Some(mut pipe) = child.stdout.take() {
            let mut chunk = vec![0u8; 64 << 10];
            while let Ok(n) = pipe.read(&mut chunk)
                && n > 0
            {
                output(&chunk[..n]);
            }
        }
        let status =
            reap(&mut child).map_err(|source| RunError::Wait { program: self.path.clone(), source })?;
        let stderr = stderr.recv().map(|(bytes, _)| bytes).unwrap_or_default();
        Ok(Some(SupervisedExit { code: status.code(), stderr }))
    }

    /// Runs a program with both outputs connected to this process's standard output. Use it only in a
    /// supervised process that is a subreaper and has no other task. The run ends when the program exits,
    /// when its deadline passes, or when `cancelled` returns. Then all processes that the program started are
    /// terminated.
    pub fn run_command(
        self,
        mark: &EnvMarker,
        grace: Duration,
        cancelled: impl FnOnce() + Send + 'static,
    ) -> Result<CommandExit, RunError> {
        let program = self.env(&mark.variable, &mark.value);
        let wait_error = |source| RunError::Wait { program: program.path.clone(), source };
        let (first, second) = (another_stdout().map_err(wait_error)?, another_stdout().map_err(wait_error)?);
        let mut child = program.spawn_with(Stdio::null(), first, second)?;
        let (sender, events) = sync_channel(2);
        let ended = sender.clone();
        thread::spawn(move || {
            let status = reap(&mut child);
            let _ = ended.send(RunEvent::Ended(status.ok().and_then(|status| status.code())));
        });
        thread::spawn(move || {
            cancelled();
            let _ = sender.send(RunEvent::Cancelled);
        });
        let started = Instant::now();
        let end = match events.recv_timeout(program.timeout) {
            Ok(RunEvent::Ended(code)) => End::Exited(code),
            Ok(RunEvent::Cancelled) => End::Cancelled,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => End::TimedOut,
        };
        let took = started.elapsed();
        let ended = end_each(|| contained(mark), grace).map_err(wait_error)?;
        Ok(CommandExit { end, took, ended })
    }
}

enum RunEvent {
    Ended(Option<i32>),
    Cancelled,
}

/// The reason that a command is no longer running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The command exited with this code. `None` if a signal killed it or waiting for it failed.
    Exited(Option<i32>),
    /// The command was still running at its deadline.
    TimedOut,
    Cancelled,
}

/// The result of a command. None of its processes is still running, except [`EndReport::left`].
#[derive(Debug)]
pub struct CommandExit {
    pub end: End,
    pub took: Duration,
    /// The processes that were still running at the end of the run.
    pub ended: EndReport,
}

/// Duplicates this process's standard output.
fn another_stdout() -> io::Result<Stdio> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    handle.map(Stdio::from)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        Program::new("/bin/sh").args(["-c", script])
    }

    #[test]
    fn output_is_forwarded_and_the_order_is_the_first_input_line() {
        let mut printed = Vec::new();
        let script = "read order; echo \"got $order\"; echo complaint >&2; exit 3";
        let exit = shell(script)
            .run_supervised("this", &StopHandle::default(), |bytes| printed.extend_from_slice(bytes));
        let exit = exit.unwrap().unwrap();
        assert_eq!(
            (exit.code, exit.stderr.as_slice(), printed.as_slice()),
            (Some(3), &b"complaint\n"[..], &b"got this\n"[..])
        );
    }

    #[test]
    fn stopping_closes_its_standard_input() {
        let stop_handle = StopHandle::default();
        let state = stop_handle.clone();
        // The script's `cat` exits only after the stop, which follows the script's first output.
        let script = "read order; echo ready; cat; echo let go; exit 7";
        let mut printed = Vec::new();
        let exit = shell(script).run_supervised("x", &stop_handle, |bytes| {
            printed.extend_from_slice(bytes);
            state.stop();
        });
        assert_eq!(exit.unwrap().unwrap().code, Some(7));
        assert_eq!(printed, b"ready\nlet go\n");
        assert!(
            shell("exit 0").run_supervised("x", &stop_handle, |_| ()).unwrap().is_none(),
            "it was not started"
        );
    }
}
