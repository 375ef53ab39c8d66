//! The provider with its own file, with the real bd if `BC_TEST_BD` names one, and with recorded answers of br.
#![allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]

mod file;
mod real_bd;
#[cfg(unix)]
mod recorded_br;

use crate::{Caller, MemoryProvider, Place};
use bc_beads::Environment;
use bc_core::memory::{Filter, MemoryEntry, NewMemory};
use std::{fs, path::Path};

fn provider_at(root: &Path, environment: &Environment, session: &str) -> MemoryProvider {
    let place =
        Place { root: root.to_owned(), beads_dir: root.join(".beads"), environment: environment.clone() };
    let caller = Caller {
        session: session.to_owned(),
        actor: "ann/12345678".parse().unwrap(),
        workstream: "main".to_owned(),
    };
    MemoryProvider::open(place, caller)
}

fn nothing_installed() -> Environment {
    Environment { path: Some("/nonexistent".into()), ..Environment::default() }
}

fn embedded(files: &[(&str, &str)]) -> (tempfile::TempDir, MemoryProvider) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join(".beads/sessions")).unwrap();
    fs::write(dir.path().join(".beads/issues.jsonl"), "").unwrap();
    fs::write(dir.path().join(".beads/config.yaml"), "issue_prefix: tp\n").unwrap();
    for (name, content) in files {
        fs::write(dir.path().join(".beads").join(name), content).unwrap();
    }
    let provider = provider_at(dir.path(), &nothing_installed(), "session_20260101_120000");
    (dir, provider)
}

fn keyed(key: &str, text: &str) -> NewMemory {
    NewMemory { key: Some(key.to_owned()), ..NewMemory::learned("ann", text) }
}

fn keys(provider: &MemoryProvider, filter: &Filter) -> Vec<String> {
    let retrieved = provider.retrieve_memories(filter).unwrap();
    assert_eq!(retrieved.warnings, Vec::<String>::new());
    let mut keys: Vec<String> = retrieved.memories.into_iter().map(|loaded| loaded.entry.key).collect();
    keys.sort();
    keys
}

fn whole(provider: &MemoryProvider, key: &str) -> MemoryEntry {
    provider.find(key).unwrap().whole()
}
