//! Caches the parsed records of the sessions whose timelines were requested most recently.

use super::locks::lock;
use bc_core::{ids::SessionId, timeline::CommitMade};
use bc_store::session::TimelineRecords;
use std::sync::{Arc, Mutex};

/// The number of sessions to keep in the cache.
pub(crate) const TIMELINES_KEPT: usize = 4;

/// The cached records of the [`TIMELINES_KEPT`] most recently requested sessions.
#[derive(Debug, Default)]
pub(crate) struct TimelineCache {
    /// The most recently requested session is last.
    cached: Mutex<Vec<(SessionId, Arc<Mutex<CachedRecords>>)>>,
}

#[derive(Debug, Default)]
pub(crate) struct CachedRecords {
    pub(crate) followed: TimelineRecords,
    /// The hashes from which `commits` was built.
    pub(crate) hashes: Vec<String>,
    pub(crate) commits: Vec<CommitMade>,
}

impl TimelineCache {
    /// A session's cached records; empty if the session was not cached.
    pub(crate) fn of(&self, id: SessionId) -> Arc<Mutex<CachedRecords>> {
        let mut cached = lock(&self.cached);
        let known = cached.iter().position(|(other, _)| *other == id);
        let records = known.map_or_else(Arc::default, |index| cached.remove(index).1);
        cached.push((id, Arc::clone(&records)));
        let old = cached.len().saturating_sub(TIMELINES_KEPT);
        cached.drain(..old);
        records
    }

    #[cfg(test)]
    pub(crate) fn bytes_read(&self, id: SessionId) -> u64 {
        self.of(id).lock().unwrap().followed.bytes_read()
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.cached.lock().unwrap().len()
    }
}
