//! An open project: the connection to its engine, in this process or in another one, and the watch for
//! changes. Both start with the first command, or earlier with [`Project::open_ahead`].

use crate::{
    root_watch,
    watch::{Fleet, Watch, Watching},
};
use bc_bridge::EventRing;
use bc_core::ids::SessionId;
use bc_engine::{Connection, EngineClaim, Programs, ReadAhead};
use bc_store::watch::FileWatch;
use bc_wire::{
    ApiError, ErrorCode,
    answer::Answer,
    api,
    app::{OpenProject, ProjectKey},
};
use serde_json::Value;
use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

/// The first command that the UI calls in a project.
const LIST: &str = "bead.list";
/// How long opening the project waits for the first list request. Any other command opens the project
/// immediately.
const LIST_TIMEOUT: Duration = Duration::from_millis(100);
/// How long opening the project waits after the list was requested, so that the answer is sent first.
const ANSWER_DELAY: Duration = Duration::from_millis(10);

/// A project in the list of open projects.
pub(crate) struct Project {
    pub(crate) key: ProjectKey,
    pub(crate) root: PathBuf,
    pub(crate) sample: bool,
    programs: Programs,
    ring: EventRing,
    state: Mutex<State>,
    read_ahead: Mutex<Option<Ahead>>,
    root_watch: OnceLock<Option<FileWatch>>,
}

/// The open project, or its engine's lock. This is guarded by a mutex, which stays locked while the project
/// is being opened.
#[derive(Default)]
struct State {
    opened: Option<Opened>,
    /// The engine's lock, if it was taken before the project was opened.
    claim: Option<EngineClaim>,
}

/// The list of beads that was read at the program's start. It is kept until the first attempt to open
/// the project.
#[derive(Clone)]
struct Ahead {
    beads: ReadAhead,
    /// Notified when a client has requested the list, before the answer is sent.
    listed: SyncSender<()>,
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
        let (state, read_ahead, root_watch) = Default::default();
        Project { key, root, sample, programs, ring, state, read_ahead, root_watch }
    }

    /// Starts to publish an event when the project's folder disappears or is created again.
    pub(crate) fn watch_root(&self) {
        self.root_watch.get_or_init(|| root_watch::start(&self.root, self.ring.clone()));
    }

    /// The project's data for clients, without its window layout.
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

    /// Calls a command of the project's contract on behalf of a person; `None` means the user.
    pub(crate) fn answer<A: Answer>(
        &self,
        person: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<A, ApiError> {
        let _in = tracing::info_span!("project", project = %self.root.display()).entered();
        if method == "project.init" {
            let params = api::parse(method, params)?;
            return A::of(bc_engine::init(&self.root, params)?);
        }
        if method == "project.setup" {
            return A::of(bc_engine::project_setup(&self.root)?);
        }
        if method == LIST
            && let Some(answer) = self.listed_ahead(&params)
        {
            return answer;
        }
        self.connection()?.answer(person, method, params)
    }

    /// Reads the list of beads immediately. After the first list request or a short wait, calls `then` and
    /// opens the project; opening it earlier would delay the answer to that request.
    pub(crate) fn open_ahead(
        self: &Arc<Self>,
        found: &bc_engine::Project,
        then: impl FnOnce() + Send + 'static,
    ) {
        let (listed, awaits) = sync_channel(1);
        // A weak reference, so that closing the project ends the wait for the first request.
        let project = Arc::downgrade(self);
        let opening = move |has_list: bool| {
            let run = |step: &dyn Fn(&Project)| project.upgrade().iter().for_each(|project| step(project));
            run(&Project::claim);
            if has_list && awaits.recv_timeout(LIST_TIMEOUT).is_ok() {
                let _ = awaits.recv_timeout(ANSWER_DELAY);
            }
            then();
            // An error is ignored, because the next command reports it.
            run(&|project| drop(project.connection()));
            run(&Project::watch_root);
        };
        // Locked until the list is set, because the thread that opens the project removes the list.
        let mut ahead = self.read_ahead();
        *ahead = Some(Ahead { beads: ReadAhead::start(found, opening), listed });
    }

    /// Takes the engine's lock, so that no other process becomes the engine before this process opens the
    /// project.
    fn claim(&self) {
        let mut state = self.state();
        if state.opened.is_none()
            && let Ok(project) = bc_engine::Project::find(&self.root)
        {
            state.claim = EngineClaim::take(&project);
        }
    }

    /// Answers a list request from the list that was read at the program's start. `None` if that list cannot
    /// answer it, for example because the project is open.
    fn listed_ahead<A: Answer>(&self, params: &Value) -> Option<Result<A, ApiError>> {
        let ahead = self.read_ahead().clone().filter(|_| self.root.is_dir())?;
        let answer = match api::parse(LIST, params.clone()) {
            Ok(params) => ahead.beads.list(params)?,
            Err(error) => Err(error),
        };
        // An error is ignored: a pending notification is enough.
        let _ = ahead.listed.try_send(());
        Some(answer)
    }

    /// The socket of the session's host, which provides the terminal.
    pub(crate) fn host_socket(&self, session: SessionId) -> Result<PathBuf, ApiError> {
        self.connection()?.host_socket(session)
    }

    fn connection(&self) -> Result<Arc<Connection>, ApiError> {
        if !self.root.is_dir() {
            let text = format!("{} no longer exists", self.root.display());
            return Err(ApiError::new(ErrorCode::ProjectNotFound, text)
                .hint("restore the folder, or remove the project from the list"));
        }
        let mut state = self.state();
        match state.opened.take() {
            Some(known) if known.connection.is_current() => {
                *self.read_ahead() = None;
                return Ok(Arc::clone(&state.opened.insert(known).connection));
            }
            // The project is not open, or its folder was created again and the old connection is invalid.
            known => drop(known),
        }
        let ahead = self.read_ahead().clone().map(|ahead| ahead.beads);
        let opened = self.open(ahead.as_ref(), state.claim.take());
        // From now on, the engine answers list requests, or reports its error.
        *self.read_ahead() = None;
        let opened = opened.inspect_err(|error| {
            tracing::warn!(project = %self.root.display(), code = error.code.as_str(), "project could not be opened");
        })?;
        tracing::info!(project = %self.root.display(), "project opened");
        let connection = Arc::clone(&opened.connection);
        state.opened = Some(opened);
        Ok(connection)
    }

    fn open(&self, ahead: Option<&ReadAhead>, claim: Option<EngineClaim>) -> Result<Opened, ApiError> {
        let project = bc_engine::Project::find(&self.root)?;
        // The watch and the connection start in parallel, because the user is waiting. The watch reports all
        // changes since its start.
        let (watching, connection) = thread::scope(|side| {
            let watching = side.spawn(|| Watching::begin(&project));
            let programs = self.programs.clone();
            let connection = bc_engine::connect_to_list(project.clone(), programs, ahead.cloned(), claim);
            (watching.join(), connection)
        });
        let connection = Arc::new(connection?);
        let watching = watching.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        // Clients may have an outdated list: the one that was read at the program's start, or one from before
        // a failed attempt.
        if ahead.is_none_or(ReadAhead::is_outdated) {
            watching.missed_beads();
        }
        let _watch =
            Watch::start(watching, &self.root, self.key.clone(), &connection, self.ring.clone(), Fleet::Runs);
        connection.keep_engine(_watch.recheck());
        Ok(Opened { connection, _watch })
    }

    fn read_ahead(&self) -> MutexGuard<'_, Option<Ahead>> {
        self.read_ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
