//! The operations on memories, which are the same for every storage.

use crate::{
    ProviderError,
    file::{MemoryFile, TRACKER_LOCK_WAIT, candidates},
    tracker_backend::TrackerBackend,
};
use bc_beads::{Actor, Environment, TrackerError, TrackerKind};
use bc_core::{
    Timestamp,
    ids::BeadId,
    memory::{self, ACCESSED, Filter, KEY, MemoryEntry, NewMemory, content_of, from_row, holds_words},
};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Map, Value, json};
use std::{collections::HashMap, path::PathBuf};

/// Trackers round times to a second, possibly upwards. To compensate, pending memories in the file count as
/// newer by this duration.
pub(crate) const TRACKERS_ROUND: TimeDelta = TimeDelta::seconds(1);

/// The location of a project's memories.
#[derive(Debug, Clone)]
pub struct Place {
    /// The project's root, which contains `.beads`.
    pub root: PathBuf,
    /// The `.beads` folder.
    pub beads_dir: PathBuf,
    pub environment: Environment,
}

/// The agent or user who reads and stores memories.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The id of the caller's session, or `session_YYYYMMDD_HHMMSS` for a caller without one.
    pub session: String,
    /// The actor under which the tracker records the caller's changes.
    pub actor: Actor,
    /// The workstream, a field of the memory format; `main` by default.
    pub workstream: String,
}

/// Where a memory is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptIn {
    /// In bd: as a pinned bead and, if the text is short enough, also as one of bd's own memories.
    Bd,
    /// In br: as a pinned bead.
    Br,
    /// In `.beads/memories.jsonl`.
    File,
}

/// The effect of storing a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Remembered,
    /// A memory with the same key existed and was updated.
    Updated,
}

/// The result of storing a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub id: BeadId,
    pub key: String,
    pub action: Action,
    pub kept_in: KeptIn,
    /// Why the memory is in the file although the project has a tracker.
    pub warning: Option<String>,
}

/// A memory, and the row with all its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The memory without its text.
    pub entry: MemoryEntry,
    pub(crate) row: Map<String, Value>,
}

impl Loaded {
    pub(crate) fn of(row: Map<String, Value>) -> Option<Loaded> {
        from_row(&row).map(|entry| Loaded { entry, row })
    }

    /// The row as stored, with all fields.
    pub fn row(&self) -> &Map<String, Value> {
        &self.row
    }

    /// The memory's text.
    pub fn content(&self) -> &str {
        content_of(&self.row)
    }

    /// The memory with its text.
    pub fn whole(self) -> MemoryEntry {
        let content = content_of(&self.row).to_owned();
        MemoryEntry { content: Some(content), ..self.entry }
    }
}

/// The result of a query: memories and warnings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Retrieved {
    /// The memories, most recently changed first.
    pub memories: Vec<Loaded>,
    /// Warnings about skipped rows and about a failing tracker.
    pub warnings: Vec<String>,
}

/// Stores and finds the memories of a project, in its tracker or in a separate file.
pub struct MemoryProvider {
    pub(crate) place: Place,
    pub(crate) caller: Caller,
    pub(crate) file: MemoryFile,
    pub(crate) backend: Option<TrackerBackend>,
    opening: Option<String>,
}

impl MemoryProvider {
    /// Opens the memories of a project without running a program. If the tracker cannot be opened, the file is
    /// used instead, and the results of queries and of storing a memory have a warning.
    pub fn open(place: Place, caller: Caller) -> MemoryProvider {
        let opened = bc_beads::open_pinned(&place.root, &place.environment);
        let located = bc_beads::locate(&place.root, &place.environment).ok().flatten();
        // With a redirect, the memories are in the redirected folder.
        let beads_dir = located.map_or_else(|| place.beads_dir.clone(), |beads| beads.path);
        let (backend, opening) = match opened {
            Ok(beads) => {
                let (root, environment) = (place.root.clone(), place.environment.clone());
                let backend =
                    |beads| TrackerBackend { beads, root, beads_dir: beads_dir.clone(), environment };
                (beads.map(backend), None)
            }
            Err(error) => (None, Some(pending_warning(&error))),
        };
        let file = MemoryFile::in_dir(&beads_dir);
        let place = Place { beads_dir, ..place };
        MemoryProvider { place, caller, file, backend, opening }
    }

