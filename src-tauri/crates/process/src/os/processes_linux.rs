//! Processes on Linux: `/proc` for the process tree, pidfds for signals and waiting.

use super::{outermost_shell::outermost_shell, signal::unix_signal};
use crate::process_entry::{Identity, ProcessEntry, Signal};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fd::OwnedFd,
    io::Errno,
    process::{self, Pid, PidfdFlags, WaitOptions},
};
use std::{fs, io, time::Instant};

fn pid_of(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

pub(crate) fn become_subreaper() -> io::Result<()> {
    process::set_child_subreaper(Some(process::getpid())).map_err(io::Error::from)
}

/// Reaps children that have exited, except those for which `is_own` returns true.
pub(crate) fn reap_ended_children(is_own: &dyn Fn(u32) -> bool) -> usize {
    let me = std::process::id();
    let ended = list().unwrap_or_default().into_iter().filter(|p| p.parent == me && p.ended);
    ended
        .filter(|p| !is_own(p.identity.pid))
        .filter_map(|p| pid_of(p.identity.pid))
        .filter(|&pid| matches!(process::waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_))))
        .count()
}

/// Returns the process with this pid, even if it has exited and has not been reaped yet.
fn entry(pid: u32) -> Option<ProcessEntry> {
    parse(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
}

fn parse(pid: u32, stat: &[u8]) -> Option<ProcessEntry> {
    // The name is in parentheses and can contain any bytes, including parentheses and newlines.
    let open = stat.iter().position(|&b| b == b'(')?;
    let close = stat.iter().rposition(|&b| b == b')')?;
    let name = String::from_utf8_lossy(stat.get(open + 1..close)?).into_owned();
    let rest = String::from_utf8_lossy(stat.get(close + 1..)?);
    // The remaining fields: the state is the 1st, the parent the 2nd, the number of threads the 18th, the
    // start time the 20th.
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let threads: u32 = fields.nth(15)?.parse().ok()?;
    let start = fields.nth(1)?.parse().ok()?;
    // The state is that of the first thread. While another thread is in an uninterruptible call, such as a
    // write to a busy disk, the process keeps its files and their locks. It therefore counts as running.
    let ended = matches!(state, "Z" | "X" | "x") && threads <= 1;
    Some(ProcessEntry { identity: Identity { pid, start }, parent, name, ended })
}

pub(crate) fn identity_of(pid: u32) -> Option<Identity> {
    entry(pid).filter(|p| !p.ended).map(|p| p.identity)
}

/// Returns the outermost `sh -c` that runs a process, or the process itself. Returns `None` if the process
/// has exited.
pub(crate) fn outermost_shell_of(pid: u32) -> Option<Identity> {
    outermost_shell(pid, entry, |pid| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        Some(line.split(|&b| b == 0).map(<[u8]>::to_vec).collect())
    })
}

/// Whether this exact process is in the process list: it is running, or it has exited and has not been reaped
/// yet.
pub(crate) fn is_listed(identity: Identity) -> bool {
    entry(identity.pid).is_some_and(|process| process.identity == identity)
}

pub(crate) fn list() -> io::Result<Vec<ProcessEntry>> {
    let names = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter_map(|name| entry(name.parse().ok()?)).collect())
}

/// Returns the environment with which the process was started, or `None` if this process may not read it.
pub(crate) fn environment_of(pid: u32) -> Option<Vec<Vec<u8>>> {
    let bytes = fs::read(format!("/proc/{pid}/environ")).ok()?;
    Some(bytes.split(|&b| b == 0).map(<[u8]>::to_vec).collect())
}

/// Returns a handle for this exact process, or `None` if the process has exited, even if its pid was reused.
fn handle(identity: Identity) -> io::Result<Option<OwnedFd>> {
    let Some(pid) = pid_of(identity.pid) else { return Ok(None) };
    let fd = match process::pidfd_open(pid, PidfdFlags::empty()) {
        Ok(fd) => fd,
        Err(Errno::SRCH | Errno::INVAL) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    // The handle refers to the process that had the pid when the handle was opened. The start time shows
    // whether that was the requested process.
    Ok((identity_of(identity.pid) == Some(identity)).then_some(fd))
}

pub(crate) fn send(identity: Identity, signal: Signal) -> io::Result<bool> {
    let Some(fd) = handle(identity)? else { return Ok(false) };
    match process::pidfd_send_signal(&fd, unix_signal(signal)) {
        Ok(()) => Ok(true),
        Err(Errno::SRCH) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Waits until all these processes have exited, or until the deadline.
pub(crate) fn wait_ended(identities: &[Identity], deadline: Instant) -> io::Result<()> {
    for identity in identities {
        let Some(fd) = handle(*identity)? else { continue };
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut wanted = [PollFd::new(&fd, PollFlags::IN)];
            match poll(&mut wanted, Timespec::try_from(left).ok().as_ref()) {
                Ok(0) => return Ok(()),
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_exited_once_its_last_thread_has_exited() {
        let stat = |state: &str, threads: u32| {
            let line = format!(
                "4711 (a) b) {state} 1 4711 4711 0 -1 4227084 0 0 0 0 0 0 0 0 20 0 {threads} 0 815 0 0 0"
            );
            parse(4711, line.as_bytes()).unwrap()
        };
        let ended = [("S", 2), ("Z", 2), ("Z", 1), ("X", 0)].map(|(state, n)| stat(state, n).ended);
        assert_eq!(ended, [false, false, true, true]);
        let process = stat("S", 2);
        assert_eq!((process.identity, process.parent), (Identity { pid: 4711, start: 815 }, 1));
        assert_eq!(process.name, "a) b");
    }
}
