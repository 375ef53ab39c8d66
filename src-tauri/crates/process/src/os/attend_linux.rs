//! Attending to a program that runs, in the thread that started it: its outputs and its end are waited for together.

use crate::run::{Attended, Kept, collect};
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

/// How long an output is read at least once the program has ended.
const LAST_OUTPUT: Duration = Duration::from_millis(200);

/// Until the program has ended and nobody has its outputs open any more. `Ok(None)` where that takes too long: what has
/// not ended runs on.
///
/// # Errors
/// The system gives no handle of the program; nothing was taken from it then.
pub(crate) fn attend(child: &mut Child, cap: usize, until: Instant) -> io::Result<Option<Attended>> {
    let end = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let (mut out, mut err) = (Kept::up_to(cap), Kept::up_to(cap));
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
                    return Ok(Some(Attended { status, stdout: out, stderr: err }));
                }
                Some(ended) => status = Some(ended),
                None => fds.push(PollFd::new(&end, PollFlags::IN)),
            }
            waits(&mut fds, left);
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
            status = Some(collect(child));
            until = until.max(Instant::now() + LAST_OUTPUT);
        }
    }
}

/// Waits for any of them, at most so long; perhaps for less.
fn waits(fds: &mut [PollFd<'_>], longest: Duration) {
    let longest = Timespec {
        tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: longest.subsec_nanos().into(),
    };
    match poll(fds, Some(&longest)) {
        Ok(_) | Err(Errno::INTR) => {}
        // No memory, say: a moment later there may be some.
        Err(_) => thread::sleep(Duration::from_millis(10)),
    }
}

/// What is there of an output; at its end the output goes.
fn take(pipe: &mut Option<impl Read>, kept: &mut Kept) {
    let mut chunk = [0; 16 << 10];
    let read = pipe.as_mut().map_or(Ok(0), |pipe| pipe.read(&mut chunk));
    match read {
        Ok(0) => *pipe = None,
        Ok(n) => kept.add(&chunk[..n]),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(_) => *pipe = None,
    }
}
