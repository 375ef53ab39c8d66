//! Store operations that change the disk, each with its initial state. The tests use them for simulated and
//! real crashes.

use super::seen::{at, id, injection, message, meta};
use bc_core::{
    context_pack::{ContextPack, GenerationMethod},
    recovery::Stores,
    session::Meta,
};
use bc_store::{
    SessionLock, SessionStore, StoreError, file,
    session::{HostInfo, Outbox, OutboxItem, WorkdirSnapshot},
};
use std::path::Path;

type Result = std::result::Result<(), StoreError>;

/// A store operation in a `.beads` folder.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// Creates the initial state.
    pub(crate) before: fn(&Path) -> Result,
    /// Performs the operation, and calls the function after each part that has become durable.
    pub(crate) run: fn(&Path, &mut dyn FnMut()) -> Result,
}

#[rustfmt::skip]
pub(crate) const ALL: &[Operation] = &[
    Operation { name: "open a store", before: |_| Ok(()), run: |at, done| { store(at)?; done(); Ok(()) } },
    Operation { name: "create a session", before: two, run: create },
    Operation { name: "create where a crash left half", before: half_made, run: create },
    Operation { name: "append messages", before: two, run: append },
    Operation { name: "append a long message", before: two, run: append_long },
    Operation { name: "append after a torn line", before: torn, run: append },
    Operation { name: "append after a line without its end", before: unended, run: append },
    Operation { name: "write messages and sync them later", before: two, run: write_then_sync },
    Operation { name: "append the first injection", before: two, run: inject },
    Operation { name: "append one injection alone", before: two, run: inject_alone },
    Operation { name: "append one injection alone after a torn line", before: torn_injection, run: inject_alone },
    Operation { name: "append injections to a file that stays open", before: two, run: inject_kept },
    Operation { name: "append injections to a file that stays open, after a torn line", before: torn_injection, run: inject_kept },
    Operation { name: "replace meta.json", before: two, run: replace_meta },
    Operation { name: "hold a text", before: two, run: |at, done| on_first(at, done, |lock| lock.save_outbox(&held())) },
    Operation { name: "let go of the texts", before: full, run: |at, done| on_first(at, done, |lock| lock.save_outbox(&Outbox::default())) },
    Operation { name: "replace context.json", before: full, run: |at, done| on_first(at, done, |lock| lock.save_context(&pack("second"))) },
    Operation { name: "replace recovery.json", before: full, run: |at, done| on_first(at, done, |lock| lock.save_recovery(&Stores::default())) },
    Operation { name: "write left.json", before: two, run: |at_, done| on_first(at_, done, |lock| lock.save_workdir_snapshot(&WorkdirSnapshot::new(at(9)))) },
    Operation { name: "remove left.json", before: full, run: |at, done| on_first(at, done, SessionLock::clear_workdir_snapshot) },
    Operation { name: "write the heartbeat", before: full, run: |at_, done| on_first(at_, done, |lock| lock.beat(at(9))) },
    Operation { name: "write host.json", before: full, run: |at, done| on_first(at, done, |lock| lock.save_host(&host(2))) },
    Operation { name: "remove host.json", before: full, run: |at, done| on_first(at, done, |lock| lock.clear_host(1)) },
    Operation { name: "take a lock where a crash left files", before: littered, run: |at, done| on_first(at, done, |_| Ok(())) },
    Operation { name: "write the first index", before: two, run: index },
    Operation { name: "rewrite the index", before: outdated, run: index },
    Operation { name: "write the project file", before: two, run: |at, done| { store(at)?.project_id(None)?; done(); Ok(()) } },
    Operation { name: "move a session to the trash", before: full, run: delete },
    Operation { name: "move a session to the trash again", before: deleted_twice, run: delete },
    Operation { name: "restore a session", before: deleted, run: |at, done| { store(at)?.restore(id(1))?; done(); Ok(()) } },
    Operation { name: "purge the trash", before: deleted, run: purge },
    Operation { name: "record a check of the trash", before: deleted, run: |at_, done| { store(at_)?.record_trash_check(at(900), 3)?; done(); Ok(()) } },
    Operation { name: "discard a session", before: two, run: discard },
    Operation { name: "export to a new file", before: two, run: |at, done| { file::create(&at.join("export.md"), b"# said\n")?; done(); Ok(()) } },
    Operation { name: "change a file of the user's own", before: |at| { two(at)?; Ok(file::replace(&at.join("CLAUDE.md"), b"# Rules\n")?) }, run: |at, done| { file::replace_open(&at.join("CLAUDE.md"), b"# Rules\n\n# Beads\n")?; done(); Ok(()) } },
    Operation { name: "make a folder of the user's own", before: two, run: |at, done| { file::create_open_dir(&at.join("skills/beads"))?; done(); Ok(()) } },
    Operation { name: "remove an empty folder", before: |at| { two(at)?; Ok(file::create_dir(&at.join("skills/beads"))?) }, run: |at, done| { file::remove_empty_dir(&at.join("skills/beads"))?; done(); file::remove_empty_dir(&at.join("skills"))?; done(); Ok(()) } },
];

