//! The event logs: `events/{convoy}.jsonl` for what concerns a convoy or its beads, `events/system.jsonl`
//! for all else. Lines are only ever added. A log that has grown to a megabyte gets another name, `….jsonl.1`, in place of the
//! one that had it, and a new one begins: so there are two megabytes of each at most, and what is older goes.

use crate::{FleetError, State};
use bc_core::{
    fleet::{FleetEvent, FleetEventKind},
    ids::ConvoyId,
};
use bc_store::file::{self, SharedLog};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// How large a log becomes, in bytes: some five thousand events.
pub(crate) const FULL: u64 = 1 << 20;

/// How many logs are kept open.
const OPEN: usize = 32;

/// The logs that were written to.
#[derive(Debug, Default)]
pub(crate) struct Logs(Mutex<HashMap<PathBuf, Arc<SharedLog>>>);

impl Logs {
    fn of(&self, path: PathBuf) -> Arc<SharedLog> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= OPEN && !open.contains_key(&path) {
            // Which of them are still needed nobody knows: each is opened again when it is.
            open.clear();
        }
        Arc::clone(open.entry(path.clone()).or_insert_with(|| Arc::new(SharedLog::at(path))))
    }
}

impl State {
    /// Writes what happened to every log that it belongs in. The caller holds the lock and has written the
    /// state: a crash in between costs the line.
    pub(crate) fn told(&self, what: FleetEventKind) -> Result<(), FleetError> {
        self.told_all(vec![what])
    }

    /// The same of several, in this order.
    pub(crate) fn told_all(&self, all: Vec<FleetEventKind>) -> Result<(), FleetError> {
        let convoys = match all.iter().any(|what| what.bead().is_some()) {
            true => self.convoys()?,
            false => Vec::new(),
        };
        let mut logs: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for what in all {
            let mut of: Vec<String> = what.convoy().map(ConvoyId::to_string).into_iter().collect();
            let with = |bead| convoys.iter().filter(move |convoy| convoy.bead_ids.contains(bead));
            of.extend(what.bead().into_iter().flat_map(with).map(|convoy| convoy.id.to_string()));
            if of.is_empty() {
                of.push("system".to_owned());
            }
            let mut line =
                serde_json::to_vec(&FleetEvent { at: self.now(), what }).expect("it has only text keys");
            line.push(b'\n');
            of.into_iter().for_each(|log| logs.entry(log).or_default().extend_from_slice(&line));
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
                file::rename(path, &before(path))?;
            }
            log.append(&lines)?;
        }
        Ok(())
    }

    /// What happened to a convoy, or to what is in none; the oldest first. A line that this build cannot
    /// read is passed over with a warning.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn events(&self, convoy: Option<&ConvoyId>) -> Result<Vec<FleetEvent>, FleetError> {
        let path = self.log(convoy.map_or("system", ConvoyId::as_str));
        let bytes = both(&path)?;
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let (mut events, mut strange) = (Vec::new(), 0);
        for line in lines {
            match serde_json::from_slice(line) {
                Ok(event) => events.push(event),
                Err(_) => strange += 1,
            }
        }
        if strange > 0 {
            self.warn(format!("{strange} lines of {} cannot be read", path.display()));
        }
        Ok(events)
    }

    fn log(&self, name: &str) -> PathBuf {
        self.dir().join("events").join(format!("{name}.jsonl"))
    }
}

/// What is older than a log.
fn before(log: &Path) -> PathBuf {
    log.with_extension("jsonl.1")
}

/// A log and what is older. Reading takes no lock: where the one became the other meanwhile, both are read again.
fn both(log: &Path) -> Result<Vec<u8>, FleetError> {
    loop {
        let older = file::read(&before(log))?;
        let bytes = file::read(log)?.unwrap_or_default();
        if file::read(&before(log))? == older {
            let mut all = older.unwrap_or_default();
            all.extend(bytes);
            return Ok(all);
        }
    }
}
