//! Finds all descendants of a session and terminates them.
//!
//! Claude's tools run in separate process sessions, so killing one process group is not enough. While the
//! host runs, descendants are found in the process tree: the host is a subreaper, so orphans stay below it.
//! A marker in their environment also finds descendants after the host has exited. A process is identified
//! by its pid and its start time, so a process with a reused pid is never signalled. Another session's host
//! and its descendants are never signalled, wherever they are in the tree.

use crate::{os, process_entry::ProcessEntry};
use serde::{Deserialize, Serialize};
use std::{
    collections::{HashMap, HashSet},
    io,
    time::{Duration, Instant},
};

pub use crate::process_entry::{Identity, Signal};

/// The variable in the environment of every process of a session. Its value is the session id.
pub const SESSION_MARKER: &str = "BEADS_CONSOLE_SESSION";

/// The variable in the environment of a session host. Its value is the session id. The host never passes it
/// to claude, so it distinguishes a host from the session's programs.
pub const HOST_MARKER: &str = "BEADS_CONSOLE_HOST";

impl Identity {
    /// Returns the identity of the process that has this pid now, if any.
    pub fn of(pid: u32) -> Option<Identity> {
        os::identity_of(pid)
    }

    /// Returns this process's identity. The start time is 0 if the operating system does not report it.
    pub fn current() -> Identity {
        let pid = std::process::id();
        Identity::of(pid).unwrap_or(Identity { pid, start: 0 })
    }

    /// Whether this exact process is still running.
    pub fn is_alive(self) -> bool {
        Identity::of(self.pid) == Some(self)
    }

    /// Sends a signal to this exact process. Does nothing after the process has exited.
    pub fn signal(self, signal: Signal) -> io::Result<()> {
        os::send(self, signal).map(drop)
    }

    /// Waits up to `longest` for the process to exit. Returns whether it has exited.
    pub fn wait_ended(self, longest: Duration) -> io::Result<bool> {
        os::wait_ended(&[self], Instant::now() + longest)?;
        Ok(!self.is_alive())
    }
}

/// A running process, with its name for reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub identity: Identity,
    /// The program's name, which the operating system may truncate.
    pub name: String,
}

/// How to find a session's processes: by their marker, and below a root process.
#[derive(Debug, Clone)]
pub struct Family {
    /// The session id in the environment marker.
    pub session: String,
    /// The root process: its descendants belong to the family, but the root itself does not. `None` after it
    /// has exited.
    pub root: Option<Identity>,
}

/// The result of terminating a process family.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct EndReport {
    /// Processes that were sent SIGTERM.
    #[serde(rename = "told")]
    pub signalled: Vec<Member>,
    /// Processes that were sent SIGKILL because they did not exit in time.
    pub killed: Vec<Member>,
    /// Processes that are still running.
    pub left: Vec<Member>,
}

/// Whether this process or one of its ancestors was started with a non-empty value of this variable. A
/// process that removes the variable from its own environment is still detected through its ancestors.
pub fn has_marked_ancestor(variable: &str) -> bool {
    let has_value = |pid| {
        let environment = os::environment_of(pid).unwrap_or_default();
        values_of(&environment, variable).any(|value| !value.is_empty())
    };
    let parents: HashMap<u32, u32> =
        os::list().unwrap_or_default().into_iter().map(|entry| (entry.identity.pid, entry.parent)).collect();
    let ancestors = std::iter::successors(Some(std::process::id()), |pid| parents.get(pid).copied());
    // A path in the tree is no longer than the number of processes; a cycle must not be followed forever.
    ancestors.take(parents.len() + 1).any(has_value)
}

/// The values of a variable in an environment.
fn values_of<'a>(environment: &'a [Vec<u8>], variable: &str) -> impl Iterator<Item = &'a [u8]> {
    environment.iter().filter_map(|entry| entry.strip_prefix(variable.as_bytes())?.strip_prefix(b"="))
}

enum Belonging {
    Marked,
    /// The process belongs to another session or is a session host.
    Foreign,
    Unmarked,
}

fn belonging(pid: u32, session: &str) -> Belonging {
    let Some(environment) = os::environment_of(pid) else { return Belonging::Unmarked };
    let value_of = |variable| values_of(&environment, variable).next();
    match (value_of(SESSION_MARKER), value_of(HOST_MARKER)) {
        (Some(marker), _) if marker == session.as_bytes() => Belonging::Marked,
        (None, None) => Belonging::Unmarked,
        (Some(_), _) | (None, Some(_)) => Belonging::Foreign,
    }
}

/// An environment variable that marks every process of a contained run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvMarker {
    pub variable: String,
    /// The value, unique to this run.
    pub value: String,
}

/// Returns all running processes of the family, in no particular order. If the current process is the root,
/// its own helper programs, such as git, are excluded.
pub fn members(family: &Family) -> io::Result<Vec<Member>> {
    let root = family.root.filter(|root| root.is_alive()).map(|root| root.pid);
    let me = std::process::id();
    gather(root, |pid| belonging(pid, &family.session), |marked| own_programs(root, me, marked))
}

