//! Writers that run until they are killed. They report each item after the store has acknowledged that it is
//! on disk.

use crate::seen::{at, id, message};
use bc_store::{
    SessionLock, SessionStore,
    file::Appender,
    session::{MessageWriter, Outbox, OutboxItem},
};
use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    thread,
};

/// The number of threads that append to one conversation concurrently, as in the host.
const APPENDING: u8 = 3;

pub(crate) fn write(root: &Path) -> ExitCode {
    let store = SessionStore::open(root).unwrap();
    let lock = store.session(id(1)).try_lock().unwrap().expect("the previous writer has ended");
    let (writer, _) = lock.message_writer().unwrap();
    let (notes, _) = Appender::open(&root.join("notes.jsonl")).unwrap();
    let first = lock.meta().unwrap().message_count;
    thread::scope(|scope| {
        for thread in 0..APPENDING {
            let writer = &writer;
            scope.spawn(move || append(writer, thread, first));
        }
        replace(&store, &lock, &notes, first)
    })
}

fn append(writer: &MessageWriter, thread: u8, first: u64) -> ! {
    for n in 0_u64.. {
        let id = format!("{first}-{thread}-{n}");
        let mut record = message(1, &"said ".repeat(usize::from(thread) * 40));
        record.id.clone_from(&id);
        writer.append(&record).unwrap();
        report(&format!("message {id}"));
    }
    unreachable!("the test kills the writer earlier")
}

fn replace(store: &SessionStore, lock: &SessionLock, notes: &Appender, first: u64) -> ExitCode {
    for n in first + 1.. {
        let mut meta = lock.meta().unwrap();
        meta.message_count = n;
        lock.save_meta(&meta).unwrap();
        report(&format!("meta {n}"));
        let item =
            OutboxItem { id: n.to_string(), text: "held".into(), at: at(0), extra: Default::default() };
        lock.save_outbox(&Outbox { items: vec![item], ..Outbox::default() }).unwrap();
        report(&format!("outbox {n}"));
        notes.append(format!("{{\"n\":{n}}}").as_bytes()).unwrap();
        report(&format!("note {n}"));
        lock.beat(at(0)).unwrap();
        store.sync_index().unwrap();
    }
    unreachable!("the test kills the writer earlier")
}

/// Prints a line with a single write, so that the line is either complete or missing.
fn report(line: &str) {
    let stdout = io::stdout();
    let mut stdout = stdout.lock();
    if stdout.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdout.flush()).is_err() {
        std::process::exit(3);
    }
}
