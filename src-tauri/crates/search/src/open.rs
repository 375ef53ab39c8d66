//! Opens the cache: in the sessions folder, or in memory if the folder is missing or not writable.

use crate::SearchError;
use bc_store::{SessionStore, file};
use rusqlite::{Connection, OptionalExtension, config::DbConfig};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The file names of this and the previous schema version. Builds with different schema versions use
/// different files.
const FILE: &str = "search-3.sqlite";
const BEFORE: &str = "search-2.sqlite";
/// The cache's folder. Lists of sessions skip folders whose names begin with a dot.
const FOLDER: &str = ".cache";
/// The maximum number of cached prepared statements.
const STATEMENTS: usize = 64;
/// The number of bytes of new words that SQLite sorts in memory before it writes them; enough for one batch.
const HASH: i64 = 64 << 20;
/// The time limit for waiting while another process updates the cache.
const BUSY: Duration = Duration::from_secs(60);

/// `words` is the full-text index of messages. It stores no text: snippets are read from the session's own
/// file. Its row ids are `session << 24 | number of the message`. The row ids of `heads` (titles, objectives
/// and bead ids) are the sessions' keys.
///
/// For each session, `message` has the first `messages` messages, and `words` the first `worded` of them. The
/// messages that `words` lacks are `due` bytes long.
const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS session(
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, meta TEXT NOT NULL, meta_stamp TEXT NOT NULL,
        bead TEXT, agent TEXT, status TEXT NOT NULL, made INTEGER NOT NULL,
        read_to INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0,
        stamp TEXT NOT NULL DEFAULT '', tail BLOB NOT NULL DEFAULT x'', messages INTEGER NOT NULL DEFAULT 0,
        worded INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0,
        damaged INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX IF NOT EXISTS session_made ON session(made);
    CREATE INDEX IF NOT EXISTS session_open ON session(status) WHERE status <> 'closed';
    CREATE INDEX IF NOT EXISTS session_due ON session(key) WHERE due > 0;
    CREATE TABLE IF NOT EXISTS active(session INTEGER NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS active_session ON active(session);
    CREATE INDEX IF NOT EXISTS active_ended ON active(ended);
    CREATE TABLE IF NOT EXISTS file(session INTEGER NOT NULL, path TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS file_session ON file(session);
    CREATE TABLE IF NOT EXISTS hash(session INTEGER NOT NULL, hash TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS hash_session ON hash(session);
    CREATE TABLE IF NOT EXISTS message(
        session INTEGER NOT NULL, no INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
        start INTEGER NOT NULL, length INTEGER NOT NULL, tokens INTEGER NOT NULL, latency INTEGER,
        failed INTEGER NOT NULL, PRIMARY KEY(session, no)) WITHOUT ROWID;
    CREATE UNIQUE INDEX IF NOT EXISTS message_id ON message(session, id);
    CREATE TABLE IF NOT EXISTS tool(
        session INTEGER NOT NULL, no INTEGER NOT NULL, name TEXT NOT NULL, failed INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS tool_session ON tool(session, no);
    CREATE TABLE IF NOT EXISTS quarter(
        session INTEGER NOT NULL, quarter INTEGER NOT NULL, tokens INTEGER NOT NULL,
        messages INTEGER NOT NULL, PRIMARY KEY(session, quarter)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
        said, tools, content='', contentless_delete=1, prefix='2 3 4',
        tokenize=\"unicode61 remove_diacritics 2\");
    CREATE VIRTUAL TABLE IF NOT EXISTS heads USING fts5(
        head, content='', contentless_delete=1, tokenize=\"unicode61 remove_diacritics 2\");
    CREATE VIRTUAL TABLE temp.shown USING fts5(text, tokenize=\"unicode61 remove_diacritics 2\");
";

/// The cache of one project's sessions, and the queries on it.
pub struct SearchIndex {
    pub(crate) store: SessionStore,
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    /// The stamp of `index.json` when every session was last checked.
    pub(crate) swept: Option<String>,
}

impl SearchIndex {
    /// Opens the cache of a store without updating it. The cache is in memory if the store's folder is
    /// missing or not writable.
    ///
    /// # Errors
    ///
    /// Returns an error if SQLite cannot even create a database in memory.
    pub fn open(store: &SessionStore) -> Result<SearchIndex, SearchError> {
        let path = store.path().join(FOLDER).join(FILE);
        let connection = match on_disk(&path) {
            Ok(connection) => Some(connection),
            Err(error) if error.is_broken() => remove(&path).and_then(|()| on_disk(&path)).ok(),
            Err(_) => None,
        };
        let (connection, path) = match connection {
            Some(connection) => (connection, path),
            None => (in_memory()?, PathBuf::new()),
        };
        Ok(SearchIndex { store: store.clone(), connection, path, swept: None })
    }

    /// Runs a query on the cache. If the cache is broken, recreates it and runs the query again.
    pub(crate) fn with<T>(
        &mut self,
        what: impl Fn(&mut SearchIndex) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        match what(self) {
            Err(error) if error.is_broken() && !self.path.as_os_str().is_empty() => {
                // Other processes that have the removed file open use it until they find that it is broken.
                self.connection = in_memory()?;
                remove(&self.path)?;
                *self = SearchIndex::open(&self.store.clone())?;
                what(self)
            }
            other => other,
        }
    }

    pub(crate) fn sqlite(&self) -> impl Fn(rusqlite::Error) -> SearchError + use<> {
        let path = self.path.clone();
        move |source| SearchError::Sqlite { path: path.clone(), source }
    }
}

fn on_disk(path: &Path) -> Result<Connection, SearchError> {
    let error = |source| SearchError::Sqlite { path: path.into(), source };
    let folder = path.parent().expect("the cache is in a folder");
    if !folder.parent().is_some_and(Path::is_dir) {
        // The project has no sessions, so there is nothing to store.
        return in_memory();
    }
    file::create_dir(folder).map_err(SearchError::Folder)?;
    if !path.exists() {
        // Remove the cache of an earlier build.
        remove(&folder.join(BEFORE))?;
    }
    let connection = Connection::open(path).map_err(error)?;
    connection.busy_timeout(BUSY).map_err(error)?;
    // The file is only a cache: data that a power cut loses is read again.
    connection
        .execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;
             PRAGMA mmap_size=1073741824; PRAGMA wal_autocheckpoint=8000;",
        )
        .map_err(error)?;
    prepare(&connection).map_err(error)?;
    Ok(connection)
}

fn in_memory() -> Result<Connection, SearchError> {
    let error = |source| SearchError::Sqlite { path: PathBuf::new(), source };
    let connection = Connection::open_in_memory().map_err(error)?;
    prepare(&connection).map_err(error)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Make query plans independent of bound values; otherwise, the full-text index would parse its own
    // statements again each time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute_batch(SCHEMA)?;
    let hash: Option<i64> = connection
        .query_row("SELECT v FROM words_config WHERE k = 'hashsize'", [], |row| row.get(0))
        .optional()?;
    if hash != Some(HASH) {
        // Set the value only if it differs, because setting it writes to the file.
        connection.execute("INSERT INTO words(words, rank) VALUES ('hashsize', ?1)", [HASH])?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), SearchError> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        file::remove(Path::new(&name)).map_err(SearchError::Folder)?;
    }
    Ok(())
}
