//! The contract: every operation on memories, whoever keeps them.

use crate::{
    ProviderError,
    file::{MemoryFile, TURN, candidates},
    shelf::Shelf,
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

/// Trackers round moments to a second, up too: what waits in the file counts as so much newer than it says.
pub(crate) const TRACKERS_ROUND: TimeDelta = TimeDelta::seconds(1);

/// Where a project's memories are.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder that has `.beads`.
    pub root: PathBuf,
    /// The `.beads` folder.
    pub beads_dir: PathBuf,
    /// Where the tracker's program is sought.
    pub environment: Environment,
}

/// Who stores and asks.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Their session: a record's id, or `session_YYYYMMDD_HHMMSS`.
    pub session: String,
    /// Who it is for the tracker.
    pub actor: Actor,
    /// Which stream of work; `main` unless there are several.
    pub workstream: String,
}

/// Where a memory is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptIn {
    /// bd.
    Bd,
    /// br.
    Br,
    /// `.beads/memories.jsonl`.
    File,
}

/// What became of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is new.
    Remembered,
    /// It took the place of an older one.
    Updated,
}

/// A memory that was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The id of its row.
    pub id: BeadId,
    /// Its key.
    pub key: String,
    /// What became of it.
    pub action: Action,
    /// Where it is.
    pub kept_in: KeptIn,
    /// Why it is in the file although the project has a tracker.
    pub warning: Option<String>,
}

/// A memory and the row that its text is in.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// It, without its text.
    pub entry: MemoryEntry,
    pub(crate) row: Map<String, Value>,
}

impl Loaded {
    pub(crate) fn of(row: Map<String, Value>) -> Option<Loaded> {
        from_row(&row).map(|entry| Loaded { entry, row })
    }

    /// All that is kept of it.
    pub fn row(&self) -> &Map<String, Value> {
        &self.row
    }

    /// Its text.
    pub fn content(&self) -> &str {
        content_of(&self.row)
    }

    /// It with its text.
    pub fn whole(self) -> MemoryEntry {
        let content = content_of(&self.row).to_owned();
        MemoryEntry { content: Some(content), ..self.entry }
    }
}

/// Memories, and what could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Retrieved {
    /// The last changed first.
    pub memories: Vec<Loaded>,
    /// What was passed over, and what stands in for it.
    pub warnings: Vec<String>,
}

/// Memories over the project's tracker, or over a file of their own.
pub struct MemoryProvider {
    pub(crate) place: Place,
    pub(crate) caller: Caller,
    pub(crate) file: MemoryFile,
    pub(crate) shelf: Option<Shelf>,
    opening: Option<String>,
}

impl MemoryProvider {
    /// The memories of a project. No program is run yet. A tracker that cannot be opened is told of with every
    /// answer, and the file stands in for it.
    pub fn open(place: Place, caller: Caller) -> MemoryProvider {
        let opened = bc_beads::open_pinned(&place.root, &place.environment);
        let located = bc_beads::locate(&place.root, &place.environment).ok().flatten();
        // Behind a redirect the memories are where the beads are.
        let beads_dir = located.map_or_else(|| place.beads_dir.clone(), |beads| beads.path);
        let (shelf, opening) = match opened {
            Ok(beads) => {
                let shelf = |beads| {
                    Shelf::new(beads, place.root.clone(), beads_dir.clone(), place.environment.clone())
                };
                (beads.map(shelf), None)
            }
            Err(error) => (None, Some(waiting(&error))),
        };
        let file = MemoryFile::in_dir(&beads_dir);
        let place = Place { beads_dir, ..place };
        MemoryProvider { place, caller, file, shelf, opening }
    }

    /// Who stores and asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Where memories are kept when nothing fails.
    pub fn kept_in(&self) -> KeptIn {
        match self.shelf.as_ref().map(Shelf::kind) {
            None => KeptIn::File,
            Some(TrackerKind::Br) => KeptIn::Br,
            Some(_) => KeptIn::Bd,
        }
    }

