//! Repeatedly kills writers at arbitrary moments. All writes that they reported as durable must be on disk.

use crate::{
    folder, program,
    seen::{id, meta},
};
use bc_store::SessionStore;
use std::{
    collections::HashSet,
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};

/// The number of kills per store. A new store is then used, because the files keep growing.
const KILLS_OF_ONE: usize = 25;

#[test]
fn a_killed_writer_loses_no_acknowledged_write() {
    kill(30);
}

#[test]
#[ignore = "a thousand kills"]
fn a_writer_killed_a_thousand_times_loses_no_acknowledged_write() {
    kill(1000);
}

#[derive(Default)]
struct Acknowledged {
    messages: HashSet<String>,
    meta: u64,
    outbox: u64,
    note: u64,
    lines: usize,
}

fn kill(rounds: usize) {
    let mut seed = 0x9e37_79b9_u64;
    let (mut remaining, mut lines) = (rounds, 0);
    while remaining > 0 {
        let root = folder();
        drop(SessionStore::open(root.path()).unwrap().create(&meta(1)).unwrap());
        let mut acknowledged = Acknowledged::default();
        for _ in 0..remaining.min(KILLS_OF_ONE) {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            kill_one(root.path(), &mut acknowledged, usize::try_from(seed >> 58).unwrap());
            assert_durable(root.path(), &mut acknowledged);
        }
        remaining -= remaining.min(KILLS_OF_ONE);
        lines += acknowledged.lines;
    }
    println!("COUNTED kills of writers: {rounds} rounds, {lines} acknowledged writes, 0 lost");
}

/// Kills a writer after `after + 1` reports, and collects all its reports.
fn kill_one(root: &Path, acknowledged: &mut Acknowledged, after: usize) {
    let mut child = program().arg("write").arg(root).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut reports: Vec<String> = lines.by_ref().take(after + 1).map(Result::unwrap).collect();
    child.kill().unwrap();
    // Reports that were written during the kill also count.
    reports.extend(lines.map(Result::unwrap));
    child.wait().unwrap();
    assert!(reports.len() > after, "the writer ended before the kill: {reports:?}");
    acknowledged.lines += reports.len();
    for line in reports {
        let (kind, value) = line.split_once(' ').unwrap();
        match kind {
            "message" => drop(acknowledged.messages.insert(value.into())),
            "meta" => acknowledged.meta = value.parse().unwrap(),
            "outbox" => acknowledged.outbox = value.parse().unwrap(),
            "note" => acknowledged.note = value.parse().unwrap(),
            other => panic!("unknown report {other}"),
        }
    }
}

fn assert_durable(root: &Path, acknowledged: &mut Acknowledged) {
    let store = SessionStore::open(root).unwrap();
    let session = store.session(id(1));
    let transcript = session.transcript().unwrap();
    let recorded: HashSet<&str> = transcript.messages.iter().map(|message| message.id.as_str()).collect();
    let lost: Vec<_> = acknowledged.messages.iter().filter(|id| !recorded.contains(id.as_str())).collect();
    assert!(lost.is_empty(), "lost messages: {lost:?}");
    let meta = session.meta().unwrap().message_count;
    assert!(
        (acknowledged.meta..=acknowledged.meta + 1).contains(&meta),
        "meta.json has {meta} after {}",
        acknowledged.meta
    );
    let held = session.outbox().unwrap().items.first().map_or(0, |item| item.id.parse::<u64>().unwrap());
    assert!(
        (acknowledged.outbox..=meta).contains(&held),
        "outbox.json has {held} after {}",
        acknowledged.outbox
    );
    let notes = bc_store::file::read(&root.join("notes.jsonl")).unwrap().unwrap_or_default();
    let notes = notes.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let last = notes.filter_map(|note: serde_json::Value| note["n"].as_u64()).max().unwrap_or(0);
    assert!(last >= acknowledged.note, "the last note is {last} after {}", acknowledged.note);
    let (index, listing) = store.sync_index().unwrap();
    assert_eq!((index.sessions.len(), listing.problems.len()), (1, 0));
    // The next writer continues from the content on disk, which may be newer than the killed writer's last
    // report.
    (acknowledged.meta, acknowledged.outbox) = (meta, held);
}
