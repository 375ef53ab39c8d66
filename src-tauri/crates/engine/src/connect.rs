//! Becoming a project's engine, or its client.

use crate::{
    ahead::ReadAhead,
    client::{Answered, Client, Lost},
    engine::Engine,
    locks::{Claim, EngineLock, Taken},
    programs::Programs,
    project::Project,
    server::Server,
};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode, answer::Answer, api};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How long a command waits for a project whose engine is just starting or ending.
const PATIENCE: Duration = Duration::from_secs(20);

/// A project opened: in this process, or through the engine that has it.
pub struct Connection {
    project: Project,
    programs: Programs,
    route: std::sync::Mutex<Route>,
    /// Whether this process merges what waits, whenever it is the engine.
    merges: AtomicBool,
}

#[derive(Clone)]
enum Route {
    Own { engine: Arc<Engine>, server: Option<Arc<Server>> },
    Other(Arc<Pool>),
}

/// Idle connections to another process' engine: calls of several threads go side by side.
struct Pool {
    socket: PathBuf,
    idle: std::sync::Mutex<Vec<Client>>,
}

impl Pool {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn call(&self, method: &str, params: &serde_json::Value) -> Result<Answered, Lost> {
        let idle = self.idle().pop();
        let mut client = match idle {
            Some(client) => client,
            None => Client::connect(&self.socket).map_err(|_| Lost::BeforeAck)?,
        };
        let answer = client.call(method, params)?;
        self.idle().push(client);
        Ok(answer)
    }
}

/// Opens the project that `start` is in.
pub fn connect(start: &Path, programs: Programs) -> Result<Connection, ApiError> {
    open(Project::find(start)?, programs, None, None)
}

/// The same for somebody who will ask for the list of beads first: they are read while all else is opened, or were
/// read before.
pub fn connect_to_list(
    project: Project,
    programs: Programs,
    ahead: Option<ReadAhead>,
    claim: Option<Claim>,
) -> Result<Connection, ApiError> {
    let ahead = ahead.unwrap_or_else(|| ReadAhead::start(&project, drop));
    open(project, programs, Some(ahead), claim)
}

fn open(
    project: Project,
    programs: Programs,
    ahead: Option<ReadAhead>,
    claim: Option<Claim>,
) -> Result<Connection, ApiError> {
    let route = open_route(&project, &programs, ahead, claim)?;
    Ok(Connection { project, programs, route: std::sync::Mutex::new(route), merges: AtomicBool::new(false) })
}

/// Tells the hosts of the live sessions of the project in this folder what the person's settings say
/// now. Whose engine the project has does not matter.
pub fn settings_changed(root: &Path) {
    if let Ok(project) = Project::find(root) {
        crate::session::tell_settings(&project);
    }
}

fn open_route(
    project: &Project,
    programs: &Programs,
    ahead: Option<ReadAhead>,
    claim: Option<Claim>,
) -> Result<Route, ApiError> {
    let deadline = Instant::now() + PATIENCE;
    let mut claimed = claim.and_then(Claim::lock);
    loop {
        match claimed.take().map_or_else(|| EngineLock::take(project), |lock| Ok(Taken::Ours(lock)))? {
            Taken::Ours(lock) => match own(project, programs, lock, ahead) {
                // The lock's file was there already, and nothing else can be written.
                Err(error) if matches!(error.code, ErrorCode::ReadOnly | ErrorCode::DiskFull) => {
                    return reader(project, programs, error);
                }
                route => return route,
            },
            Taken::Unwritable(why) => return reader(project, programs, why),
            Taken::Theirs(Some(socket)) => {
                if let Ok(client) = Client::connect(&socket) {
                    return Ok(Route::Other(Arc::new(Pool { socket, idle: vec![client].into() })));
                }
            }
            Taken::Theirs(None) => {}
        }
        if Instant::now() > deadline {
            return Err(ApiError::new(
                ErrorCode::EngineUnreachable,
                format!("another program holds {} and does not answer", project.root.display()),
            )
            .hint("wait for it, or end it; `fuser .beads/sessions/engine.lock` names it"));
        }
        // There is no event for "the other one's socket is up": it is a matter of milliseconds.
        thread::sleep(Duration::from_millis(25));
    }
}

fn own(
    project: &Project,
    programs: &Programs,
    lock: EngineLock,
    ahead: Option<ReadAhead>,
) -> Result<Route, ApiError> {
    let engine = Arc::new(Engine::own(project.clone(), programs.clone(), lock.store().clone(), ahead));
    engine.settle()?;
    let server = Server::start(Arc::clone(&engine), lock)?;
    Ok(Route::Own { engine, server: Some(Arc::new(server)) })
}

