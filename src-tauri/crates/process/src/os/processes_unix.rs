//! Processes on a Unix without /proc and pidfd: `ps` tells who is whose child. Nothing can be waited
//! for that is not our own child, so ends are looked for every 20 ms, until a deadline only.

use crate::{
    descendants::{Identity, Seen, Signal},
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

/// There is no such thing here: the environment marker alone finds orphans.
pub(crate) fn become_subreaper() -> io::Result<()> {
    Ok(())
}

pub(crate) fn reap_ended_children(_owned: &dyn Fn(u32) -> bool) -> usize {
    // Orphans go to the first process, which collects them.
    let _ = WaitOptions::NOHANG;
    0
}

fn ps(args: &[&str]) -> io::Result<String> {
    let done = Program::new("ps").args(args).env("LC_ALL", "C").timeout(Duration::from_secs(10)).run();
    done.map(|done| done.out()).map_err(io::Error::other)
}

/// `pid ppid state lstart(5 words) command`, one process a line.
fn parse(line: &str) -> Option<Seen> {
    let mut fields = line.split_ascii_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let ended = fields.next()?.starts_with('Z');
    // The start as `ps` spells it, folded to a number: it is only ever compared.
    let start: Vec<&str> = fields.by_ref().take(5).collect();
    let start = start.join(" ").bytes().fold(0u64, |n, b| n.wrapping_mul(131).wrapping_add(u64::from(b)));
    Some(Seen { identity: Identity { pid, start }, parent, name: fields.next()?.to_owned(), ended })
}

pub(crate) fn list() -> io::Result<Vec<Seen>> {
    let text = ps(&["-axo", "pid=,ppid=,state=,lstart=,comm="])?;
    Ok(text.lines().filter_map(parse).collect())
}

pub(crate) fn identity_of(pid: u32) -> Option<Identity> {
    let text = ps(&["-o", "pid=,ppid=,state=,lstart=,comm=", "-p", &pid.to_string()]).ok()?;
    text.lines().find_map(parse).filter(|p| !p.ended).map(|p| p.identity)
}

/// Nothing is told here.
pub(crate) fn line_of(_pid: u32) -> Option<Identity> {
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

pub(crate) fn wait_gone(identities: &[Identity], deadline: Instant) -> io::Result<()> {
    while Instant::now() < deadline && identities.iter().any(|i| identity_of(i.pid) == Some(*i)) {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
