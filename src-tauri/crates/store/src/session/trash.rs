//! Deleting a session, so that it can be undone: its folder moves to `.trash` in the same store, with
//! a note of when. What has been there for long enough is removed for good.

use super::{
    Problem, SessionDir, SessionLock, SessionStore, StoreError,
    files::{read_json, write_json},
    listing::folders,
};
use crate::{
    file,
    file::{TEMPORARY_PREFIX, temporaries},
    os,
};
use bc_core::{Extra, Timestamp, ids::SessionId, session::Meta};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path, time::SystemTime};

/// The name of the note in a deleted session's folder.
const NOTE: &str = "deleted.json";

#[derive(Serialize, Deserialize)]
struct Note {
    version: u32,
    deleted_at: Timestamp,
    #[serde(flatten)]
    extra: Extra,
}

/// A session in the bin.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    /// Its record.
    pub meta: Meta,
    /// When it was deleted.
    pub deleted_at: Timestamp,
}

impl SessionStore {
    /// Moves a session to the bin. Which sessions may be deleted is the caller's to know. The index
    /// is not touched.
    ///
    /// # Errors
    /// [`StoreError::InUse`] while somebody holds its lock, [`StoreError::NoSession`] without one.
    pub fn delete(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        let dir = self.session(id);
        // Held until the folder has moved, where the system allows that: nobody can start the
        // session meanwhile.
        let lock = dir.try_lock()?.ok_or(StoreError::InUse { id })?;
        let bin = self.path().join(".trash");
        file::create_dir(&bin)?;
        let there = bin.join(id.to_string());
        // An older one with this id: restored by copying, and deleted again. Half of it must never come back.
        let older = bin.join(format!("{TEMPORARY_PREFIX}{id}"));
        if older.exists() {
            file::remove_all(&older)?;
        }
        if there.exists() {
            file::rename(&there, &older)?;
        }
        write_json(&dir.path().join(NOTE), &Note { version: 1, deleted_at: now, extra: Extra::new() })?;
        let _held = os::OPEN_FILES_CAN_MOVE.then_some(lock);
        file::rename(dir.path(), &there)?;
        // It is deleted; what is left of the older one goes now or when the bin is emptied.
        if older.exists() {
            let _ = file::remove_all(&older);
        }
        Ok(())
    }

    /// Removes a session that nothing was ever in, without a trace: a start that was refused. The
    /// index is not touched.
    pub fn discard(&self, lock: SessionLock) -> Result<(), StoreError> {
        let path = lock.path().to_owned();
        let going = self.path().join(format!("{TEMPORARY_PREFIX}{}", lock.dir().id()));
        let _held = os::OPEN_FILES_CAN_MOVE.then_some(lock);
        file::rename(&path, &going)?;
        Ok(file::remove_all(&going)?)
    }

    /// What is in the bin, the last deleted first, and what could not be read there.
    pub fn trashed(&self) -> Result<(Vec<Trashed>, Vec<Problem>), StoreError> {
        let bin = self.path().join(".trash");
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for name in folders(&bin)? {
            let Ok(id) = name.parse::<SessionId>() else { continue };
            let dir = SessionDir::new(&bin, id);
            match dir.meta() {
                Ok(meta) => found.push(Trashed { meta, deleted_at: deleted_at(dir.path()) }),
                Err(source) => {
                    problems.push(Problem::BrokenSession { path: dir.path().to_owned(), source });
                }
            }
        }
        found.sort_by_key(|trashed| (std::cmp::Reverse(trashed.deleted_at), trashed.meta.id));
        Ok((found, problems))
    }

