//! The trash: a deleted session's folder is moved to `.trash` in the same store, with a note of the time, so
//! that the session can be restored. Later, [`SessionStore::purge`] removes it permanently.

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
}

/// The file in the trash that records when the trash was checked.
const CHECKS_FILE: &str = "looks.json";

/// Checks that are closer together than this count as one.
const CHECKS_APART: chrono::Duration = chrono::Duration::hours(20);

/// The maximum gap between checks. After a longer gap, the clock may have jumped, so earlier checks are
/// discarded.
const GAP_MAX: chrono::Duration = chrono::Duration::days(60);

/// The times of the counted trash checks, at least [`CHECKS_APART`] apart, earliest first.
#[derive(Default, Serialize, Deserialize)]
struct TrashChecks {
    version: u32,
    at: Vec<Timestamp>,
    #[serde(flatten)]
    extra: Extra,
}

/// A session in the trash.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    pub meta: Meta,
    pub deleted_at: Timestamp,
}

impl SessionStore {
    /// Moves a session to the trash. The caller decides whether the session may be deleted. The index is not
    /// changed.
    ///
    /// # Errors
    ///
    /// [`StoreError::InUse`] if the session's lock is held; [`StoreError::NoSession`] if the session does not
    /// exist.
    pub fn delete(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        let dir = self.session(id);
        // If the system allows it, keep the lock until the folder has been moved, so that no process starts
        // the session meanwhile.
        let lock = dir.try_lock()?.ok_or(StoreError::InUse { id })?;
        let trash = self.path().join(".trash");
        file::create_dir(&trash)?;
        let in_trash = trash.join(id.to_string());
        // The trash may contain an older copy with this id, if the session was restored by copying its
        // folder. Rename the copy before removing it, because a partly removed session must never be
        // restored.
        let older = trash.join(format!("{TEMPORARY_PREFIX}{id}"));
        if older.exists() {
            file::remove_all(&older)?;
        }
        if in_trash.exists() {
            file::rename(&in_trash, &older)?;
        }
        write_json(&dir.path().join(NOTE), &Note { version: 1, deleted_at: now })?;
        let _held = os::OPEN_FILES_CAN_MOVE.then_some(lock);
        file::rename(dir.path(), &in_trash)?;
        // The session is deleted. Remove the older copy; if this fails, a later purge removes it.
        if older.exists() {
            let _ = file::remove_all(&older);
        }
        Ok(())
    }

    /// Permanently removes a session whose start was refused, so that it has no content. The index is not
    /// changed.
    pub fn discard(&self, lock: SessionLock) -> Result<(), StoreError> {
        let path = lock.path().to_owned();
        let removed_path = self.path().join(format!("{TEMPORARY_PREFIX}{}", lock.dir().id()));
        let _held = os::OPEN_FILES_CAN_MOVE.then_some(lock);
        file::rename(&path, &removed_path)?;
        Ok(file::remove_all(&removed_path)?)
    }