fn store(at: &Path) -> std::result::Result<SessionStore, StoreError> {
    Ok(SessionStore::open(at)?)
}

fn first(at: &Path) -> std::result::Result<SessionLock, StoreError> {
    store(at)?.session(id(1)).try_lock()?.ok_or(StoreError::InUse { id: id(1) })
}

fn on_first(at: &Path, done: &mut dyn FnMut(), run: impl FnOnce(&SessionLock) -> Result) -> Result {
    run(&first(at)?)?;
    done();
    Ok(())
}

fn create(at: &Path, done: &mut dyn FnMut()) -> Result {
    store(at)?.create(&meta(3))?;
    done();
    Ok(())
}

/// Appends messages individually, then several at a time.
fn append(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    let (writer, _) = lock.message_writer()?;
    done();
    for n in 10..12 {
        writer.append(&message(n, "said, größer"))?;
        done();
    }
    writer.append_all(&[message(12, "a"), message(10, "said again"), message(13, "b")])?;
    done();
    Ok(())
}

/// Writes messages as a host does: only a sync or an append makes them durable.
fn write_then_sync(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    let (writer, _) = lock.message_writer()?;
    done();
    for n in 10..12 {
        writer.write_all(&[message(n, "said, größer")])?;
    }
    writer.sync()?;
    done();
    writer.write_all(&[message(12, "a"), message(10, "said again")])?;
    writer.append(&message(13, "b"))?;
    done();
    Ok(())
}

/// Appends messages that span several disk blocks.
fn append_long(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    let (writer, _) = lock.message_writer()?;
    done();
    writer.append(&message(10, &"long ".repeat(1200)))?;
    done();
    writer.append(&message(11, "short"))?;
    done();
    Ok(())
}

/// Appends injections. On a retry, appends only the missing ones, because equal injections cannot be
/// distinguished.
fn inject(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    let recorded = lock.injections()?.injections.len();
    let writer = lock.injection_writer()?;
    for text in ["recovery", "two\nlines"].iter().skip(recorded) {
        writer.append(&injection(text))?;
        done();
    }
    Ok(())
}

/// Appends one line like a caller that opens the file for each line.
fn inject_alone(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    if lock.injections()?.injections.is_empty() {
        let line = serde_json::to_vec(&injection("recovery")).expect("JSON");
        file::Appender::append_once(&lock.path().join("injections.jsonl"), &line)?;
    }
    done();
    Ok(())
}

/// Appends lines like a caller that keeps the file open between lines.
fn inject_kept(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    let recorded = lock.injections()?.injections.len();
    let log = file::SharedLog::at(lock.path().join("injections.jsonl"));
    for text in ["recovery", "two\nlines"].iter().skip(recorded) {
        log.append(&serde_json::to_vec(&injection(text)).expect("JSON"))?;
        done();
    }
    Ok(())
}

fn torn_injection(at: &Path) -> Result {
    two(at)?;
    Ok(file::replace(&store(at)?.session(id(1)).path().join("injections.jsonl"), b"{\"reason\":\"sta")?)
}

fn replace_meta(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    for title in ["called once", "called again, and longer"] {
        lock.save_meta(&Meta { title: Some(title.into()), ..lock.meta()? })?;
        done();
    }
    Ok(())
}

fn index(at: &Path, done: &mut dyn FnMut()) -> Result {
    store(at)?.sync_index()?;
    done();
    Ok(())
}