    /// The agent or user for whom this provider acts.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Where memories are stored if the tracker does not fail.
    pub fn kept_in(&self) -> KeptIn {
        match self.backend.as_ref().map(|backend| backend.beads.kind()) {
            None => KeptIn::File,
            Some(TrackerKind::Br) => KeptIn::Br,
            Some(_) => KeptIn::Bd,
        }
    }

    /// Stores a memory, which is on disk when this returns. If the tracker fails, the memory is stored in the file.
    pub fn store_memory(&self, new: NewMemory) -> Result<Stored, ProviderError> {
        let new = new.checked()?;
        let key = new.key().to_owned();
        let Some(backend) = &self.backend else {
            let (id, action) = self.store_in_file(new)?;
            return Ok(Stored { id, key, action, kept_in: KeptIn::File, warning: self.opening.clone() });
        };
        let Caller { session, workstream, actor } = &self.caller;
        let stored = match self.file.tracker_lock(TRACKER_LOCK_WAIT)? {
            Some(_turn) => backend.store(new.clone(), session, workstream, actor),
            None => Err(self.busy()),
        };
        match stored {
            Ok((id, replaced)) => {
                let action = if replaced { Action::Updated } else { Action::Remembered };
                Ok(Stored { id, key, action, kept_in: self.kept_in(), warning: None })
            }
            Err(error) => {
                let (id, action) = self.store_in_file(new)?;
                Ok(Stored { id, key, action, kept_in: KeptIn::File, warning: Some(pending_warning(&error)) })
            }
        }
    }

    pub(crate) fn busy(&self) -> TrackerError {
        let said = "other processes store memories".to_owned();
        TrackerError::Busy { beads_dir: self.place.beads_dir.clone(), said }
    }

    fn store_in_file(&self, new: NewMemory) -> Result<(BeadId, Action), ProviderError> {
        let id = memory::memory_id(&bc_beads::id_prefix(&self.place.beads_dir), new.key());
        let writing = self.file.write()?;
        let old = writing.row(&id)?;
        let entry = old.as_ref().and_then(from_row);
        let session =
            entry.as_ref().and_then(|entry| entry.session_id.as_ref()).unwrap_or(&self.caller.session);
        let new = match &entry {
            Some(entry) => new.over(entry),
            None => new,
        };
        let now = timestamp_after(old.as_ref());
        let Caller { workstream, actor, .. } = &self.caller;
        let mut row = memory::to_row(&id, &new, session, workstream, actor.as_str(), &now);
        if let Some(old) = &old {
            for key in ["created_at", "created_by"] {
                row.extend(old.get(key).map(|value| (key.to_owned(), value.clone())));
            }
        }
        if entry.as_ref().is_some_and(|entry| entry.forgotten) {
            row.insert("closed_at".to_owned(), Value::Null);
            row.insert("close_reason".to_owned(), Value::Null);
        }
        writing.append(&row)?;
        let replaced = entry.is_some_and(|entry| !entry.forgotten);
        Ok((id, if replaced { Action::Updated } else { Action::Remembered }))
    }

    /// The memories that match the filter, most recently changed first.
    pub fn retrieve_memories(&self, filter: &Filter) -> Result<Retrieved, ProviderError> {
        let folded = self.file.folded()?;
        let mut retrieved = self.with_tracker(folded.rows, folded.warnings);
        retrieved.memories.retain(|loaded| filter.lets_through(&loaded.entry));
        retrieved.memories.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(retrieved)
    }

