//! Tracks the children that this process spawned, and reaps inherited orphans.
//!
//! A subreaper becomes the parent of its descendants' orphans, which must be reaped when they end. The exit
//! status of a child that was spawned here belongs to the code that spawned it, so the reaper must not take
//! it. So every spawn in this crate goes through [`spawn`], which records the pid before any reaping can run.

use crate::os;
use std::{
    collections::HashSet,
    io,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

static OWN_CHILDREN: LazyLock<Mutex<HashSet<u32>>> = LazyLock::new(|| Mutex::new(HashSet::new()));

fn own_children() -> MutexGuard<'static, HashSet<u32>> {
    // Each change leaves the set consistent, so a poisoned lock is still usable.
    OWN_CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Spawns under the lock, so that no reaping runs meanwhile, and records the child's pid.
pub(crate) fn spawn<T, E>(spawn: impl FnOnce() -> Result<T, E>, pid: impl Fn(&T) -> u32) -> Result<T, E> {
    let mut own = own_children();
    let child = spawn()?;
    own.insert(pid(&child));
    Ok(child)
}

#[cfg(all(unix, any(test, not(target_os = "linux"))))]
pub(crate) fn without_spawns<T>(act: impl FnOnce() -> T) -> T {
    let _own = own_children();
    act()
}

/// Removes a child that the spawning code has reaped. The system may now give its pid to another process.
pub(crate) fn mark_reaped(pid: u32) {
    own_children().remove(&pid);
}

pub(crate) fn own_pids() -> Vec<u32> {
    own_children().iter().copied().collect()
}

/// Makes this process the parent of its descendants' orphans. Where the operating system has no subreapers,
/// the process list of this crate shows the orphans as its children.
pub fn become_subreaper() -> io::Result<()> {
    os::become_subreaper()
}

/// Reaps inherited children that have ended and returns their number. To be called after SIGCHLD. Always 0 on
/// macOS and Windows, where this process need not reap.
pub fn reap_orphans() -> usize {
    let own = own_children();
    os::reap_ended_children(&|pid| own.contains(&pid))
}
