//! The files of a session's record that are copied to the user's machine.

use bc_store::SessionDir;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
};

/// An append-only file of JSON lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Log {
    Messages,
    Injections,
    Activity,
    /// The runs of lifecycle hooks.
    HookRuns,
}

impl Log {
    pub(crate) const ALL: [Log; 4] = [Log::Messages, Log::Injections, Log::Activity, Log::HookRuns];

    pub(crate) fn path(self, dir: &SessionDir) -> PathBuf {
        match self {
            Log::Messages => dir.messages_path(),
            Log::Injections => dir.injections_path(),
            Log::Activity => dir.activity_path(),
            Log::HookRuns => dir.hook_runs_path(),
        }
    }
}

/// A file that is always replaced as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Meta,
    /// The note about claude's exit.
    Exit,
    /// The recovery stores.
    Recovery,
}

impl State {
    /// All state files in the order in which they are sent. `Meta` is last, so that an ended session already has
    /// its exit note.
    pub(crate) const ALL: [State; 3] = [State::Recovery, State::Exit, State::Meta];

    pub(crate) fn path(self, dir: &SessionDir) -> PathBuf {
        match self {
            State::Meta => dir.meta_path(),
            State::Exit => bc_host::exit_note_path(dir),
            State::Recovery => dir.recovery_path(),
        }
    }
}

/// Identifies the beginning of a log by length and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prefix {
    /// The length in bytes.
    pub(crate) len: u64,
    /// The SHA-256 hash of these bytes, in hexadecimal digits.
    pub(crate) sha256: String,
}

impl Prefix {
    /// The prefix that covers the whole log. It is empty if the log is missing.
    pub(crate) fn of(log: &mut impl Read) -> io::Result<Prefix> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 64 << 10];
        let mut len = 0;
        loop {
            match log.read(&mut buffer)? {
                0 => break,
                n => {
                    hash.update(&buffer[..n]);
                    len += n as u64;
                }
            }
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Prefix { len, sha256 })
    }

    pub(crate) fn begins(&self, log: File) -> io::Result<bool> {
        Ok(Prefix::of(&mut log.take(self.len))? == *self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_matches_only_a_prefix_that_was_copied_from_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        bc_store::file::replace(&path, b"one\ntwo\n").unwrap();
        let begins =
            |bytes: &[u8]| Prefix::of(&mut &bytes[..]).unwrap().begins(File::open(&path).unwrap()).unwrap();
        assert!(begins(b"") && begins(b"one\n") && begins(b"one\ntwo\n"));
        assert!(!begins(b"onE\n") && !begins(b"one\ntwo\nthree\n"));
    }
}