    /// Removes for good what was deleted before this moment, whatever is left of it; returns which. What
    /// crashes before this moment left half made goes as well.
    pub fn purge(&self, deleted_before: Timestamp) -> Result<Vec<SessionId>, StoreError> {
        self.sweep_abandoned(deleted_before)?;
        let bin = self.path().join(".trash");
        let mut removed = Vec::new();
        for name in folders(&bin)? {
            let path = bin.join(&name);
            if name.starts_with(TEMPORARY_PREFIX) {
                // An earlier removal was interrupted.
                file::remove_all(&path)?;
                continue;
            }
            let Ok(id) = name.parse::<SessionId>() else { continue };
            if deleted_at(&path) < deleted_before {
                // Under another name first: half of a session must never come back.
                let going = bin.join(format!("{TEMPORARY_PREFIX}{name}"));
                file::rename(&path, &going)?;
                file::remove_all(&going)?;
                removed.push(id);
            }
        }
        Ok(removed)
    }

    /// Half made sessions and files of long ago: those of now may be somebody's who is about to name them.
    fn sweep_abandoned(&self, before: Timestamp) -> Result<(), StoreError> {
        for name in temporaries(self.path())? {
            let path = self.path().join(name);
            if changed_at(&path) < before {
                if path.is_dir() { file::remove_all(&path)? } else { file::remove(&path)? }
            }
        }
        Ok(())
    }

    /// Brings a deleted session back. The index is not touched.
    ///
    /// # Errors
    /// [`StoreError::NoSession`] if it is not in the bin, [`StoreError::SessionExists`] if there is
    /// one with its id again.
    pub fn restore(&self, id: SessionId) -> Result<(), StoreError> {
        let deleted = self.path().join(".trash").join(id.to_string());
        let dir = self.session(id);
        if !deleted.is_dir() {
            return Err(StoreError::NoSession { id });
        }
        if dir.path().exists() {
            return Err(StoreError::SessionExists { id });
        }
        file::rename(&deleted, dir.path())?;
        Ok(file::remove(&dir.path().join(NOTE))?)
    }
}

/// When a session was deleted; one without a note, from an earlier version, when its folder last
/// changed, which its deletion did.
fn deleted_at(path: &Path) -> Timestamp {
    let noted = read_json::<Note>(&path.join(NOTE)).ok().flatten().map(|note| note.deleted_at);
    noted.unwrap_or_else(|| changed_at(path))
}

