//! Many programs use a single project concurrently. No write may be lost, no two programs may hold a session
//! at the same time, and the index must be correct.

use crate::{
    folder, program,
    seen::{id, meta},
};
use bc_store::{SessionStore, session::Index};
use std::{
    collections::{BTreeMap, HashSet},
    process::Stdio,
};

#[test]
fn six_programs_on_one_project_lose_nothing() {
    crowd(6, 20);
}

#[test]
#[ignore = "takes minutes"]
fn thirty_programs_with_a_thousand_rounds_each_lose_nothing() {
    crowd(30, 1000);
}

fn crowd(programs: usize, rounds: u64) {
    let root = folder();
    let store = SessionStore::open(root.path()).unwrap();
    for n in 1..=6 {
        drop(store.create(&meta(n)).unwrap());
    }
    let running: Vec<_> = (0..programs)
        .map(|number| {
            let mut command = program();
            command.arg("crowd").arg(root.path()).args([number.to_string(), rounds.to_string()]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let (mut wrote, mut busy) = (BTreeMap::new(), 0);
    for child in running {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        let out = String::from_utf8(ended.stdout).unwrap();
        let words: Vec<&str> = out.split_whitespace().collect();
        busy += words[1].parse::<u64>().unwrap();
        for word in &words[3..] {
            let (n, times) = word.split_once(':').unwrap();
            *wrote.entry(n.parse::<u8>().unwrap()).or_insert(0) += times.parse::<u64>().unwrap();
        }
    }
    for (&n, &times) in &wrote {
        let session = store.session(id(n));
        assert_eq!(session.meta().unwrap().message_count, times, "writes of session {n} were lost");
        let transcript = session.transcript().unwrap();
        let ids: HashSet<&str> = transcript.messages.iter().map(|message| message.id.as_str()).collect();
        assert_eq!((ids.len() as u64, transcript.problems.len()), (times, 0), "messages of session {n}");
    }
    let saved = bc_store::file::read(&store.path().join("index.json")).unwrap().unwrap();
    let saved: Index = serde_json::from_slice(&saved).unwrap();
    let (index, listing) = store.sync_index().unwrap();
    assert_eq!((index.sessions.len(), listing.problems.len()), (6, 0), "{:?}", listing.problems);
    assert!(saved.sessions.len() >= 6);
    let leftovers: Vec<_> = std::fs::read_dir(store.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(bc_store::file::TEMPORARY_PREFIX))
        .collect();
    assert!(leftovers.is_empty(), "temporary files remained: {leftovers:?}");
    let total: u64 = wrote.values().sum();
    println!(
        "COUNTED a crowd: {programs} programs × {rounds} rounds, {total} writes, {busy} times another process had the session, 0 lost"
    );
}
