//! Naming every descendant of a session, and ending them all.
//!
//! Claude's tools run in process sessions of their own, so killing a group is not enough. A descendant
//! is found in two ways: by the tree of parents (the host is a subreaper, so orphans stay below it), and
//! by a marker in its environment (which still finds them when the host is gone). A process is its pid
//! and its start time, so a reused pid is never hit. Another session's host and what belongs to it are
//! left alone, wherever they hang in the tree.

use crate::os;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    io,
    time::{Duration, Instant},
};

/// The variable that every process of a session carries; its value is the session's id.
pub const SESSION_MARKER: &str = "BEADS_CONSOLE_SESSION";

/// The variable that a session host carries; its value is the session's id. Never handed to claude.
pub const HOST_MARKER: &str = "BEADS_CONSOLE_HOST";

/// Exactly one process: its pid, and when it was started in the system's own units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The process id.
    pub pid: u32,
    /// Ticks since boot on Linux; only ever compared.
    pub start: u64,
}

impl Identity {
    /// Who has this pid now, if somebody runs under it.
    pub fn of(pid: u32) -> Option<Identity> {
        os::identity_of(pid)
    }

    /// This process. Its start is 0 where the system does not tell.
    pub fn current() -> Identity {
        let pid = std::process::id();
        Identity::of(pid).unwrap_or(Identity { pid, start: 0 })
    }

    /// Whether exactly this process still runs.
    pub fn is_alive(self) -> bool {
        Identity::of(self.pid) == Some(self)
    }

    /// Signals exactly this process. Nothing happens when it has ended.
    pub fn signal(self, signal: Signal) -> io::Result<()> {
        os::send(self, signal).map(drop)
    }

    /// Waits until it has ended, at most `longest`; whether it has.
    pub fn wait_gone(self, longest: Duration) -> io::Result<bool> {
        os::wait_gone(&[self], Instant::now() + longest)?;
        Ok(!self.is_alive())
    }
}

/// What a process can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// To end in order.
    Term,
    /// To be ended.
    Kill,
    /// That its terminal is gone.
    Hup,
    /// To interrupt what it does.
    Int,
    /// To go on after it was stopped.
    Cont,
    /// To stand still, whatever it is: what stands still starts nothing.
    Stop,
}

/// A process as the system lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) identity: Identity,
    pub(crate) parent: u32,
    pub(crate) name: String,
    pub(crate) ended: bool,
}

/// A process of a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Which process.
    pub identity: Identity,
    /// The program's name, cut by the system.
    pub name: String,
}

/// Whose processes are meant.
#[derive(Debug, Clone)]
pub struct Family {
    /// The session whose marker they carry.
    pub session: String,
    /// The process below which they hang, itself not meant; `None` when it is gone.
    pub root: Option<Identity>,
}

/// What became of a family.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ended {
    /// Those that had to be told to end, all that were killed included.
    pub told: Vec<Member>,
    /// Those that did not end when told.
    pub killed: Vec<Member>,
    /// Those that are still there.
    pub left: Vec<Member>,
}

enum Belonging {
    Marked,
    Foreign,
    Unmarked,
}

fn belonging(pid: u32, session: &str) -> Belonging {
    let Some(environment) = os::environment_of(pid) else { return Belonging::Unmarked };
    let value_of = |name: &str| {
        environment
            .iter()
            .find_map(|v| v.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec))
    };
    match (value_of(SESSION_MARKER), value_of(HOST_MARKER)) {
        (Some(marker), _) if marker == session.as_bytes() => Belonging::Marked,
        (None, None) => Belonging::Unmarked,
        (Some(_), _) | (None, Some(_)) => Belonging::Foreign,
    }
}

/// A variable that every process of an enclosed run carries, and its value in this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The variable's name.
    pub variable: String,
    /// Its value, of this run alone.
    pub value: String,
}

/// Every living process of the family, in no order. Programs that this process runs for itself, like
/// git, are not in it.
pub fn members(family: &Family) -> io::Result<Vec<Member>> {
    let root = family.root.filter(|root| root.is_alive()).map(|root| root.pid);
    let me = std::process::id();
    gather(root, |pid| belonging(pid, &family.session), |marked| own_programs(root, me, marked))
}

/// Everything below this process, and everything that carries the mark.
pub(crate) fn enclosed(mark: &Mark) -> io::Result<Vec<Member>> {
    let entry = format!("{}={}", mark.variable, mark.value).into_bytes();
    let marked = |pid| match os::environment_of(pid) {
        Some(environment) if environment.contains(&entry) => Belonging::Marked,
        Some(_) | None => Belonging::Unmarked,
    };
    gather(Some(std::process::id()), marked, |_| HashSet::new())
}

/// The marked ones and what hangs below them or the root; `own` says whom of those to leave out.
fn gather(
    root: Option<u32>,
    belonging: impl Fn(u32) -> Belonging,
    own: impl Fn(&HashSet<u32>) -> HashSet<u32>,
) -> io::Result<Vec<Member>> {
    let all: Vec<Seen> = os::list()?.into_iter().filter(|p| !p.ended).collect();
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

/// What this process runs for itself: children of its own that do not carry the session's marker.
fn own_programs(root: Option<u32>, me: u32, marked: &HashSet<u32>) -> HashSet<u32> {
    match root == Some(me) {
        true => crate::owned::pids().into_iter().filter(|pid| !marked.contains(pid)).collect(),
        false => HashSet::new(),
    }
}

/// Tells every process of the family to end, waits at most `grace`, kills what is left, and waits
/// for that. Processes that appear meanwhile are ended too. Something may be left only where the
/// system refuses, or within a system call that never ends; at most 5 s are spent on those.
pub fn end_all(family: &Family, grace: Duration) -> io::Result<Ended> {
    end_each(|| members(family), grace)
}

pub(crate) fn end_each(living: impl Fn() -> io::Result<Vec<Member>>, grace: Duration) -> io::Result<Ended> {
    let mut ended = Ended::default();
    let mut known: HashSet<Identity> = HashSet::new();
    let told_until = Instant::now() + grace;
    loop {
        let living = living()?;
        if living.is_empty() {
            return Ok(ended);
        }
        for member in living.iter().filter(|m| known.insert(m.identity)) {
            // Refused signals leave the process in the list that is returned in the end.
            let _ = os::send(member.identity, Signal::Term);
            let _ = os::send(member.identity, Signal::Cont);
            ended.told.push(member.clone());
        }
        os::wait_gone(&identities(&living), told_until)?;
        if Instant::now() >= told_until {
            break;
        }
    }
    let killed_until = Instant::now() + Duration::from_secs(5);
    loop {
        let living = standing_still(&living, killed_until)?;
        if living.is_empty() || Instant::now() >= killed_until {
            ended.left = living;
            return Ok(ended);
        }
        for member in &living {
            let _ = os::send(member.identity, Signal::Kill);
            if !ended.killed.iter().any(|k| k.identity == member.identity) {
                ended.killed.push(member.clone());
            }
        }
        os::wait_gone(&identities(&living), killed_until)?;
    }
}

/// All that live, stopped one after the other until no new one appears: what forks without end would
/// otherwise fork faster than it is killed.
fn standing_still(living: &impl Fn() -> io::Result<Vec<Member>>, until: Instant) -> io::Result<Vec<Member>> {
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
