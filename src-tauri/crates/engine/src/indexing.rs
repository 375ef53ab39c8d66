//! Bringing `index.json` up to date when several ask for it at a time: one reads the records for all who had changed theirs
//! by then.

use bc_store::{SessionStore, StoreError};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Who asked, and for whom it is done.
#[derive(Debug, Default)]
pub(crate) struct Indexing {
    /// How often it was asked for.
    asked: AtomicU64,
    /// How many of those the index has, or nobody's turn has come.
    done: Mutex<u64>,
}

impl Indexing {
    /// Returns when the index says what the records said at the call, or something newer.
    pub(crate) fn bring_up(&self, store: &SessionStore) -> Result<(), StoreError> {
        let mine = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if *done >= mine {
            return Ok(());
        }
        // Whoever asked before this has changed their record before it is read.
        let all = self.asked.load(Ordering::SeqCst);
        store.sync_index()?;
        *done = all;
        Ok(())
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
    fn whoever_asked_finds_their_session_in_the_index() {
        let folder = tempfile::tempdir().unwrap();
        bc_store::file::create_dir(&folder.path().join(".beads")).unwrap();
        let store = SessionStore::open(&folder.path().join(".beads")).unwrap();
        let indexing = Indexing::default();
        thread::scope(|scope| {
            for n in 0..16 {
                let (store, indexing) = (&store, &indexing);
                scope.spawn(move || {
                    let id = SessionId(uuid::Uuid::from_u128(n));
                    let draft = Draft::new(id, "proj-1".parse().unwrap(), crate::engine::now());
                    drop(store.create(&Meta::draft(draft)).unwrap());
                    indexing.bring_up(store).unwrap();
                    let index = std::fs::read_to_string(store.path().join("index.json")).unwrap();
                    assert!(index.contains(&id.to_string()));
                });
            }
        });
    }
}
