//! One open project: its engine (here or elsewhere), opened when it is first needed, and whoever watches
//! it for changes.

use crate::{above::Above, watch::Watch};
use bc_bridge::EventRing;
use bc_core::ids::SessionId;
use bc_engine::{Connection, Programs};
use bc_wire::{
    ApiError, ErrorCode,
    answer::Answer,
    app::{OpenProject, ProjectKey},
};
use serde_json::Value;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

/// A project on the list.
pub(crate) struct Project {
    pub(crate) key: ProjectKey,
    pub(crate) root: PathBuf,
    pub(crate) sample: bool,
    programs: Programs,
    ring: EventRing,
    opened: Mutex<Option<Opened>>,
    _above: Option<Above>,
}

struct Opened {
    connection: Arc<Connection>,
    _watch: Watch,
    _ahead: ReadAhead,
}

/// Reads a project's beads while its watch begins: a list of them is what is asked for first.
struct ReadAhead(Option<JoinHandle<()>>);

impl ReadAhead {
    fn start(connection: Arc<Connection>) -> ReadAhead {
        ReadAhead(thread::Builder::new().spawn(move || connection.read_ahead()).ok())
    }
}

impl Drop for ReadAhead {
    fn drop(&mut self) {
        // It holds the connection, whose engine is to have ended when this returns.
        if let Some(reading) = self.0.take() {
            let _ = reading.join();
        }
    }
}

impl Project {
    pub(crate) fn new(
        key: ProjectKey,
        root: PathBuf,
        sample: bool,
        programs: Programs,
        ring: EventRing,
    ) -> Project {
        let _above = Above::watch(&root, ring.clone());
        Project { key, root, sample, programs, ring, opened: Mutex::new(None), _above }
    }

    /// The project as clients see it, without the layout of its window.
    pub(crate) fn shown(&self) -> OpenProject {
        let name =
            self.root.file_name().map_or_else(|| "project".into(), |n| n.to_string_lossy().into_owned());
        OpenProject {
            key: self.key.clone(),
            name,
            root: self.root.display().to_string(),
            available: self.root.is_dir(),
            sample: self.sample,
            layout: None,
        }
    }

    /// One command of the project's contract.
    pub(crate) fn answer<A: Answer>(&self, method: &str, params: Value) -> Result<A, ApiError> {
        if method == "project.init" {
            let params = bc_wire::api::parse(method, params)?;
            return A::of(bc_engine::init(&self.root, params)?);
        }
        self.connection()?.answer(method, params)
    }

    /// Opens it before anybody asks for something. What stands against it is told to whoever asks.
    pub(crate) fn open_ahead(&self) {
        let _ = self.connection();
    }

    /// Where a session's terminal is.
    pub(crate) fn host_socket(&self, session: SessionId) -> Result<PathBuf, ApiError> {
        self.connection()?.host_socket(session)
    }

    fn connection(&self) -> Result<Arc<Connection>, ApiError> {
        if !self.root.is_dir() {
            let text = format!("{} is not there any more", self.root.display());
            return Err(ApiError::new(ErrorCode::ProjectNotFound, text)
                .hint("bring the folder back, or take the project off the list"));
        }
        let mut opened = self.opened();
        match opened.take() {
            Some(known) if known.connection.is_current() => {
                return Ok(Arc::clone(&opened.insert(known).connection));
            }
            // The folder was deleted and brought back: what is held is nobody's any more.
            known => drop(known),
        }
        let connection = Arc::new(bc_engine::connect(&self.root, self.programs.clone())?);
        let ahead = ReadAhead::start(Arc::clone(&connection));
        let watch = Watch::start(&self.root, self.key.clone(), Arc::clone(&connection), self.ring.clone())?;
        *opened = Some(Opened { connection: Arc::clone(&connection), _watch: watch, _ahead: ahead });
        Ok(connection)
    }

    fn opened(&self) -> MutexGuard<'_, Option<Opened>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
