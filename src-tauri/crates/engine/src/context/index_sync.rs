//! Updates `index.json`. If several threads request an update at the same time, one update serves all
//! requests made before it.

use super::locks::lock;
use bc_store::{SessionStore, StoreError};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// The maximum age of the index during several changes in a row, such as the starts of several sessions.
const SOON: Duration = Duration::from_millis(500);

/// Counts requested and completed updates of the index.
#[derive(Debug, Default)]
pub(crate) struct IndexSync {
    /// The number of requests so far.
    asked: AtomicU64,
    /// The number of requests that the index covers.
    done: Mutex<u64>,
    /// The time since which the index may be out of date.
    behind: Mutex<Option<Instant>>,
}

impl IndexSync {
    /// Updates the index, unless another thread's update covers this call. On return, the index covers all
    /// changes made before the call.
    pub(crate) fn sync(&self, store: &SessionStore) -> Result<(), StoreError> {
        let mine = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut done = lock(&self.done);
        if *done >= mine {
            return Ok(());
        }
        // All callers counted by this load changed their records before the following update reads them.
        let all = self.asked.load(Ordering::SeqCst);
        *lock(&self.behind) = None;
        store.sync_index()?;
        *done = all;
        Ok(())
    }

    /// Like [`IndexSync::sync`], for one of several changes in a row: unless the index is older than [`SOON`], the
    /// update is left to a later call.
    pub(crate) fn sync_soon(&self, store: &SessionStore) -> Result<(), StoreError> {
        let since = *lock(&self.behind).get_or_insert_with(Instant::now);
        if since.elapsed() < SOON { Ok(()) } else { self.sync(store) }
    }

    /// Updates the index if an earlier [`IndexSync::sync_soon`] skipped the update.
    pub(crate) fn sync_if_behind(&self, store: &SessionStore) -> Result<(), StoreError> {
        let is_behind = lock(&self.behind).is_some();
        if is_behind { self.sync(store) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::{
        ids::SessionId,
        session::{Draft, Meta},
    };
    use std::thread;

    #[test]
    fn a_deferred_update_is_in_the_index_after_the_next_call() {
        let folder = tempfile::tempdir().unwrap();
        bc_store::file::create_dir(&folder.path().join(".beads")).unwrap();
        let store = SessionStore::open(&folder.path().join(".beads")).unwrap();
        let (index_sync, index) = (IndexSync::default(), store.path().join("index.json"));
        let begin = |n: u128| {
            let id = SessionId(uuid::Uuid::from_u128(n));
            let draft = Draft::new(id, "proj-1".parse().unwrap(), crate::context::now());
            drop(store.create(&Meta::draft(draft)).unwrap());
            id.to_string()
        };
        let (first, late) = (begin(1), Instant::now().checked_sub(SOON).unwrap());
        *index_sync.behind.lock().unwrap() = Some(late);
        index_sync.sync_soon(&store).unwrap();
        assert!(std::fs::read_to_string(&index).unwrap().contains(&first), "the update is due");
        let last = begin(2);
        index_sync.sync_soon(&store).unwrap();
        index_sync.sync_if_behind(&store).unwrap();
        assert!(std::fs::read_to_string(&index).unwrap().contains(&last));
        assert_eq!(*index_sync.behind.lock().unwrap(), None);
    }

    #[test]
    fn each_caller_finds_its_session_in_the_index() {
        let folder = tempfile::tempdir().unwrap();
        bc_store::file::create_dir(&folder.path().join(".beads")).unwrap();
        let store = SessionStore::open(&folder.path().join(".beads")).unwrap();
        let index_sync = IndexSync::default();
        thread::scope(|scope| {
            for n in 0..16 {
                let (store, index_sync) = (&store, &index_sync);
                scope.spawn(move || {
                    let id = SessionId(uuid::Uuid::from_u128(n));
                    let draft = Draft::new(id, "proj-1".parse().unwrap(), crate::context::now());
                    drop(store.create(&Meta::draft(draft)).unwrap());
                    index_sync.sync(store).unwrap();
                    let index = std::fs::read_to_string(store.path().join("index.json")).unwrap();
                    assert!(index.contains(&id.to_string()));
                });
            }
        });
    }
}