/// When a file, or what is in a folder, last changed; now where that is not known.
fn changed_at(path: &Path) -> Timestamp {
    let changed = fs::metadata(path).and_then(|m| m.modified()).unwrap_or_else(|_| SystemTime::now());
    chrono::DateTime::<chrono::Utc>::from(changed).fixed_offset()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, at, id, message, meta};
    use super::*;

    #[test]
    fn a_deleted_session_can_be_brought_back() {
        let fixture = Fixture::new();
        fixture.create(1).message_writer().unwrap().0.append(&message(1, "hello")).unwrap();
        fixture.store.delete(id(1), at(0)).unwrap();
        let listing = fixture.store.list().unwrap();
        assert!(listing.sessions.is_empty() && listing.problems.is_empty());
        assert!(matches!(fixture.store.delete(id(1), at(0)), Err(StoreError::NoSession { .. })));
        fixture.store.restore(id(1)).unwrap();
        assert_eq!(fixture.store.session(id(1)).transcript().unwrap().messages, [message(1, "hello")]);
        assert!(!fixture.store.session(id(1)).path().join(NOTE).exists(), "the note stayed");
        assert!(matches!(fixture.store.restore(id(1)), Err(StoreError::NoSession { .. })));
    }

    #[test]
    fn restoring_never_replaces_a_session_and_deleting_twice_keeps_the_later() {
        let fixture = Fixture::new();
        drop(fixture.create(1));
        fixture.store.delete(id(1), at(0)).unwrap();
        let lock = fixture.create(1);
        assert!(matches!(fixture.store.restore(id(1)), Err(StoreError::SessionExists { .. })));
        lock.save_meta(&Meta { title: Some("later".into()), ..meta(1) }).unwrap();
        drop(lock);
        fixture.store.delete(id(1), at(1)).unwrap();
        fixture.store.restore(id(1)).unwrap();
        assert_eq!(fixture.store.session(id(1)).meta().unwrap().title.as_deref(), Some("later"));
    }

    #[test]
    fn what_is_in_the_bin_for_long_enough_is_removed_and_nothing_else() {
        let fixture = Fixture::new();
        for n in 1..=3 {
            drop(fixture.create(n));
            fixture.store.delete(id(n), at(i64::from(n))).unwrap();
        }
        let ids = || -> Vec<_> {
            let (found, problems) = fixture.store.trashed().unwrap();
            assert!(problems.is_empty(), "{problems:?}");
            found.into_iter().map(|trashed| (trashed.meta.id, trashed.deleted_at)).collect()
        };
        assert_eq!(ids(), [(id(3), at(3)), (id(2), at(2)), (id(1), at(1))]);
        // One that a crash left half removed, and somebody's own folder.
        fs::create_dir(fixture.path(&format!(".trash/{TEMPORARY_PREFIX}x"))).unwrap();
        fs::create_dir(fixture.path(".trash/mine")).unwrap();
        assert_eq!(fixture.store.purge(at(3)).unwrap(), [id(1), id(2)]);
        assert_eq!(ids(), [(id(3), at(3))]);
        assert!(!fixture.path(&format!(".trash/{TEMPORARY_PREFIX}x")).exists());
        assert!(fixture.path(".trash/mine").exists());
        assert_eq!(fixture.store.purge(at(3)).unwrap(), []);
    }

    #[test]
    fn a_session_deleted_by_an_earlier_version_counts_from_when_its_folder_changed() {
        let fixture = Fixture::new();
        drop(fixture.create(1));
        fixture.store.delete(id(1), at(0)).unwrap();
        fs::remove_file(fixture.path(&format!(".trash/{}/{NOTE}", id(1)))).unwrap();
        // Just now, which is long after the tests' own time.
        assert_eq!(fixture.store.purge(at(0)).unwrap(), []);
        assert!(fixture.store.trashed().unwrap().0[0].deleted_at > at(0));
    }

    #[test]
    fn half_a_session_in_the_bin_is_told_of_and_removed_in_its_time() {
        let fixture = Fixture::new();
        drop(fixture.create(1));
        fixture.store.delete(id(1), at(0)).unwrap();
        fs::remove_file(fixture.path(&format!(".trash/{}/meta.json", id(1)))).unwrap();
        let (found, problems) = fixture.store.trashed().unwrap();
        assert_eq!((found.len(), problems.len()), (0, 1));
        assert_eq!(fixture.store.purge(at(1)).unwrap(), [id(1)]);
    }

    #[test]
    fn what_a_crash_left_half_made_goes_after_long_and_not_before() {
        let fixture = Fixture::new();
        drop(fixture.create(1));
        let name = |what: &str| fixture.path(&format!("{TEMPORARY_PREFIX}{what}"));
        let old = SystemTime::UNIX_EPOCH;
        for what in ["old", "new"] {
            super::super::fixture::scribble(&name(what), "{");
            fs::create_dir(name(&format!("{what}-session"))).unwrap();
        }
        for what in ["old", "old-session"] {
            fs::File::open(name(what)).unwrap().set_modified(old).unwrap();
        }
        fixture.store.purge(at(0)).unwrap();
        let there = |what: &str| name(what).exists();
        assert_eq!(
            (there("old"), there("old-session"), there("new"), there("new-session")),
            (false, false, true, true)
        );
        assert_eq!(fixture.store.list().unwrap().sessions, [meta(1)]);
    }

    #[test]
    fn a_discarded_session_leaves_nothing() {
        let fixture = Fixture::new();
        fixture.store.discard(fixture.create(1)).unwrap();
        assert!(fixture.store.list().unwrap().sessions.is_empty());
        assert!(fixture.store.trashed().unwrap().0.is_empty());
        let names: Vec<_> =
            fs::read_dir(fixture.store.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, [".gitignore"], "{names:?}");
    }
}