    /// Stores a text; it is on disk when this returns. A tracker that fails is no failure: the file has it.
    pub fn store_memory(&self, new: NewMemory) -> Result<Stored, ProviderError> {
        let new = new.checked()?;
        let key = new.key().to_owned();
        let Some(shelf) = &self.shelf else {
            let (id, action) = self.store_in_file(new)?;
            return Ok(Stored { id, key, action, kept_in: KeptIn::File, warning: self.opening.clone() });
        };
        let Caller { session, workstream, actor } = &self.caller;
        let stored = match self.file.turn(TURN)? {
            Some(_turn) => shelf.store(new.clone(), session, workstream, actor),
            None => Err(self.busy()),
        };
        match stored {
            Ok((id, there)) => {
                let action = if there { Action::Updated } else { Action::Remembered };
                Ok(Stored { id, key, action, kept_in: self.kept_in(), warning: None })
            }
            Err(error) => {
                let (id, action) = self.store_in_file(new)?;
                Ok(Stored { id, key, action, kept_in: KeptIn::File, warning: Some(waiting(&error)) })
            }
        }
    }

    fn busy(&self) -> TrackerError {
        let said = "other processes store memories".to_owned();
        TrackerError::Busy { beads_dir: self.place.beads_dir.clone(), said }
    }

    fn store_in_file(&self, new: NewMemory) -> Result<(BeadId, Action), ProviderError> {
        let id = memory::memory_id(&bc_beads::id_prefix(&self.place.beads_dir), new.key());
        let writing = self.file.write()?;
        let old = writing.row(&id)?;
        let entry = old.as_ref().and_then(from_row);
        let (new, session) = match &entry {
            Some(entry) => {
                let session = entry.session_id.clone();
                (new.over(entry), session.unwrap_or_else(|| self.caller.session.clone()))
            }
            None => (new, self.caller.session.clone()),
        };
        let now = moment(old.as_ref());
        let Caller { workstream, actor, .. } = &self.caller;
        let mut row = memory::to_row(&id, &new, &session, workstream, actor.as_str(), &now);
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
        let there = entry.is_some_and(|entry| !entry.forgotten);
        Ok((id, if there { Action::Updated } else { Action::Remembered }))
    }

    /// The memories that the filter lets through, the last changed first.
    pub fn retrieve_memories(&self, filter: &Filter) -> Result<Retrieved, ProviderError> {
        let folded = self.file.folded()?;
        let mut retrieved = self.with_tracker(folded.rows, folded.warnings);
        retrieved.memories.retain(|loaded| filter.lets_through(&loaded.entry));
        retrieved.memories.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(retrieved)
    }

    /// Memories with all of these words, the last changed first.
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

    /// These rows of the file and those of the tracker, one for each key: what waits in the file is newer.
    fn with_tracker(&self, rows: Vec<Map<String, Value>>, mut warnings: Vec<String>) -> Retrieved {
        let mut all: Vec<(Loaded, Option<Timestamp>)> = Vec::new();
        if let Some(shelf) = &self.shelf {
            let rows = shelf.rows().unwrap_or_else(|error| {
                warnings.push(format!("{}; what it said last is shown", chain(&error)));
                shelf.last_rows()
            });
            all.extend(rows.into_iter().filter_map(Loaded::of).map(|loaded| {
                let at = loaded.entry.updated_at;
                (loaded, at)
            }));
        }
        all.extend(rows.into_iter().filter_map(Loaded::of).map(|loaded| {
            let at = loaded.entry.updated_at.map(|at| at + TRACKERS_ROUND);
            (loaded, at)
        }));
        warnings.extend(self.opening.clone());
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut newest: Vec<(Loaded, Option<Timestamp>)> = Vec::new();
        for (loaded, at) in all {
            match places.get(&loaded.entry.key) {
                Some(&place) => {
                    let (known, known_at) = &newest[place];
                    if (!loaded.entry.forgotten, at) >= (!known.entry.forgotten, *known_at) {
                        newest[place] = (loaded, at);
                    }
                }
                None => {
                    places.insert(loaded.entry.key.clone(), newest.len());
                    newest.push((loaded, at));
                }
            }
        }
        let mut memories: Vec<Loaded> = newest.into_iter().map(|(loaded, _)| loaded).collect();
        memories.sort_by(|a, b| {
            b.entry.updated_at.cmp(&a.entry.updated_at).then_with(|| a.entry.key.cmp(&b.entry.key))
        });
        Retrieved { memories, warnings }
    }

