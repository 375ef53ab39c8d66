//! The record of bead changes that this program makes: `.beads/sessions/audit.jsonl`, one JSON object per line.
//!
//! A line is written after the tracker has confirmed a change, before the caller gets the result. If that
//! fails, or the program is killed in between, only the lines of this change are missing. Lines of a newer
//! version are skipped and counted. docs/audit.md describes the format.

use bc_beads::Actor;
use bc_core::{
    Timestamp,
    ids::BeadId,
    text::{cut, one_line},
};
use bc_store::{
    FileError,
    file::{self, SharedLog},
    lock::FileLock,
};
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The version of the lines that this build writes.
const VERSION: u32 = 1;
/// The maximum length of a value, in characters.
const VALUE_MAX: usize = 200;
/// How long to wait for the log's lock, which another process may hold.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// One line of the log: a change of a bead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AuditLine {
    #[serde(default)]
    v: u32,
    /// When the tracker confirmed the change.
    pub(crate) at: Timestamp,
    pub(crate) bead: BeadId,
    /// The tracker's actor: a user, or `{user}/{first 8 characters of the session's id}`.
    pub(crate) actor: String,
    /// The kind of change: `created`, `claimed`, `status`, `field` and others (docs/audit.md).
    pub(crate) kind: String,
    /// The changed field, for `field`; the kind of an added dependency, for `dependency`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) field: Option<String>,
    /// The removed label or dependency. Earlier values of other fields are not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// The new value, shortened to one line: also the title for `created`, the reason for `closed`, the added
    /// label or dependency, and the appended notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
}

impl AuditLine {
    pub(crate) fn new(bead: &BeadId, actor: &Actor, kind: &str) -> AuditLine {
        AuditLine {
            v: VERSION,
            at: super::now(),
            bead: bead.clone(),
            actor: actor.to_string(),
            kind: kind.to_owned(),
            field: None,
            from: None,
            to: None,
        }
    }

    pub(crate) fn field(mut self, field: &str) -> AuditLine {
        self.field = Some(field.to_owned());
        self
    }

    pub(crate) fn from(mut self, value: &str) -> AuditLine {
        self.from = Some(shortened(value));
        self
    }

    pub(crate) fn to(mut self, value: &str) -> AuditLine {
        self.to = Some(shortened(value));
        self
    }
}

/// Shortens a value to one line of at most [`VALUE_MAX`] characters.
pub(crate) fn shortened(value: &str) -> String {
    cut(&one_line(value), VALUE_MAX)
}

#[derive(Debug)]
pub(crate) struct AuditLog {
    log: SharedLog,
    lock: PathBuf,
}

impl AuditLog {
    pub(crate) fn at(beads_dir: &Path) -> AuditLog {
        let folder = beads_dir.join("sessions");
        AuditLog { log: SharedLog::at(folder.join("audit.jsonl")), lock: folder.join("audit.lock") }
    }

    /// Records changes that were made. A failure does not undo them; it is logged.
    pub(crate) fn record(&self, lines: &[AuditLine]) {
        match self.append(lines) {
            Ok(true) => {}
            Ok(false) => tracing::warn!("a change of a bead is missing in the audit: its lock is held"),
            Err(error) => tracing::warn!(%error, "a change of a bead is missing in the audit"),
        }
    }

    /// Returns whether the lines are on disk; `false` if another process holds the lock for too long.
    fn append(&self, lines: &[AuditLine]) -> Result<bool, FileError> {
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend(serde_json::to_vec(line).expect("texts and a time always encode"));
            bytes.push(b'\n');
        }
        if let Some(folder) = self.lock.parent().filter(|folder| !folder.is_dir()) {
            file::create_dir(folder)?;
        }
        let Some(_lock) = FileLock::exclusive(&self.lock, LOCK_WAIT)? else { return Ok(false) };
        self.log.append(&bytes).map(|_| true)
    }

    /// A bead's recorded changes, oldest first, and the number of lines that this build cannot read.
    pub(crate) fn of_bead(&self, bead: &BeadId) -> Result<(Vec<AuditLine>, usize), FileError> {
        let bytes = file::read(self.log.path())?.unwrap_or_default();
        let (mut found, mut unread) = (Vec::new(), 0);
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<AuditLine>(line) {
                Ok(line) if line.v > VERSION => unread += 1,
                Ok(line) => found.extend((line.bead == *bead).then_some(line)),
                Err(_) => unread += 1,
            }
        }
        Ok((found, unread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> (tempfile::TempDir, AuditLog, BeadId) {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::at(folder.path());
        (folder, log, "BC-1".parse().unwrap())
    }

    #[test]
    fn changes_are_read_back_in_order_and_long_values_shortened() {
        let (_folder, log, id) = log();
        let actor = Actor::for_user("ann");
        log.record(&[AuditLine::new(&id, &actor, "created").to("T")]);
        log.record(&[AuditLine::new(&"BC-2".parse().unwrap(), &actor, "created")]);
        log.record(&[AuditLine::new(&id, &actor, "field").field("notes").to(&"x\n".repeat(500))]);
        let (lines, unread) = log.of_bead(&id).unwrap();
        assert_eq!(lines.iter().map(|line| line.kind.as_str()).collect::<Vec<_>>(), ["created", "field"]);
        assert_eq!((lines[1].to.as_ref().unwrap().chars().count(), unread), (VALUE_MAX, 0));
    }

    #[test]
    fn a_torn_or_newer_line_is_counted_and_does_not_stop_the_next() {
        let (folder, log, id) = log();
        let file = folder.path().join("sessions/audit.jsonl");
        file::create_dir(file.parent().unwrap()).unwrap();
        let newer = r#"{"v":9,"at":"2026-01-01T00:00:00Z","bead":"BC-1","actor":"a","kind":"x","more":1}"#;
        file::replace(&file, format!("{newer}\n{{\"v\":1,\"at\"").as_bytes()).unwrap();
        log.record(&[AuditLine::new(&id, &Actor::for_user("ann"), "claimed")]);
        let (lines, unread) = log.of_bead(&id).unwrap();
        assert_eq!((lines.len(), unread), (1, 1), "the torn line is moved to another file");
    }

    #[test]
    fn several_processes_lose_no_line() {
        let (folder, _, id) = log();
        let root = folder.path();
        std::thread::scope(|scope| {
            for n in 0..4 {
                let (log, id) = (AuditLog::at(root), id.clone());
                scope.spawn(move || {
                    for _ in 0..10 {
                        log.record(&[AuditLine::new(&id, &Actor::for_user(&format!("u{n}")), "claimed")]);
                    }
                });
            }
        });
        assert_eq!(AuditLog::at(root).of_bead(&id).unwrap().0.len(), 40);
    }
}