fn delete(at_: &Path, done: &mut dyn FnMut()) -> Result {
    store(at_)?.delete(id(1), at(60))?;
    done();
    Ok(())
}

/// Acknowledges the purge only if it removed the session. A session whose note cannot be read remains until a
/// later purge.
fn purge(at_: &Path, done: &mut dyn FnMut()) -> Result {
    if store(at_)?.purge(at(900))?.contains(&id(1)) {
        done();
    }
    Ok(())
}

fn discard(at: &Path, done: &mut dyn FnMut()) -> Result {
    let lock = first(at)?;
    store(at)?.discard(lock)?;
    done();
    Ok(())
}

/// Creates two sessions with messages.
fn two(at: &Path) -> Result {
    for n in 1..=2 {
        let lock = store(at)?.create(&meta(n))?;
        lock.message_writer()?.0.append_all(&[message(1, "one"), message(2, "two")])?;
    }
    Ok(())
}

/// Creates two sessions. The first has most kinds of files.
fn full(at_: &Path) -> Result {
    two(at_)?;
    let lock = first(at_)?;
    lock.save_outbox(&held())?;
    lock.save_context(&pack("first"))?;
    let mut stores = Stores::default();
    stores.edited("src/größe.rs");
    lock.save_recovery(&stores)?;
    lock.injection_writer()?.append(&injection("told"))?;
    lock.save_workdir_snapshot(&WorkdirSnapshot::new(at(1)))?;
    lock.beat(at(1))?;
    lock.save_host(&host(1))
}

/// Creates a deleted session. It has few files, because the tests simulate the removal of every subset of
/// them.
fn deleted(at_: &Path) -> Result {
    two(at_)?;
    first(at_)?.save_outbox(&held())?;
    store(at_)?.delete(id(1), at(30))
}

/// Creates a session that is both in the trash and in the store, because its folder was copied back.
fn deleted_twice(at: &Path) -> Result {
    deleted(at)?;
    let lock = store(at)?.create(&Meta { title: Some("copied back".into()), ..meta(1) })?;
    lock.message_writer()?.0.append(&message(1, "one"))
}

fn outdated(at: &Path) -> Result {
    two(at)?;
    store(at)?.sync_index()?;
    let lock = first(at)?;
    lock.save_meta(&Meta { title: Some("called otherwise".into()), ..lock.meta()? })
}

fn torn(at: &Path) -> Result {
    ends_with(at, b"{\"id\":\"msg_9\",\"role\":\"us")
}

fn unended(at: &Path) -> Result {
    ends_with(at, serde_json::to_string(&message(9, "whole")).expect("JSON").as_bytes())
}

fn ends_with(at: &Path, tail: &[u8]) -> Result {
    two(at)?;
    let path = store(at)?.session(id(1)).messages_path();
    let whole = file::read(&path)?.unwrap_or_default();
    Ok(file::replace(&path, &[&whole[..], tail].concat())?)
}

fn half_made(at: &Path) -> Result {
    two(at)?;
    let making = store(at)?.path().join(format!("{}{}", file::TEMPORARY_PREFIX, id(3)));
    file::create_dir(&making)?;
    Ok(file::replace(&making.join("meta.json"), b"{")?)
}

fn littered(at: &Path) -> Result {
    full(at)?;
    let dir = store(at)?.session(id(1));
    for n in 0..3 {
        file::replace(&dir.path().join(format!("{}{n}", file::TEMPORARY_PREFIX)), b"{")?;
    }
    Ok(())
}

fn held() -> Outbox {
    let item = OutboxItem { id: "1".into(), text: "two\nlines".into(), at: at(0), extra: Default::default() };
    Outbox { items: vec![item], ..Outbox::default() }
}

fn host(pid: u32) -> HostInfo {
    HostInfo::new(pid, 99, "/run/x.sock".into())
}

fn pack(id: &str) -> ContextPack {
    ContextPack {
        id: id.into(),
        created_at: at(0),
        project_id: "proj-1".parse().expect("an id"),
        bead_id: None,
        query: None,
        files: vec![],
        symbols: vec![],
        dependencies: vec![],
        config: vec![],
        commits: vec![],
        docs: vec![],
        generation_method: GenerationMethod::Manual,
        total_tokens: 0,
        truncated: false,
    }
}