    /// The memories that contain all words of the query and match the filter, most recently changed first.
    pub fn search_memories(&self, query: &str, filter: &Filter) -> Result<Retrieved, ProviderError> {
        let words = memory::words(query);
        let folded = candidates(&self.file.bytes()?, &words);
        let mut retrieved = self.with_tracker(folded.rows, folded.warnings);
        retrieved.memories.retain(|loaded| {
            filter.lets_through(&loaded.entry) && holds_words(&loaded.entry, loaded.content(), &words)
        });
        retrieved.memories.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(retrieved)
    }

    /// Combines these rows of the file with the tracker's rows, and keeps one row for each key: one that is not
    /// forgotten before a forgotten one, and the newest of several.
    fn with_tracker(&self, rows: Vec<Map<String, Value>>, mut warnings: Vec<String>) -> Retrieved {
        let mut all = Vec::new();
        if let Some(backend) = &self.backend {
            let rows = backend.rows().unwrap_or_else(|error| {
                warnings.push(format!("{}; the memories as last read are shown", chain(&error)));
                backend.last_rows()
            });
            all.extend(rows.into_iter().map(|row| (row, TimeDelta::zero())));
        }
        all.extend(rows.into_iter().map(|row| (row, TRACKERS_ROUND)));
        warnings.extend(self.opening.clone());
        // Each key's memory, with its rank among those with the same key.
        let mut newest: HashMap<String, (Loaded, (bool, Option<Timestamp>))> = HashMap::new();
        for (row, ahead) in all {
            let Some(loaded) = Loaded::of(row) else { continue };
            let rank = (!loaded.entry.forgotten, loaded.entry.updated_at.map(|at| at + ahead));
            if newest.get(&loaded.entry.key).is_none_or(|(_, known)| rank >= *known) {
                newest.insert(loaded.entry.key.clone(), (loaded, rank));
            }
        }
        let mut memories: Vec<Loaded> = newest.into_values().map(|(loaded, _)| loaded).collect();
        memories.sort_by(|a, b| {
            b.entry.updated_at.cmp(&a.entry.updated_at).then_with(|| a.entry.key.cmp(&b.entry.key))
        });
        Retrieved { memories, warnings }
    }

    /// The memory with this key or id, even if it is forgotten.
    pub fn find(&self, key: &str) -> Result<Loaded, ProviderError> {
        let filter = Filter { forgotten: true, ..Filter::default() };
        let mut all = self.retrieve_memories(&filter)?.memories;
        let at = all
            .iter()
            .position(|loaded| loaded.entry.key == key)
            .or_else(|| all.iter().position(|loaded| loaded.entry.id.as_str() == key));
        at.map(|at| all.swap_remove(at)).ok_or_else(|| ProviderError::NotFound { key: key.to_owned() })
    }

    /// The memories of an earlier session, oldest first.
    ///
    /// # Errors
    ///
    /// [`ProviderError::UnknownSession`] if the session is unknown.
    pub fn restore_session(&self, session: &str) -> Result<Vec<Loaded>, ProviderError> {
        let filter = Filter { session_id: Some(session.to_owned()), ..Filter::default() };
        let mut memories = self.retrieve_memories(&filter)?.memories;
        if memories.is_empty() && session != self.caller.session && !self.has_record(session) {
            return Err(ProviderError::UnknownSession { id: session.to_owned() });
        }
        memories.sort_by(|a, b| {
            a.entry.created_at.cmp(&b.entry.created_at).then_with(|| a.entry.key.cmp(&b.entry.key))
        });
        Ok(memories)
    }

    fn has_record(&self, session: &str) -> bool {
        let id = session.parse::<bc_core::ids::SessionId>();
        id.is_ok_and(|id| self.place.beads_dir.join("sessions").join(id.to_string()).is_dir())
    }