fn reader(project: &Project, programs: &Programs, why: ApiError) -> Result<Route, ApiError> {
    let engine = Arc::new(Engine::reader(project.clone(), programs.clone(), why));
    Ok(Route::Own { engine, server: None })
}

fn merge_there(route: &Route) {
    if let Route::Own { engine, server: Some(server), .. } = route {
        server.keep_merging(engine);
    }
}

impl Connection {
    /// Calls a method, in this process or elsewhere. A request that its engine never acknowledged is
    /// asked again, of whoever is the engine then.
    pub fn call(&self, method: &str, params: serde_json::Value) -> Result<serde_json::Value, ApiError> {
        self.answer(method, params)
    }

    /// The same in the form that is asked for.
    pub fn answer<A: Answer>(&self, method: &str, params: serde_json::Value) -> Result<A, ApiError> {
        loop {
            let route = self.route().clone();
            let pool = match &route {
                Route::Own { engine, .. } => return api::dispatch(engine.as_ref(), method, params),
                Route::Other(pool) => pool,
            };
            match pool.call(method, &params) {
                Ok(answer) => return answer.map(A::of_value),
                Err(Lost::BeforeAck) => self.reroute(pool)?,
                Err(Lost::AfterAck) => {
                    return Err(ApiError::new(
                        ErrorCode::EngineUnreachable,
                        format!("the program that was doing {method} ended before it answered"),
                    )
                    .hint("see with `beads-console session list` what became of it"));
                }
            }
        }
    }

    /// Finds out who the engine is now, unless another thread has done so since `lost` was in use.
    fn reroute(&self, lost: &Arc<Pool>) -> Result<(), ApiError> {
        let mut route = self.route();
        if let Route::Other(pool) = &*route
            && Arc::ptr_eq(pool, lost)
        {
            // Its other connections are as dead as this one.
            pool.idle().clear();
            *route = open_route(&self.project, &self.programs, None, None)?;
            if self.merges.load(Ordering::Acquire) {
                merge_there(&route);
            }
        }
        Ok(())
    }

    fn route(&self) -> std::sync::MutexGuard<'_, Route> {
        self.route.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether the project's path still leads to what was opened: a folder that was deleted and brought
    /// back is to be opened again.
    pub fn is_current(&self) -> bool {
        match &*self.route() {
            Route::Own { server: Some(server), .. } => server.is_current(),
            // Nothing is held there.
            Route::Own { server: None, .. } | Route::Other(_) => true,
        }
    }

    /// The contract over this connection.
    pub fn api(&self) -> impl api::Api + '_ {
        api::Remote(move |method: &str, params| self.call(method, params))
    }

    /// The project's `.beads`.
    pub fn beads_dir(&self) -> &Path {
        &self.project.beads_dir
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Looks for sessions whose host died, where this process is the engine; another engine looks itself.
    pub fn recover(&self) {
        if let Route::Own { engine, server: Some(_), .. } = self.route().clone() {
            engine.recover();
        }
    }

    /// Keeps the claims of live sessions from going stale, where this process is the engine.
    pub fn renew_claims(&self) {
        if let Route::Own { engine, server: Some(_), .. } = self.route().clone() {
            engine.renew_claims();
        }
    }

    /// Merges what waits in the project's queue, as long as this process is the engine.
    pub fn keep_merging(&self) {
        self.merges.store(true, Ordering::Release);
        merge_there(&self.route());
    }

    /// Where the fleet's state is; nothing need be there.
    pub fn fleet_dir(&self) -> PathBuf {
        crate::fleet::dir(&self.project)
    }

    /// Whether anything ever was of a fleet here.
    pub fn has_fleet(&self) -> bool {
        self.fleet_dir().is_dir()
    }

    /// The file with the project's own settings, where there is a place for it.
    pub fn settings_file(&self) -> Option<PathBuf> {
        crate::project_settings::file_of(&self.project)
    }

    /// Looks after the fleet, where this process is the engine; another engine looks itself. How long until it is
    /// to be looked after again though nothing changes.
    pub fn tend_fleet(&self) -> Option<Duration> {
        let Route::Own { engine, server: Some(_), .. } = self.route().clone() else { return None };
        engine.queue_bell.ring(&engine);
        // What cannot be done now is tried again with the next change.
        let due = crate::fleet::tend(&engine).ok().flatten()?;
        Some((due - crate::engine::now()).to_std().unwrap_or_default())
    }

    /// Lets live sessions know whose bead is in review now, where this process is the engine.
    pub fn look_at_reviews(&self) {
        if let Route::Own { engine, server: Some(_), .. } = self.route().clone() {
            crate::recovery::reviewed(&engine);
        }
    }

    /// The socket of a live session's host, for attaching a terminal to it.
    pub fn host_socket(&self, id: SessionId) -> Result<PathBuf, ApiError> {
        crate::session::host_socket(&self.project, id)
    }
}
