//! Pipes that later programs do not inherit.

use rustix::fd::OwnedFd;
use std::io;

/// Creates a pipe. Returns the read end, then the write end.
#[cfg(target_os = "linux")]
pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}

/// Creates a pipe. Returns the read end, then the write end.
#[cfg(not(target_os = "linux"))]
pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    in_two_steps()
}

/// Creates a pipe on a system without `pipe2`. Blocks spawns between the calls, because a program that
/// started in between would inherit the pipe.
#[cfg(any(test, not(target_os = "linux")))]
fn in_two_steps() -> io::Result<(OwnedFd, OwnedFd)> {
    use rustix::io::{FdFlags, fcntl_setfd};
    crate::child_reaper::without_spawns(|| {
        let (read, write) = rustix::pipe::pipe()?;
        fcntl_setfd(&read, FdFlags::CLOEXEC)?;
        fcntl_setfd(&write, FdFlags::CLOEXEC)?;
        Ok((read, write))
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::run::Program;
    use rustix::io::{FdFlags, fcntl_getfd};
    use std::{
        collections::HashSet,
        sync::mpsc::{TryRecvError, sync_channel},
        thread,
    };

    #[test]
    fn concurrently_started_programs_do_not_inherit_the_pipe() {
        let (read, write) = in_two_steps().unwrap();
        let flags = [fcntl_getfd(&read).unwrap(), fcntl_getfd(&write).unwrap()];
        assert_eq!(flags, [FdFlags::CLOEXEC; 2]);
        let (stop, stopped) = sync_channel::<()>(0);
        let (made, listed) = thread::scope(|scope| {
            let making = scope.spawn(move || {
                let mut made = HashSet::new();
                // Dropping the sender stops the loop, even after a failed assertion.
                while stopped.try_recv() != Err(TryRecvError::Disconnected) {
                    let (read, _write) = in_two_steps().unwrap();
                    made.insert(format!("pipe:[{}]", rustix::fs::fstat(&read).unwrap().st_ino));
                }
                made
            });
            let listed = |_| Program::new("ls").args(["-l", "/proc/self/fd"]).run().unwrap().out();
            let listed: String = (0..40).map(listed).collect();
            drop(stop);
            (making.join().unwrap(), listed)
        });
        let inherited: Vec<&str> = listed
            .lines()
            .filter(|line| line.rsplit(' ').next().is_some_and(|target| made.contains(target)))
            .collect();
        assert!(!made.is_empty() && inherited.is_empty(), "{inherited:?}");
    }
}
