//! The soft limit on open descriptors.

use rustix::process::{Resource, getrlimit};

/// The soft limit, capped at a number that no process of this program reaches.
pub(crate) fn descriptor_limit() -> usize {
    const UNLIMITED: u64 = 1 << 20;
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(UNLIMITED).min(UNLIMITED);
    usize::try_from(limit).unwrap_or(usize::MAX)
}
