//! One open project: its engine (here or elsewhere), opened when it is first needed, and whoever watches
//! it for changes.

use crate::{
    above::Above,
    watch::{Watch, Watching},
};
use bc_bridge::EventRing;
use bc_core::ids::SessionId;
use bc_engine::{Claim, Connection, Programs, ReadAhead};
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

/// The command that a page begins with.
const LIST: &str = "bead.list";
/// How long a project that is opened ahead waits for it. Nobody waits for the project meanwhile: any other command
/// opens it at once.
const AWAITED: Duration = Duration::from_millis(100);
/// How long the answer is on its way, or the next one asked for.
const ON_ITS_WAY: Duration = Duration::from_millis(10);

/// A project on the list.
pub(crate) struct Project {
    pub(crate) key: ProjectKey,
    pub(crate) root: PathBuf,
    pub(crate) sample: bool,
    programs: Programs,
    ring: EventRing,
    state: Mutex<State>,
    ahead: Mutex<Option<Ahead>>,
    above: OnceLock<Option<Above>>,
}

/// Held by whoever opens it.
#[derive(Default)]
struct State {
    opened: Option<Opened>,
    /// For opening it.
    claim: Option<Claim>,
}

/// Of a project that is opened ahead, until it is open.
#[derive(Clone)]
struct Ahead {
    beads: ReadAhead,
    /// Told when they were listed.
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
        let (state, ahead, above) = Default::default();
        Project { key, root, sample, programs, ring, state, ahead, above }
    }

    /// Tells from now on when the folder goes and comes back.
    pub(crate) fn watch_from_above(&self) {
        self.above.get_or_init(|| Above::watch(&self.root, self.ring.clone()));
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
        if method == LIST
            && let Some(answer) = self.listed_ahead(&params)
        {
            return answer;
        }
        self.connection()?.answer(method, params)
    }

    /// Gets ready for the list of beads, and opens the project once it was asked for, or was not within a moment: what
    /// else there is to be begun would only hold up the answer. Then `then` is done.
    pub(crate) fn open_ahead(
        self: &Arc<Self>,
        found: &bc_engine::Project,
        then: impl FnOnce() + Send + 'static,
    ) {
        let (listed, awaits) = sync_channel(1);
        // Whoever closes the project meanwhile, or opens it, ends the waiting.
        let project = Arc::downgrade(self);
        let begin = move |is_there: bool| {
            let of = |step: &dyn Fn(&Project)| project.upgrade().iter().for_each(|project| step(project));
            of(&Project::claim);
            if is_there && awaits.recv_timeout(AWAITED).is_ok() {
                let _ = awaits.recv_timeout(ON_ITS_WAY);
            }
            then();
            // What stands against it is told to whoever asks.
            of(&|project| drop(project.connection()));
            of(&Project::watch_from_above);
        };
        // Held until it is there: the thread takes it away.
        let mut ahead = self.ahead();
        *ahead = Some(Ahead { beads: ReadAhead::start(found, begin), listed });
    }

    /// Nobody else becomes the project's engine before it is opened here.
    fn claim(&self) {
        let mut state = self.state();
        if state.opened.is_none()
            && let Ok(project) = bc_engine::Project::find(&self.root)
        {
            state.claim = Claim::take(&project);
        }
    }

    /// The list of beads while the project is being opened.
    fn listed_ahead<A: Answer>(&self, params: &Value) -> Option<Result<A, ApiError>> {
        let ahead = self.ahead().clone().filter(|_| self.root.is_dir())?;
        let answer = match api::parse(LIST, params.clone()) {
            Ok(params) => ahead.beads.list(params)?,
            Err(error) => Err(error),
        };
        // One that waits already has been told.
        let _ = ahead.listed.try_send(());
        Some(answer)
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
        let mut state = self.state();
        match state.opened.take() {
            Some(known) if known.connection.is_current() => {
                *self.ahead() = None;
                return Ok(Arc::clone(&state.opened.insert(known).connection));
            }
            // The folder was deleted and brought back: what is held is nobody's any more.
            known => drop(known),
        }
        let ahead = self.ahead().clone().map(|ahead| ahead.beads);
        let begun = self.begin(ahead.as_ref(), state.claim.take());
        // From here on the engine lists, or says why it does not.
        *self.ahead() = None;
        let begun = begun?;
        let connection = Arc::clone(&begun.connection);
        state.opened = Some(begun);
        Ok(connection)
    }

    fn begin(&self, ahead: Option<&ReadAhead>, claim: Option<Claim>) -> Result<Opened, ApiError> {
        let project = bc_engine::Project::find(&self.root)?;
        // Side by side, for a person waits; what changes from here on is told.
        let (watching, connection) = thread::scope(|side| {
            let watching = side.spawn(|| Watching::begin(&project));
            let programs = self.programs.clone();
            let connection = bc_engine::connect_to_list(project.clone(), programs, ahead.cloned(), claim);
            (watching.join(), connection)
        });
        let connection = Arc::new(connection?);
        let watching = watching.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        // Without it nobody knows whether an older list was given before an opening that failed.
        if ahead.is_none_or(ReadAhead::is_outdated) {
            watching.missed_beads();
        }
        let _watch = Watch::start(watching, &self.root, self.key.clone(), &connection, self.ring.clone());
        connection.keep_merging();
        Ok(Opened { connection, _watch })
    }

    fn ahead(&self) -> MutexGuard<'_, Option<Ahead>> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