    /// Records that a memory was read now, without changing the time of its last change.
    pub fn mark_memory_accessed(&self, key: &str) -> Result<(), ProviderError> {
        let loaded = self.find(key)?;
        let now = timestamp_after(None);
        let mut metadata = Map::new();
        metadata.insert(ACCESSED.to_owned(), json!(now));
        // An access is not a change, so the memory keeps the time of its last change.
        let fields = json!({"metadata": metadata, "updated_at": loaded.row.get("updated_at")});
        self.change(&loaded, fields, |backend, actor| backend.note(&loaded.entry, &metadata, actor))
    }

    /// Forgets a memory: it is closed and no longer given to agents, but can be restored. Returns its last state.
    pub fn delete_memory(&self, key: &str) -> Result<Loaded, ProviderError> {
        let loaded = self.find(key)?;
        if loaded.entry.forgotten {
            return Err(ProviderError::NotFound { key: key.to_owned() });
        }
        let now = timestamp_after(Some(&loaded.row));
        let closed = json!({"status": "closed", "closed_at": now, "close_reason": "forgotten"});
        self.change(&loaded, closed, |backend, actor| backend.forget(&loaded.entry, actor))?;
        Ok(loaded)
    }

    /// Restores a forgotten memory, and returns it. A memory that is not forgotten stays unchanged.
    pub fn restore_memory(&self, key: &str) -> Result<Loaded, ProviderError> {
        let loaded = self.find(key)?;
        if loaded.entry.forgotten {
            let open = json!({"status": "pinned", "closed_at": null, "close_reason": null});
            self.change(&loaded, open, |backend, actor| {
                backend.restore(&loaded.entry, loaded.content(), actor)
            })?;
        }
        self.find(key)
    }

    /// Changes a memory where it is stored: appends a line with `fields` to the file, or calls the tracker with
    /// `ask`.
    pub(crate) fn change(
        &self,
        loaded: &Loaded,
        fields: Value,
        ask: impl FnOnce(&TrackerBackend, &Actor) -> Result<(), TrackerError>,
    ) -> Result<(), ProviderError> {
        let writing = self.file.write()?;
        let of_file = writing.row(&loaded.entry.id)?;
        if let (Some(backend), None) = (&self.backend, &of_file) {
            drop(writing);
            let changed = match self.file.tracker_lock(TRACKER_LOCK_WAIT)? {
                Some(_turn) => ask(backend, &self.caller.actor),
                None => Err(self.busy()),
            };
            return changed.map_err(ProviderError::Tracker);
        }
        // The line has only the id, the time and the changed fields. Changed metadata also gets the key.
        let mut row = Map::new();
        row.insert("id".to_owned(), json!(loaded.entry.id));
        row.insert("updated_at".to_owned(), json!(timestamp_after(of_file.as_ref())));
        if let Value::Object(fields) = fields {
            row.extend(fields);
        }
        if let Some(Value::Object(metadata)) = row.get_mut("metadata") {
            metadata.insert(KEY.to_owned(), json!(loaded.entry.key));
        }
        writing.append(&row)
    }
}

/// The warning that a memory is in the file because the tracker failed.
fn pending_warning(error: &TrackerError) -> String {
    format!(
        "the tracker failed ({}): the memory is in .beads/memories.jsonl and moves into the tracker once that works",
        chain(error)
    )
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// The current time. If the row's own time is later, because another clock was ahead, one microsecond after that, so
/// that a change is always newer.
pub(crate) fn timestamp_after(row: Option<&Map<String, Value>>) -> String {
    let last = row.and_then(|row| row.get("updated_at")?.as_str());
    let last = last.and_then(|text| Timestamp::parse_from_rfc3339(text).ok());
    let now: DateTime<Utc> = Utc::now();
    let now = last.map_or(now, |last| now.max(last.to_utc() + TimeDelta::microseconds(1)));
    now.to_rfc3339_opts(SecondsFormat::Micros, true)
}
