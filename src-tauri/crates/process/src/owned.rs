//! Which children this process spawned itself, and the reaping of those that it only inherited.
//!
//! A subreaper becomes the parent of its descendants' orphans. Somebody must collect them when they
//! end, without ever taking the exit status from the owner of a child that was spawned here. So every
//! spawn in this crate goes through [`spawn`], which knows the owned pids without a gap.

use crate::os;
use std::{
    collections::HashSet,
    io,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

static OWNED: LazyLock<Mutex<HashSet<u32>>> = LazyLock::new(|| Mutex::new(HashSet::new()));

fn owned() -> MutexGuard<'static, HashSet<u32>> {
    // The set is consistent at every moment: a panic elsewhere does not spoil it.
    OWNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Spawns while nobody reaps, and notes whose child it is.
pub(crate) fn spawn<T, E>(spawn: impl FnOnce() -> Result<T, E>, pid: impl Fn(&T) -> u32) -> Result<T, E> {
    let mut owned = owned();
    let child = spawn()?;
    owned.insert(pid(&child));
    Ok(child)
}

/// The owner has collected its child: the pid means nothing any more.
pub(crate) fn collected(pid: u32) {
    owned().remove(&pid);
}

/// The children that were spawned here and not collected yet.
pub(crate) fn pids() -> Vec<u32> {
    owned().iter().copied().collect()
}

/// Makes this process the parent of its descendants' orphans. Where the system has no such thing
/// this does nothing and the environment marker alone finds them.
pub fn become_subreaper() -> io::Result<()> {
    os::become_subreaper()
}

/// Collects inherited children that have ended; to be called after SIGCHLD. Returns how many.
pub fn reap_orphans() -> usize {
    let owned = owned();
    os::reap_ended_children(&|pid| owned.contains(&pid))
}
