//! Waits for a child and reads its output on the calling thread.

use crate::captured_output::{CappedOutput, WaitOutput, reap};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, PidfdFlags, pidfd_open},
};
use std::{
    io::{self, Read},
    process::Child,
    thread,
    time::{Duration, Instant},
};

/// The minimum time for reading output after the program has exited, even past the deadline.
const LAST_OUTPUT: Duration = Duration::from_millis(200);

/// Reads until the program has exited and both output pipes are closed. Returns `Ok(None)` at the deadline;
/// the program is not terminated.
///
/// # Errors
/// The operating system does not provide a handle for the process. In that case, `child` is unchanged.
pub(crate) fn wait_with_output(
    child: &mut Child,
    cap: usize,
    until: Instant,
) -> io::Result<Option<WaitOutput>> {
    let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let (mut out, mut err) = (CappedOutput::up_to(cap), CappedOutput::up_to(cap));
    let (mut status, mut until) = (None, until);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        let open = [stdout.is_some(), stderr.is_some(), status.is_none()];
        let [of_out, of_err, of_end] = {
            let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(open.len());
            fds.extend(stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            fds.extend(stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            match status.take() {
                Some(status) if fds.is_empty() => {
                    return Ok(Some(WaitOutput { status, stdout: out, stderr: err }));
                }
                Some(ended) => status = Some(ended),
                None => fds.push(PollFd::new(&end, PollFlags::IN)),
            }
            poll_any(&mut fds, left);
            let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
            open.map(|open| open && ready.next().unwrap_or_default())
        };
        if of_out {
            take(&mut stdout, &mut out);
        }
        if of_err {
            take(&mut stderr, &mut err);
        }
        if of_end {
            status = Some(reap(child));
            until = until.max(Instant::now() + LAST_OUTPUT);
        }
    }
}

/// Waits up to `longest` for any of these descriptors. Can return earlier.
fn poll_any(fds: &mut [PollFd<'_>], longest: Duration) {
    match poll(fds, Timespec::try_from(longest).ok().as_ref()) {
        Ok(_) | Err(Errno::INTR) => {}
        // The cause may be a temporary lack of memory, so let the caller retry.
        Err(_) => thread::sleep(Duration::from_millis(10)),
    }
}

/// Reads available bytes from a pipe, and closes it at the end of the stream or after an error.
fn take(pipe: &mut Option<impl Read>, output: &mut CappedOutput) {
    let mut chunk = [0; 16 << 10];
    let read = pipe.as_mut().map_or(Ok(0), |pipe| pipe.read(&mut chunk));
    match read {
        Ok(0) => *pipe = None,
        Ok(n) => output.add(&chunk[..n]),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(_) => *pipe = None,
    }
}