/// Returns all descendants of the current process and all processes with the marker.
pub(crate) fn contained(mark: &EnvMarker) -> io::Result<Vec<Member>> {
    let entry = format!("{}={}", mark.variable, mark.value).into_bytes();
    let marked = |pid| match os::environment_of(pid) {
        Some(environment) if environment.contains(&entry) => Belonging::Marked,
        Some(_) | None => Belonging::Unmarked,
    };
    gather(Some(std::process::id()), marked, |_| HashSet::new())
}

/// Returns the marked processes, their descendants, and the descendants of the root. `own` returns the pids
/// to exclude.
fn gather(
    root: Option<u32>,
    belonging: impl Fn(u32) -> Belonging,
    own: impl Fn(&HashSet<u32>) -> HashSet<u32>,
) -> io::Result<Vec<Member>> {
    let all: Vec<ProcessEntry> = os::list()?.into_iter().filter(|p| !p.ended).collect();
    let me = std::process::id();
    let mut below: HashSet<u32> = HashSet::new();
    let mut foreign: HashSet<u32> = HashSet::new();
    for process in &all {
        match belonging(process.identity.pid) {
            Belonging::Marked => drop(below.insert(process.identity.pid)),
            Belonging::Foreign => drop(foreign.insert(process.identity.pid)),
            Belonging::Unmarked => {}
        }
    }
    let own = own(&below);
    loop {
        let before = below.len();
        for process in &all {
            let pid = process.identity.pid;
            let hangs = Some(process.parent) == root || below.contains(&process.parent);
            if hangs && !foreign.contains(&pid) && !own.contains(&pid) {
                below.insert(pid);
            }
        }
        if below.len() == before {
            break;
        }
    }
    let found = all.into_iter().filter(|process| {
        let pid = process.identity.pid;
        below.contains(&pid) && pid != me && Some(pid) != root
    });
    Ok(found.map(|process| Member { identity: process.identity, name: process.name }).collect())
}

/// The current process's helper programs, if it is the root: its own children without the session's marker.
fn own_programs(root: Option<u32>, me: u32, marked: &HashSet<u32>) -> HashSet<u32> {
    match root == Some(me) {
        true => crate::child_reaper::own_pids().into_iter().filter(|pid| !marked.contains(pid)).collect(),
        false => HashSet::new(),
    }
}

/// Sends SIGTERM to every process of the family, waits up to `grace`, then kills the remaining processes and
/// waits for them for up to 5 s. Processes that start meanwhile are included. A process survives only if the
/// operating system refuses the signal, or if the process never returns from a system call.
pub fn end_all(family: &Family, grace: Duration) -> io::Result<EndReport> {
    end_each(|| members(family), grace)
}

pub(crate) fn end_each(
    living: impl Fn() -> io::Result<Vec<Member>>,
    grace: Duration,
) -> io::Result<EndReport> {
    let mut ended = EndReport::default();
    let mut known: HashSet<Identity> = HashSet::new();
    let term_until = Instant::now() + grace;
    loop {
        let living = living()?;
        if living.is_empty() {
            return Ok(ended);
        }
        for member in living.iter().filter(|m| known.insert(m.identity)) {
            // If a process cannot be signalled, it is still running at the end and is reported in `left`.
            let _ = os::send(member.identity, Signal::Term);
            let _ = os::send(member.identity, Signal::Cont);
            ended.signalled.push(member.clone());
        }
        os::wait_ended(&identities(&living), term_until)?;
        if Instant::now() >= term_until {
            break;
        }
    }
    let kill_until = Instant::now() + Duration::from_secs(5);
    loop {
        let living = stop_all(&living, kill_until)?;
        if living.is_empty() || Instant::now() >= kill_until {
            ended.left = living;
            return Ok(ended);
        }
        for member in &living {
            let _ = os::send(member.identity, Signal::Kill);
            if !ended.killed.iter().any(|k| k.identity == member.identity) {
                ended.killed.push(member.clone());
            }
        }
        os::wait_ended(&identities(&living), kill_until)?;
    }
}

/// Stops the running processes until no new process appears or the deadline passes, and returns them.
/// Otherwise a fork bomb could start processes faster than they are killed.
fn stop_all(living: &impl Fn() -> io::Result<Vec<Member>>, until: Instant) -> io::Result<Vec<Member>> {
    let mut stopped: HashSet<Identity> = HashSet::new();
    loop {
        let all = living()?;
        let before = stopped.len();
        for member in all.iter().filter(|m| stopped.insert(m.identity)) {
            let _ = os::send(member.identity, Signal::Stop);
        }
        if stopped.len() == before || Instant::now() >= until {
            return Ok(all);
        }
    }
}

fn identities(members: &[Member]) -> Vec<Identity> {
    members.iter().map(|m| m.identity).collect()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
