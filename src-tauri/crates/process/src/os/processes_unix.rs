//! Processes on a Unix without `/proc` and pidfds. `ps` lists the process tree. Only own children can be waited for,
//! so the end of any other process is polled every 20 ms, up to a deadline.

use crate::{
    process_entry::{Identity, ProcessEntry, Signal},
    run::Program,
};
use rustix::process::{self, Pid, WaitOptions};
use std::{
    io, thread,
    time::{Duration, Instant},
};

fn pid_of(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

/// Not available here: only the environment marker finds orphans.
pub(crate) fn become_subreaper() -> io::Result<()> {
    Ok(())
}

pub(crate) fn reap_ended_children(_is_own: &dyn Fn(u32) -> bool) -> usize {
    // Orphans become children of the init process, which reaps them.
    let _ = WaitOptions::NOHANG;
    0
}

fn ps(args: &[&str]) -> io::Result<String> {
    let done = Program::new("ps").args(args).env("LC_ALL", "C").timeout(Duration::from_secs(10)).run();
    done.map(|done| done.out()).map_err(io::Error::other)
}

/// Parses `pid ppid state lstart(5 words) command`, one process per line.
fn parse(line: &str) -> Option<ProcessEntry> {
    let mut fields = line.split_ascii_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let ended = fields.next()?.starts_with('Z');
    // The start time as `ps` prints it, hashed to a number: it is only compared.
    let start: Vec<&str> = fields.by_ref().take(5).collect();
    let start = start.join(" ").bytes().fold(0u64, |n, b| n.wrapping_mul(131).wrapping_add(u64::from(b)));
    Some(ProcessEntry { identity: Identity { pid, start }, parent, name: fields.next()?.to_owned(), ended })
}

pub(crate) fn list() -> io::Result<Vec<ProcessEntry>> {
    let text = ps(&["-axo", "pid=,ppid=,state=,lstart=,comm="])?;
    Ok(text.lines().filter_map(parse).collect())
}

pub(crate) fn identity_of(pid: u32) -> Option<Identity> {
    let text = ps(&["-o", "pid=,ppid=,state=,lstart=,comm=", "-p", &pid.to_string()]).ok()?;
    text.lines().find_map(parse).filter(|p| !p.ended).map(|p| p.identity)
}

/// Not reported on this system.
pub(crate) fn outermost_shell_of(_pid: u32) -> Option<Identity> {
    None
}

pub(crate) fn is_listed(identity: Identity) -> bool {
    identity_of(identity.pid) == Some(identity)
}

pub(crate) fn environment_of(pid: u32) -> Option<Vec<Vec<u8>>> {
    let text = ps(&["-E", "-ww", "-o", "command=", "-p", &pid.to_string()]).ok()?;
    Some(text.split_ascii_whitespace().map(|word| word.as_bytes().to_vec()).collect())
}

pub(crate) fn send(identity: Identity, signal: Signal) -> io::Result<bool> {
    if identity_of(identity.pid) != Some(identity) {
        return Ok(false);
    }
    let Some(pid) = pid_of(identity.pid) else { return Ok(false) };
    let signal = match signal {
        Signal::Term => process::Signal::TERM,
        Signal::Kill => process::Signal::KILL,
        Signal::Hup => process::Signal::HUP,
        Signal::Int => process::Signal::INT,
        Signal::Cont => process::Signal::CONT,
        Signal::Stop => process::Signal::STOP,
    };
    match process::kill_process(pid, signal) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::SRCH) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn wait_ended(identities: &[Identity], deadline: Instant) -> io::Result<()> {
    while Instant::now() < deadline && identities.iter().any(|i| identity_of(i.pid) == Some(*i)) {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
