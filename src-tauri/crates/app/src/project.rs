//! One open project: its engine (here or elsewhere), opened when it is first needed, and whoever watches
//! it for changes.

use crate::{
    above::Above,
    watch::{Watch, Watching},
};
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
    thread,
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
        let project = bc_engine::Project::find(&self.root)?;
        // Side by side, for a person waits; what changes from here on is told.
        let (watching, connection) = thread::scope(|side| {
            let watching = side.spawn(|| Watching::begin(&project));
            let connection = bc_engine::connect_to_list(project.clone(), self.programs.clone());
            (watching.join(), connection)
        });
        let connection = Arc::new(connection?);
        let watching = watching.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let watch = Watch::start(watching, &self.root, self.key.clone(), &connection, self.ring.clone());
        connection.keep_merging();
        *opened = Some(Opened { connection: Arc::clone(&connection), _watch: watch });
        Ok(connection)
    }

    fn opened(&self) -> MutexGuard<'_, Option<Opened>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