    /// Returns the sessions in the trash, most recently deleted first, and the skipped items.
    pub fn trashed(&self) -> Result<(Vec<Trashed>, Vec<Problem>), StoreError> {
        let trash = self.path().join(".trash");
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for name in folders(&trash)? {
            let Ok(id) = name.parse::<SessionId>() else { continue };
            let dir = SessionDir::new(&trash, id);
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

    /// Records a check of the trash, unless the trash is empty or the last check was less than 20 hours ago.
    /// Returns the earliest of the last `days + 1` checks, or `None` if fewer checks are recorded.
    ///
    /// The clock alone does not give a reliable age, because it can jump by years.
    pub fn record_trash_check(&self, now: Timestamp, days: usize) -> Result<Option<Timestamp>, StoreError> {
        let trash = self.path().join(".trash");
        if folders(&trash)?.is_empty() {
            return Ok(None);
        }
        let path = trash.join(CHECKS_FILE);
        // Treat a damaged file as empty. Sessions then stay in the trash longer.
        let mut checks = read_json::<TrashChecks>(&path).ok().flatten().unwrap_or_default();
        let known = checks.at.len();
        // Times in the future were recorded with a wrong clock.
        checks.at.retain(|at| *at <= now);
        if checks.at.last().is_some_and(|last| now - *last > GAP_MAX) {
            checks.at.clear();
        }
        let is_new = checks.at.last().is_none_or(|last| now - *last >= CHECKS_APART);
        if is_new {
            checks.at.push(now);
        }
        if is_new || checks.at.len() != known {
            // N days between checks require N + 1 checks.
            checks.at.drain(..checks.at.len().saturating_sub(days + 1));
            checks.version = 1;
            write_json(&path, &checks)?;
        }
        Ok(checks.at.first().copied().filter(|_| checks.at.len() > days))
    }

    /// Permanently removes sessions that were deleted before this time, and returns their ids. Also completes
    /// interrupted removals, and removes unfinished sessions that crashes left before this time.
    pub fn purge(&self, deleted_before: Timestamp) -> Result<Vec<SessionId>, StoreError> {
        self.sweep_abandoned(deleted_before)?;
        let trash = self.path().join(".trash");
        let mut removed = Vec::new();
        for name in folders(&trash)? {
            let path = trash.join(&name);
            if name.starts_with(TEMPORARY_PREFIX) {
                // An earlier removal was interrupted.
                file::remove_all(&path)?;
                continue;
            }
            let Ok(id) = name.parse::<SessionId>() else { continue };
            if deleted_at(&path) < deleted_before {
                // Rename the session first, because a partly removed session must never be restored.
                let removed_path = trash.join(format!("{TEMPORARY_PREFIX}{name}"));
                file::rename(&path, &removed_path)?;
                file::remove_all(&removed_path)?;
                removed.push(id);
            }
        }
        Ok(removed)
    }

    /// Removes old unfinished sessions and files. Another process may still be working on recent ones.
    fn sweep_abandoned(&self, before: Timestamp) -> Result<(), StoreError> {
        for name in temporaries(self.path())? {
            let path = self.path().join(name);
            if changed_at(&path) < before {
                if path.is_dir() { file::remove_all(&path)? } else { file::remove(&path)? }
            }
        }
        Ok(())
    }

    /// Restores a deleted session. The index is not changed.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if the session is not in the trash; [`StoreError::SessionExists`] if a
    /// session with the same id exists.
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

/// Returns the time at which a session was deleted, as recorded in its note. Without a readable note, returns
/// the folder's modification time, because older versions wrote no note.
fn deleted_at(path: &Path) -> Timestamp {
    let noted = read_json::<Note>(&path.join(NOTE)).ok().flatten().map(|note| note.deleted_at);
    noted.unwrap_or_else(|| changed_at(path))
}

/// Returns the modification time of a file or folder, or the current time if it is unknown.
fn changed_at(path: &Path) -> Timestamp {
    let changed = fs::metadata(path).and_then(|m| m.modified()).unwrap_or_else(|_| SystemTime::now());
    chrono::DateTime::<chrono::Utc>::from(changed).fixed_offset()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, at, id, message, meta};
    use super::*;

    #[test]
    fn a_deleted_session_can_be_restored() {
        let fixture = Fixture::new();
        fixture.create(1).message_writer().unwrap().0.append(&message(1, "hello")).unwrap();
        fixture.store.delete(id(1), at(0)).unwrap();
        let listing = fixture.store.list().unwrap();
        assert!(listing.sessions.is_empty() && listing.problems.is_empty());
        assert!(matches!(fixture.store.delete(id(1), at(0)), Err(StoreError::NoSession { .. })));
        fixture.store.restore(id(1)).unwrap();
        assert_eq!(fixture.store.session(id(1)).transcript().unwrap().messages, [message(1, "hello")]);
        assert!(!fixture.store.session(id(1)).path().join(NOTE).exists(), "the note remained");
        assert!(matches!(fixture.store.restore(id(1)), Err(StoreError::NoSession { .. })));
    }

    #[test]
    fn restoring_does_not_replace_a_session_and_the_later_deletion_wins() {
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
    fn only_expired_sessions_are_purged_from_the_trash() {
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
        // A partly removed session left by a crash, and another program's folder.
        fs::create_dir(fixture.path(&format!(".trash/{TEMPORARY_PREFIX}x"))).unwrap();
        fs::create_dir(fixture.path(".trash/mine")).unwrap();
        assert_eq!(fixture.store.purge(at(3)).unwrap(), [id(1), id(2)]);
        assert_eq!(ids(), [(id(3), at(3))]);
        assert!(!fixture.path(&format!(".trash/{TEMPORARY_PREFIX}x")).exists());
        assert!(fixture.path(".trash/mine").exists());
        assert_eq!(fixture.store.purge(at(3)).unwrap(), []);
    }

    #[test]
    fn the_age_in_the_trash_is_counted_in_observed_days() {
        let fixture = Fixture::new();
        let day = |n: i64| at(n * 24 * 60);
        let look = |now| fixture.store.record_trash_check(now, 3).unwrap();
        assert_eq!(look(day(0)), None, "the trash is empty");
        assert!(!fixture.path(".trash").join(CHECKS_FILE).exists());
        drop(fixture.create(1));
        fixture.store.delete(id(1), day(1)).unwrap();
        // A second check on the same day, a clock that is once a hundred years ahead, and a clock that is set
        // back.
        for now in [day(1), day(1) + chrono::Duration::hours(3), day(36_500), day(2), day(2)] {
            assert_eq!(look(now), None);
        }
        assert_eq!([look(day(3)), look(day(4))], [None, None]);
        assert_eq!(look(day(5)), Some(day(2)));
        assert_eq!(look(day(9)), Some(day(3)));
        assert_eq!(look(day(100)), None, "the gap restarts the count");
        super::super::fixture::scribble(&fixture.path(".trash").join(CHECKS_FILE), "{");
        assert_eq!(look(day(101)), None, "a damaged file restarts the count");
    }

    #[test]
    fn deletions_by_earlier_versions_are_dated_by_the_folder() {
        let fixture = Fixture::new();
        drop(fixture.create(1));
        fixture.store.delete(id(1), at(0)).unwrap();
        fs::remove_file(fixture.path(&format!(".trash/{}/{NOTE}", id(1)))).unwrap();
        // The folder's modification time is the real current time, which is long after the test's own times.
        assert_eq!(fixture.store.purge(at(0)).unwrap(), []);
        assert!(fixture.store.trashed().unwrap().0[0].deleted_at > at(0));
    }

    #[test]
    fn a_partial_session_in_the_trash_is_reported_and_purged() {
        let fixture = Fixture::new();
        drop(fixture.create(1));
        fixture.store.delete(id(1), at(0)).unwrap();
        fs::remove_file(fixture.path(&format!(".trash/{}/meta.json", id(1)))).unwrap();
        let (found, problems) = fixture.store.trashed().unwrap();
        assert_eq!((found.len(), problems.len()), (0, 1));
        assert_eq!(fixture.store.purge(at(1)).unwrap(), [id(1)]);
    }

    #[test]
    fn incomplete_sessions_of_a_crash_are_purged_after_their_time() {
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
        let exists = |what: &str| name(what).exists();
        assert_eq!(
            (exists("old"), exists("old-session"), exists("new"), exists("new-session")),
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
