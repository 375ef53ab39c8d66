//! Tracks the children that this process spawned, and reaps inherited orphans.
//!
//! A subreaper becomes the parent of its descendants' orphans and must reap them when they exit. It must not
//! reap a child that this process spawned, because the spawning code needs the child's exit status. Every
//! spawn in this crate therefore goes through [`spawn`], which records the pid before any reaping can run.

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

/// Spawns under the lock, so that no orphan is reaped meanwhile, and records the child's pid.
pub(crate) fn spawn<T, E>(spawn: impl FnOnce() -> Result<T, E>, pid: impl Fn(&T) -> u32) -> Result<T, E> {
    let mut own = own_children();
    let child = spawn()?;
    own.insert(pid(&child));
    Ok(child)
}

/// Calls `act` while no program can be spawned.
#[cfg(all(unix, any(test, not(target_os = "linux"))))]
pub(crate) fn without_spawns<T>(act: impl FnOnce() -> T) -> T {
    let _own = own_children();
    act()
}

/// Forgets a child that the spawning code has reaped, because the system can now reuse its pid.
pub(crate) fn mark_reaped(pid: u32) {
    own_children().remove(&pid);
}

pub(crate) fn own_pids() -> Vec<u32> {
    own_children().iter().copied().collect()
}

/// Makes this process the parent of its descendants' orphans. On systems without subreapers, this crate's
/// process list shows the orphans as children of this process.
pub fn become_subreaper() -> io::Result<()> {
    os::become_subreaper()
}

/// Reaps inherited children that have exited, and returns their number. Call it after SIGCHLD. Always returns
/// 0 on macOS and Windows, where this process does not have to reap orphans.
pub fn reap_orphans() -> usize {
    let own = own_children();
    os::reap_ended_children(&|pid| own.contains(&pid))
}
