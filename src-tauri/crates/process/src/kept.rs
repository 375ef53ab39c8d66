//! A program that runs for as long as somebody wants it: what it prints is handed on as it comes, and it
//! learns from its standard input, which ends, that nobody wants it any more, be it because the one who did
//! was killed. So nothing of ours works on for nobody.

use crate::{
    descendants::{Ended, Mark, enclosed, end_each},
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

/// How much of what it complains of is kept.
const COMPLAINTS: usize = 1 << 20;

/// The other end of a kept program's standard input.
#[derive(Debug, Clone, Default)]
pub struct Leash(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    pipe: Option<std::process::ChildStdin>,
    let_go: bool,
}

impl Leash {
    /// Tells the program that nobody wants it any more; one that is not started yet will not be.
    pub fn let_go(&self) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.let_go = true;
        drop(held.pipe.take());
    }

    fn is_let_go(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).let_go
    }

    fn hold(&self, pipe: Option<std::process::ChildStdin>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.pipe = pipe.filter(|_| !held.let_go);
    }
}

/// What a kept program left behind.
#[derive(Debug)]
pub struct Kept {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Program {
    /// Runs it to its end, on a leash: `order` is the first line of its standard input, and the rest comes when
    /// it is let go. What it prints goes to `output`, in pieces, as it comes. It has no deadline of its own here.
    pub fn run_kept(
        self,
        order: &str,
        leash: &Leash,
        mut output: impl FnMut(&[u8]),
    ) -> Result<Option<Kept>, RunError> {
        if leash.is_let_go() {
            return Ok(None);
        }
        let mut child = self.spawn()?;
        let mut stdin = child.stdin.take();
        if let Some(pipe) = &mut stdin {
            // One that does not read says so by its end.
            let _ = pipe.write_all(format!("{order}\n").as_bytes()).and_then(|()| pipe.flush());
        }
        leash.hold(stdin);
        let stderr = drain(child.stderr.take(), COMPLAINTS, None);
        if let Some(mut pipe) = child.stdout.take() {
            let mut chunk = vec![0u8; 64 << 10];
            while let Ok(n) = pipe.read(&mut chunk) {
                if n == 0 {
                    break;
                }
                output(&chunk[..n]);
            }
        }
        let status = child.wait();
        crate::owned::collected(child.id());
        let status = status.map_err(|source| RunError::Wait { program: self.path.clone(), source })?;
        let stderr = stderr.recv().map(|(bytes, _)| bytes).unwrap_or_default();
        Ok(Some(Kept { code: status.code(), stderr }))
    }

    /// In a kept program that does nothing else and is its orphans' parent: runs one with its own outputs both as
    /// standard output here, until it ends, its time is over or `unwanted` says so; then ends all that it started.
    pub fn run_below(
        self,
        mark: &Mark,
        grace: Duration,
        unwanted: impl FnOnce() + Send + 'static,
    ) -> Result<Below, RunError> {
        let program = self.env(&mark.variable, &mark.value);
        let wait_error = |source| RunError::Wait { program: program.path.clone(), source };
        let (first, second) = (another_stdout().map_err(wait_error)?, another_stdout().map_err(wait_error)?);
        let mut child = program.spawn_with(Stdio::null(), first, second)?;
        let (sender, heard) = sync_channel(2);
        let ended = sender.clone();
        thread::spawn(move || {
            let status = child.wait();
            crate::owned::collected(child.id());
            let _ = ended.send(Heard::Ended(status.ok().and_then(|status| status.code())));
        });
        thread::spawn(move || {
            unwanted();
            let _ = sender.send(Heard::Unwanted);
        });
        let started = Instant::now();
        let end = match heard.recv_timeout(program.timeout) {
            Ok(Heard::Ended(code)) => End::Code(code),
            Ok(Heard::Unwanted) => End::Unwanted,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => End::Late,
        };
        let took = started.elapsed();
        let ended = end_each(|| enclosed(mark), grace).map_err(wait_error)?;
        Ok(Below { end, took, ended })
    }
}

enum Heard {
    Ended(Option<i32>),
    Unwanted,
}

/// How a program ended below a kept one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code; `None` when a signal ended it.
    Code(Option<i32>),
    /// It was still running at its deadline.
    Late,
    /// Nobody wanted it any more.
    Unwanted,
}

/// What a program below a kept one left behind; of its processes nothing, but for [`Ended::left`].
#[derive(Debug)]
pub struct Below {
    /// How it ended.
    pub end: End,
    /// How long it ran.
    pub took: Duration,
    /// Whoever was still there then.
    pub ended: Ended,
}

/// Another one of this process's standard output.
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
    fn what_it_prints_is_handed_on_and_its_order_is_its_first_line() {
        let mut printed = Vec::new();
        let script = "read order; echo \"got $order\"; echo complaint >&2; exit 3";
        let kept =
            shell(script).run_kept("this", &Leash::default(), |bytes| printed.extend_from_slice(bytes));
        let kept = kept.unwrap().unwrap();
        assert_eq!(
            (kept.code, kept.stderr.as_slice(), printed.as_slice()),
            (Some(3), &b"complaint\n"[..], &b"got this\n"[..])
        );
    }

    #[test]
    fn it_learns_that_nobody_wants_it_any_more() {
        let leash = Leash::default();
        let held = leash.clone();
        // Its input ends only when it is let go; that happens once it has said that it reads.
        let script = "read order; echo ready; cat; echo let go; exit 7";
        let mut printed = Vec::new();
        let kept = shell(script).run_kept("x", &leash, |bytes| {
            printed.extend_from_slice(bytes);
            held.let_go();
        });
        assert_eq!(kept.unwrap().unwrap().code, Some(7));
        assert_eq!(printed, b"ready\nlet go\n");
        assert!(shell("exit 0").run_kept("x", &leash, |_| ()).unwrap().is_none(), "not even begun");
    }
}
