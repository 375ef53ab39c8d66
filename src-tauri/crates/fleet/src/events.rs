//! The event logs: `events/{convoy}.jsonl` for events of a convoy or its beads, `events/system.jsonl` for all
//! others. Logs are append-only. A log that has reached 1 MiB is renamed to `….jsonl.1`, which replaces the
//! previous one, and a new log starts. Each log therefore occupies at most about 2 MiB; older events are
//! dropped.

use crate::{FleetError, State};
use bc_core::{
    fleet::{FleetEvent, FleetEventKind},
    ids::ConvoyId,
};
use bc_store::{
    file,
    repository::{self, limits},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The size in bytes at which a log is full; about five thousand events.
pub(crate) const FULL: u64 = 1 << 20;

/// The name of the log for events outside convoys.
const SYSTEM: &str = "system";

impl State {
    /// Writes an event to every log to which it belongs. The caller holds the lock and has already written the state,
    /// so a crash in between loses only the event.
    pub(crate) fn log_event(&self, what: FleetEventKind) -> Result<(), FleetError> {
        self.log_all(vec![what])
    }

    /// Like [`State::log_event`] for several events, in this order.
    pub(crate) fn log_all(&self, all: Vec<FleetEventKind>) -> Result<(), FleetError> {
        let convoys = match all.iter().any(|what| what.bead().is_some()) {
            true => self.convoys()?,
            false => Vec::new(),
        };
        let mut logs: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for what in all {
            let mut targets: Vec<Option<&ConvoyId>> = what.convoy().into_iter().map(Some).collect();
            let with = |bead| convoys.iter().filter(move |convoy| convoy.bead_ids.contains(bead));
            targets.extend(what.bead().into_iter().flat_map(with).map(|convoy| Some(&convoy.id)));
            if targets.is_empty() {
                targets.push(None);
            }
            for convoy in targets {
                let id = uuid::Uuid::new_v4().to_string();
                let line = FleetEvent::new(id, self.now(), convoy, &what).line();
                let log = convoy.map_or(SYSTEM, ConvoyId::as_str).to_owned();
                logs.entry(log).or_default().extend_from_slice(line.as_bytes());
            }
        }
        for (log, lines) in logs {
            let log = self.logs().of(self.log(&log));
            let path = log.path();
            let is_full = match std::fs::metadata(path) {
                Ok(log) => log.len() >= FULL,
                Err(_) => {
                    path.parent().map_or(Ok(()), file::create_dir)?;
                    false
                }
            };
            if is_full {
                file::rename(path, &rotated(path))?;
            }
            log.append(&lines)?;
        }
        Ok(())
    }

    /// The events of a convoy, or the events outside convoys, oldest first. Lines in the formats of other programs
    /// and older versions are read as well. Invalid lines are skipped with a warning.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn events(&self, convoy: Option<&ConvoyId>) -> Result<Vec<FleetEvent>, FleetError> {
        let path = self.log(convoy.map_or(SYSTEM, ConvoyId::as_str));
        let bytes = read_with_rotated(&path)?;
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let (mut events, mut invalid) = (Vec::new(), 0);
        for line in lines {
            match FleetEvent::read(line) {
                Some(event) => events.push(event),
                None => invalid += 1,
            }
        }
        if invalid > 0 {
            self.warn(format!("{invalid} lines of {} cannot be read", path.display()));
        }
        Ok(events)
    }

    fn log(&self, name: &str) -> PathBuf {
        self.dir().join("events").join(format!("{name}.jsonl"))
    }
}

/// The path of a log's rotated part.
fn rotated(log: &Path) -> PathBuf {
    log.with_extension("jsonl.1")
}

/// The contents of the rotated part and of the log. Reading does not take the lock; if the log was rotated
/// meanwhile, both files are read again.
fn read_with_rotated(log: &Path) -> Result<Vec<u8>, FleetError> {
    loop {
        let older = repository::read(&rotated(log), limits::RECORD)?;
        let bytes = repository::read(log, limits::RECORD)?.unwrap_or_default();
        if repository::read(&rotated(log), limits::RECORD)? == older {
            let mut all = older.unwrap_or_default();
            all.extend(bytes);
            return Ok(all);
        }
    }
}
