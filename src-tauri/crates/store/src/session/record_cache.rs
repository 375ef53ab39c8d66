//! A cache of session records for repeated listings. Unchanged files are not read again.

use super::{SessionDir, SessionStore, StoreError, listing::folders};
use crate::os;
use bc_core::{ids::SessionId, session::Meta};
use std::{
    collections::HashMap,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

/// The age below which a file can still change without a new time stamp. The coarsest file systems have a
/// resolution of two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// The cached records of a store.
#[derive(Debug, Default)]
pub struct RecordCache {
    read: HashMap<SessionId, (Stamp, Arc<Meta>)>,
}

/// Identifies the version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    identity: os::Identity,
    changed: SystemTime,
    len: u64,
}

impl Stamp {
    /// Identifies a file's current version. Returns `None` if it cannot be identified or changed too
    /// recently.
    fn of(path: &Path) -> Option<Stamp> {
        let file = std::fs::metadata(path).ok()?;
        let stamp =
            Stamp { identity: os::identity(path, &file)?, changed: file.modified().ok()?, len: file.len() };
        let age = SystemTime::now().duration_since(stamp.changed).ok()?;
        (age >= SETTLED).then_some(stamp)
    }
}

impl SessionStore {
    /// Returns all readable sessions, like [`SessionStore::list`]. A record is read again only if its file
    /// has changed since it was cached in `known`, or changed too recently to be cached.
    ///
    /// # Errors
    ///
    /// The folder cannot be read.
    pub fn list_cached(&self, known: &mut RecordCache) -> Result<Vec<Arc<Meta>>, StoreError> {
        let mut read = HashMap::with_capacity(known.read.len());
        let mut sessions = Vec::with_capacity(known.read.len());
        for name in folders(self.path())? {
            let Some(id) = name.parse::<SessionId>().ok().filter(|id| id.to_string() == name) else {
                continue;
            };
            let dir = SessionDir::new(self.path(), id);
            // Determine the stamp before reading: if the file changes in between, the next listing finds a
            // different stamp.
            let stamp = Stamp::of(&dir.meta_path());
            let before = known.read.remove(&id).filter(|(before, _)| stamp.as_ref() == Some(before));
            let meta = match before {
                Some((_, meta)) => meta,
                None => match dir.meta() {
                    Ok(meta) => Arc::new(meta),
                    Err(_) => continue,
                },
            };
            if let Some(stamp) = stamp {
                read.insert(id, (stamp, Arc::clone(&meta)));
            }
            sessions.push(meta);
        }
        known.read = read;
        sessions.sort_by_key(|meta| (meta.created_at, meta.id));
        Ok(sessions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fixture::{Fixture, id, meta};
    use std::fs;

    /// Sets the time of a record's file back by an hour.
    fn age(fixture: &Fixture, n: u8) {
        let path = fixture.path(&format!("{}/meta.json", id(n)));
        let file = fs::OpenOptions::new().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    }

    fn look(fixture: &Fixture, known: &mut RecordCache) -> Vec<Arc<Meta>> {
        let sessions = fixture.store.list_cached(known).unwrap();
        let listed = fixture.store.list().unwrap().sessions;
        assert!(sessions.iter().map(|meta| &**meta).eq(&listed), "{sessions:?}");
        sessions
    }

    #[test]
    fn only_changed_records_are_read_again() {
        let (fixture, mut known) = (Fixture::new(), RecordCache::default());
        let locks: Vec<_> = (1..=4).map(|n| fixture.create(n)).collect();
        (1..=4).for_each(|n| age(&fixture, n));
        let first = look(&fixture, &mut known);
        let again = look(&fixture, &mut known);
        assert!(first.iter().zip(&again).all(|(a, b)| Arc::ptr_eq(a, b)), "a record was read again");
        // Replace a session's file by one with the same name, length and time.
        locks[1].save_meta(&Meta { title: Some("changed".into()), ..meta(2) }).unwrap();
        locks[2].save_meta(&meta(3)).unwrap();
        (2..=3).for_each(|n| age(&fixture, n));
        drop(locks);
        fixture.store.delete(id(4), crate::session::fixture::at(0)).unwrap();
        fixture.create(5);
        let third = look(&fixture, &mut known);
        let same: Vec<bool> = third.iter().zip(&first).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(same, [true, false, false, false], "{third:?}");
        assert_eq!(third[1].title.as_deref(), Some("changed"));
    }

    #[test]
    fn a_recently_written_record_is_read_again() {
        let (fixture, mut known) = (Fixture::new(), RecordCache::default());
        fixture.create(1);
        let first = look(&fixture, &mut known);
        assert!(!Arc::ptr_eq(&first[0], &look(&fixture, &mut known)[0]));
    }
}