    /// The memory of a key or an id, forgotten or not.
    pub fn find(&self, key: &str) -> Result<Loaded, ProviderError> {
        let filter = Filter { forgotten: true, ..Filter::default() };
        let all = self.retrieve_memories(&filter)?.memories;
        let place = all
            .iter()
            .position(|loaded| loaded.entry.key == key)
            .or_else(|| all.iter().position(|loaded| loaded.entry.id.as_str() == key));
        match place {
            Some(place) => Ok(all.into_iter().nth(place).expect("it was just found there")),
            None => Err(ProviderError::NotFound { key: key.to_owned() }),
        }
    }

    /// The memories of an earlier session, oldest first.
    ///
    /// # Errors
    /// [`ProviderError::UnknownSession`] where nothing was ever heard of it.
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

    /// Notes that a memory was asked for just now.
    pub fn mark_memory_accessed(&self, key: &str) -> Result<(), ProviderError> {
        let loaded = self.find(key)?;
        let now = moment(None);
        let mut metadata = Map::new();
        metadata.insert(ACCESSED.to_owned(), json!(now));
        // It did not change: it keeps its place among those that did.
        let fields = json!({"metadata": metadata, "updated_at": loaded.row.get("updated_at")});
        self.change(&loaded, fields, |shelf, actor| shelf.note(&loaded.entry, &metadata, actor))
    }

    /// Closes a memory: nobody is told it any more, and its record stays. What it was.
    pub fn delete_memory(&self, key: &str) -> Result<Loaded, ProviderError> {
        let loaded = self.find(key)?;
        if loaded.entry.forgotten {
            return Err(ProviderError::NotFound { key: key.to_owned() });
        }
        let now = moment(Some(&loaded.row));
        let closed = json!({"status": "closed", "closed_at": now, "close_reason": "forgotten"});
        self.change(&loaded, closed, |shelf, actor| shelf.forget(&loaded.entry, actor))?;
        Ok(loaded)
    }

    /// Takes a deletion back.
    pub fn restore_memory(&self, key: &str) -> Result<Loaded, ProviderError> {
        let loaded = self.find(key)?;
        if loaded.entry.forgotten {
            let open = json!({"status": "pinned", "closed_at": null, "close_reason": null});
            self.change(&loaded, open, |shelf, actor| shelf.restore(&loaded.entry, loaded.content(), actor))?;
        }
        self.find(key)
    }

    /// Changes a memory where it is: a line in the file, else what the tracker is asked.
    pub(crate) fn change(
        &self,
        loaded: &Loaded,
        fields: Value,
        ask: impl FnOnce(&Shelf, &Actor) -> Result<(), TrackerError>,
    ) -> Result<(), ProviderError> {
        let writing = self.file.write()?;
        let of_file = writing.row(&loaded.entry.id)?;
        if let (Some(shelf), None) = (&self.shelf, &of_file) {
            drop(writing);
            let turn = self.file.turn(TURN)?;
            let asked = if turn.is_some() { ask(shelf, &self.caller.actor) } else { Err(self.busy()) };
            return asked.map_err(ProviderError::Tracker);
        }
        // Only what makes the row of the file: the key goes along so that every line says whose it is.
        let mut row = Map::new();
        row.insert("id".to_owned(), json!(loaded.entry.id));
        row.insert("updated_at".to_owned(), json!(moment(of_file.as_ref())));
        if let Value::Object(fields) = fields {
            row.extend(fields);
        }
        if let Some(Value::Object(metadata)) = row.get_mut("metadata") {
            metadata.insert(KEY.to_owned(), json!(loaded.entry.key));
        }
        writing.append(&row)
    }
}

/// Why a memory is in the file, and what becomes of it.
fn waiting(error: &TrackerError) -> String {
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

/// Now, or a microsecond after the row's own time where its clock was ahead: a change is always newer.
pub(crate) fn moment(row: Option<&Map<String, Value>>) -> String {
    let last = row.and_then(|row| row.get("updated_at")?.as_str());
    let last = last.and_then(|text| Timestamp::parse_from_rfc3339(text).ok());
    let now: DateTime<Utc> = Utc::now();
    let now = last.map_or(now, |last| now.max(last.to_utc() + TimeDelta::microseconds(1)));
    now.to_rfc3339_opts(SecondsFormat::Micros, true)
}
