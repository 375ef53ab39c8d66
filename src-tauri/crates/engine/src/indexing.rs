//! Bringing `index.json` up to date when several ask for it at a time: one reads the records for all who had changed theirs
//! by then.

use bc_store::{SessionStore, StoreError};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// How old the index may be while more is to come, where several sessions begin at a time.
const SOON: Duration = Duration::from_millis(500);

/// Who asked, and for whom it is done.
#[derive(Debug, Default)]
pub(crate) struct Indexing {
    /// How often it was asked for.
    asked: AtomicU64,
    /// How many of those the index has, or nobody's turn has come.
    done: Mutex<u64>,
    /// Since when there is something that the index does not have, or may not have.
    behind: Mutex<Option<Instant>>,
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
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner) = None;
        store.sync_index()?;
        *done = all;
        Ok(())
    }

    /// The same for a change after which others come, and [`Indexing::bring_up`] when they have: left to that, or to one of
    /// the others that comes late.
    pub(crate) fn bring_up_soon(&self, store: &SessionStore) -> Result<(), StoreError> {
        let since =
            *self.behind.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
        match since.elapsed() < SOON {
            true => Ok(()),
            false => self.bring_up(store),
        }
    }

    /// Brings up what was left to others who have not come.
    pub(crate) fn bring_up_late(&self, store: &SessionStore) -> Result<(), StoreError> {
        let is_behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if is_behind { self.bring_up(store) } else { Ok(()) }
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
    fn what_may_be_left_to_others_is_in_the_index_when_they_have_come() {
        let folder = tempfile::tempdir().unwrap();
        bc_store::file::create_dir(&folder.path().join(".beads")).unwrap();
        let store = SessionStore::open(&folder.path().join(".beads")).unwrap();
        let (indexing, index) = (Indexing::default(), store.path().join("index.json"));
        let begin = |n: u128| {
            let id = SessionId(uuid::Uuid::from_u128(n));
            let draft = Draft::new(id, "proj-1".parse().unwrap(), crate::engine::now());
            drop(store.create(&Meta::draft(draft)).unwrap());
            id.to_string()
        };
        let (first, late) = (begin(1), Instant::now().checked_sub(SOON).unwrap());
        *indexing.behind.lock().unwrap() = Some(late);
        indexing.bring_up_soon(&store).unwrap();
        assert!(std::fs::read_to_string(&index).unwrap().contains(&first), "nobody came for so long");
        let last = begin(2);
        indexing.bring_up_soon(&store).unwrap();
        indexing.bring_up_late(&store).unwrap();
        assert!(std::fs::read_to_string(&index).unwrap().contains(&last));
        assert_eq!(*indexing.behind.lock().unwrap(), None);
    }

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
