//! One of many programs that use a project concurrently. Each program repeatedly takes a free session, adds a
//! message and increments the message count. It also creates and deletes sessions and updates the index.

use crate::seen::{at, id, message};
use bc_core::{
    ids::SessionId,
    session::{Draft, Meta},
};
use bc_store::{SessionLock, SessionStore, StoreError};
use std::{collections::BTreeMap, fs::OpenOptions, path::Path, process::ExitCode};
use uuid::Uuid;

/// The number of shared sessions.
pub(crate) const SHARED: u8 = 6;

/// Runs the program. At the end, prints the number of writes to each session and the number of times that a
/// session was in use.
pub(crate) fn work(root: &Path, program: &str, rounds: u64) -> ExitCode {
    let store = SessionStore::open(root).unwrap();
    let project = store.project_id(None).unwrap();
    let mut wrote: BTreeMap<u8, u64> = BTreeMap::new();
    let mut busy = 0_u64;
    for round in 0..rounds {
        let n = 1 + u8::try_from((round * 7 + program.parse::<u64>().unwrap()) % u64::from(SHARED)).unwrap();
        match store.session(id(n)).try_lock().unwrap() {
            None => busy += 1,
            Some(lock) => {
                write(&lock, program, round);
                *wrote.entry(n).or_default() += 1;
            }
        }
        if round % 5 == 0 {
            store.sync_index().unwrap();
        }
        if round % 10 == 0 {
            create_and_discard(&store);
            assert_eq!(store.project_id(None).unwrap(), project);
        }
    }
    let wrote: Vec<String> = wrote.iter().map(|(n, times)| format!("{n}:{times}")).collect();
    println!("busy {busy} wrote {}", wrote.join(" "));
    ExitCode::SUCCESS
}

/// Writes to a session as its only holder. Panics if another process is writing to the session.
fn write(lock: &SessionLock, program: &str, round: u64) {
    let marker = lock.path().join("alone");
    OpenOptions::new().write(true).create_new(true).open(&marker).expect("only one process holds the lock");
    let mut meta = lock.meta().unwrap();
    meta.message_count += 1;
    let mut record = message(1, "said");
    record.id = format!("{program}-{round}");
    let (writer, problems) = lock.message_writer().unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    writer.append(&record).unwrap();
    lock.save_meta(&meta).unwrap();
    std::fs::remove_file(&marker).unwrap();
}

/// Creates a session, deletes and restores it, and finally removes it permanently.
fn create_and_discard(store: &SessionStore) {
    let own = SessionId(Uuid::new_v4());
    drop(store.create(&Meta::draft(Draft::new(own, "proj-1".parse().unwrap(), at(0)))).unwrap());
    store.delete(own, at(1)).unwrap();
    store.restore(own).unwrap();
    let lock = store.session(own).try_lock().unwrap().expect("no other process uses this session");
    store.discard(lock).unwrap();
    assert!(matches!(store.session(own).try_lock(), Err(StoreError::NoSession { .. })));
}
