//! The beads of a classic bd's database, as last read.

use super::{rows, wal};
use crate::{
    TrackerError, bd_events,
    beads_files::database_stamp,
    graph::Graph,
    page::texts,
    place,
    read_only::Source,
    readiness::Links,
    row::Row,
    tracker::{Dependency, ListFilter, Listing, TrackerEvent, Warning},
};
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    ids::BeadId,
    query::Texts,
};
use bc_store::{
    FileError,
    repository::{self, limits},
};
use chrono::Utc;
use rusqlite::Connection;
use serde_json::{Map, Value};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// The maximum number of attempts to read the database while bd writes it.
const TRIES: usize = 5;
/// Parts of the ids of bd's own rows, which are never ready.
const OWN_IDS: [&str; 2] = ["-mol-", "-wisp-"];

/// The database of a classic bd, read again after every change.
pub(crate) struct Database {
    path: PathBuf,
    last: Mutex<Last>,
}

struct Last {
    stamp: Option<String>,
    content: Arc<Content>,
    number: u64,
}

struct Content {
    rows: Vec<Row>,
    /// The ids that bd counts as blocked.
    blocked: Option<HashSet<String>>,
    warnings: Vec<Warning>,
    bytes: Vec<u8>,
}

/// Why a database cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("{0}")]
    File(FileError),
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error("it is gone")]
    Missing,
}

impl Database {
    /// Reads the database of this `.beads` folder.
    pub(crate) fn open(beads_dir: &Path) -> Result<Database, Unreadable> {
        let path = place::database(beads_dir).ok_or(Unreadable::Missing)?;
        let (stamp, content) = read(&path)?;
        let last = Mutex::new(Last { stamp, content: Arc::new(content), number: 1 });
        Ok(Database { path, last })
    }

    /// The rows with all their fields, deleted ones included.
    pub(crate) fn maps(beads_dir: &Path) -> Result<Vec<Map<String, Value>>, Unreadable> {
        let path = place::database(beads_dir).ok_or(Unreadable::Missing)?;
        let (_, bytes) = bytes(&path)?;
        Ok(rows::beads(&opened(&bytes)?)?)
    }

    /// The current content and its number. If the database cannot be read, the last content, with a warning.
    fn current(&self) -> (Arc<Content>, u64, Option<Warning>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if database_stamp(&self.path) == last.stamp {
            return (Arc::clone(&last.content), last.number, None);
        }
        let problem = match read(&self.path) {
            Ok((stamp, content)) => {
                *last = Last { stamp, content: Arc::new(content), number: last.number + 1 };
                None
            }
            Err(error) => {
                let what = format!("the database cannot be read now ({error}); its last content is shown");
                Some(Warning { line: None, what })
            }
        };
        (Arc::clone(&last.content), last.number, problem)
    }
}

impl Content {
    /// Readiness as in a classic `bd ready`, where a deferred parent does not hide its children. If the
    /// database has no list of blocked beads, the rules of [`Links`] apply instead.
    fn is_ready(&self, row: &Row, graph: &Graph<'_>) -> bool {
        let Some(blocked) = &self.blocked else {
            return graph.is_ready(row, Utc::now().fixed_offset());
        };
        row.stored_status == BeadStatus::Open
            && !row.pinned
            && !row.system
            && !OWN_IDS.iter().any(|part| row.id.as_str().contains(part))
            && row.defer_until.is_none_or(|until| until <= Utc::now())
            && !blocked.contains(row.id.as_str())
    }
}

impl Source for Database {
    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        let (content, _, problem) = self.current();
        let graph = Graph::new(&content.rows);
        let beads = graph.beads(filter, |row| content.is_ready(row, &graph));
        let warnings = content.warnings.iter().cloned().chain(problem).collect();
        Ok(Listing { beads, warnings })
    }

    fn content(&self) -> u64 {
        self.current().1
    }

    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError> {
        let (content, ..) = self.current();
        content.rows.iter().for_each(|row| found(row.id.clone(), texts(row)));
        Ok(())
    }

    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        Ok(Dependency::of_rows(&self.current().0.rows))
    }

    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        let (content, ..) = self.current();
        let graph = Graph::new(&content.rows);
        let row = content.rows.iter().find(|row| row.id == *id);
        let row = row.ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
        Ok(graph.detail(row, content.is_ready(row, &graph)))
    }

    fn events(&self, id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        let (content, ..) = self.current();
        if !content.rows.iter().any(|row| row.id == *id) {
            return Err(TrackerError::NotFound { id: id.clone() });
        }
        let found = opened(&content.bytes).and_then(|db| Ok(rows::events(&db, id.as_str())?));
        let failed = |error: Unreadable| TrackerError::Unsupported {
            why: format!("the database's records cannot be read ({error})"),
        };
        Ok(bd_events::events(&found.map_err(failed)?))
    }

    fn described(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("the current content of {name} is shown")
    }

    fn audit(&self) -> &'static str {
        "bd's database records every change of a bead, by any program."
    }
}

fn read(path: &Path) -> Result<(Option<String>, Content), Unreadable> {
    let (stamp, bytes) = bytes(path)?;
    let connection = opened(&bytes)?;
    let blocked = rows::blocked(&connection)?;
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    for map in rows::beads(&connection)? {
        match Row::read(&map) {
            Ok(row) if row.stored_status == BeadStatus::Tombstone => {}
            Ok(row) => found.push(row),
            Err(why) => warnings.push(Warning { line: None, what: format!("a bead was left out: {why}") }),
        }
    }
    drop(connection);
    Ok((stamp, Content { rows: found, blocked, warnings, bytes }))
}

/// The stamp and the bytes of the database, with its log applied. If a file changes meanwhile, reads both again, up
/// to [`TRIES`] times in all.
fn bytes(path: &Path) -> Result<(Option<String>, Vec<u8>), Unreadable> {
    let read = |path: &Path| repository::read(path, limits::ROWS).map_err(Unreadable::File);
    let mut tries = 1;
    loop {
        let before = database_stamp(path);
        let database = read(path)?.ok_or(Unreadable::Missing)?;
        let log = read(&path.with_extension("db-wal"))?.unwrap_or_default();
        // SQLite's checkpoint moves pages from the log to the database: read both again.
        if database_stamp(path) == before || tries == TRIES {
            return Ok((before, wal::applied(database, &log)));
        }
        tries += 1;
    }
}

/// Opens the bytes as a read-only database in memory and checks it.
fn opened(bytes: &[u8]) -> Result<Connection, Unreadable> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact("main", bytes, bytes.len(), true)?;
    connection.execute_batch("pragma trusted_schema = off; pragma query_only = on;")?;
    let found: String = connection.query_row("pragma quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(Unreadable::Damaged(bc_core::text::cut(&bc_core::text::one_line(&found), 120)));
    }
    match rows::has_table(&connection, "issues")? {
        true => Ok(connection),
        false => Err(Unreadable::Damaged("it has no beads".to_owned())),
    }
}
