//! Opens a project, either as its engine or as a client of the engine in another process.

use crate::{
    connection::{
        client::{Answered, Client, Lost},
        engine_lock::{EngineClaim, EngineLock, Taken},
        server::Server,
    },
    context::{Programs, Project, ReadAhead, lock},
    engine::Engine,
};
use bc_core::ids::SessionId;
use bc_process::socket::Stream;
use bc_wire::{ApiError, ErrorCode, answer::Answer, api};
use std::{
    net::Shutdown,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How long to wait while the project's engine is starting or exiting.
const OPEN_TIMEOUT: Duration = Duration::from_secs(20);

/// How long to wait for the lock of an engine that has ended. Another process may take it first.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// An open project. The engine is this process or another one.
pub struct Connection {
    project: Project,
    programs: Programs,
    route: Mutex<Route>,
    /// Whether this process merges the queue while it is the engine.
    merges: AtomicBool,
    /// The connection whose end reports the end of the engine in another process.
    watched: Mutex<Option<Stream>>,
}

#[derive(Clone)]
enum Route {
    Own { engine: Arc<Engine>, server: Option<Arc<Server>> },
    Other(Arc<Pool>),
}

/// Idle connections to the engine in another process. Each call takes one or opens another, so that calls
/// from several threads run in parallel.
struct Pool {
    socket: PathBuf,
    idle: Mutex<Vec<Client>>,
}

impl Pool {
    fn call(&self, person: Option<&str>, method: &str, params: &serde_json::Value) -> Result<Answered, Lost> {
        let idle = lock(&self.idle).pop();
        let mut client = match idle {
            Some(client) => client,
            None => Client::connect(&self.socket).map_err(|_| Lost::BeforeAck)?,
        };
        let answer = client.call(person, method, params)?;
        lock(&self.idle).push(client);
        Ok(answer)
    }
}

/// Opens the project that contains `start`, as its engine or as a client of the engine in another process.
pub fn connect(start: &Path, programs: Programs) -> Result<Connection, ApiError> {
    open(Project::find(start)?, programs, None, None)
}

/// Like [`connect`], for a client that requests the list of beads first. The list is read on its own thread, or
/// `ahead` is already reading it. `claim` is the engine's lock if the caller has taken it.
pub fn connect_to_list(
    project: Project,
    programs: Programs,
    ahead: Option<ReadAhead>,
    claim: Option<EngineClaim>,
) -> Result<Connection, ApiError> {
    let ahead = ahead.unwrap_or_else(|| ReadAhead::start(&project, drop));
    open(project, programs, Some(ahead), claim)
}

fn open(
    project: Project,
    programs: Programs,
    ahead: Option<ReadAhead>,
    claim: Option<EngineClaim>,
) -> Result<Connection, ApiError> {
    let route = open_route(&project, &programs, ahead, claim)?;
    Ok(Connection { project, programs, route: route.into(), merges: false.into(), watched: None.into() })
}

/// Sends the current idle time to the hosts of live sessions in the project that contains `root`. This does
/// not need an engine.
pub fn settings_changed(root: &Path) {
    if let Ok(project) = Project::find(root) {
        crate::session::notify_settings(&project);
    }
}

fn open_route(
    project: &Project,
    programs: &Programs,
    ahead: Option<ReadAhead>,
    claim: Option<EngineClaim>,
) -> Result<Route, ApiError> {
    let deadline = Instant::now() + OPEN_TIMEOUT;
    let mut claimed = claim.and_then(EngineClaim::lock);
    loop {
        match claimed.take().map_or_else(|| EngineLock::take(project), |lock| Ok(Taken::Ours(lock)))? {
            Taken::Ours(lock) => match open_owned(project, programs, lock, ahead) {
                // The lock was taken, because its file exists, but nothing can be written.
                Err(error) if matches!(error.code, ErrorCode::ReadOnly | ErrorCode::DiskFull) => {
                    return open_read_only(project, programs, error);
                }
                route => return route,
            },
            Taken::Unwritable(why) => return open_read_only(project, programs, why),
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
                format!("{} is locked by another process that does not answer", project.root.display()),
            )
            .hint("wait for that process, or end it; `fuser .beads/sessions/engine.lock` shows its id"));
        }
        // No event reports that the other engine's socket is ready, so poll.
        thread::sleep(Duration::from_millis(25));
    }
}

fn open_owned(
    project: &Project,
    programs: &Programs,
    lock: EngineLock,
    ahead: Option<ReadAhead>,
) -> Result<Route, ApiError> {
    let engine = Arc::new(Engine::owning(project.clone(), programs.clone(), lock.store().clone(), ahead));
    engine.reconcile()?;
    crate::settings::preferences::remove_leftovers(project.environment().cache);
    let server = Server::start(Arc::clone(&engine), lock)?;
    Ok(Route::Own { engine, server: Some(Arc::new(server)) })
}

fn open_read_only(project: &Project, programs: &Programs, why: ApiError) -> Result<Route, ApiError> {
    let engine = Arc::new(Engine::read_only(project.clone(), programs.clone(), why));
    Ok(Route::Own { engine, server: None })
}

fn start_merger(route: &Route) {
    if let Route::Own { engine, server: Some(server), .. } = route {
        server.keep_merging(&engine.ctx);
    }
}

impl Connection {
    /// Calls a method of the engine, in this or another process. If an engine exits before it acknowledges
    /// the request, the request is sent again to the next engine.
    pub fn call(&self, method: &str, params: serde_json::Value) -> Result<serde_json::Value, ApiError> {
        self.answer(None, method, params)
    }

    /// Like [`Connection::call`], with a typed answer, for a person with access; `None` means the user.
    pub fn answer<A: Answer>(
        &self,
        person: Option<&str>,
        method: &str,
        params: serde_json::Value,
    ) -> Result<A, ApiError> {
        loop {
            let route = self.route().clone();
            let pool = match &route {
                Route::Own { engine, .. } => match person {
                    Some(person) => return api::dispatch(&engine.acting_for(person), method, params),
                    None => return api::dispatch(engine.as_ref(), method, params),
                },
                Route::Other(pool) => pool,
            };
            match pool.call(person, method, &params) {
                Ok(answer) => return answer.map(A::of_value),
                Err(Lost::BeforeAck) => self.reroute(pool)?,
                Err(Lost::AfterAck) => {
                    return Err(ApiError::new(
                        ErrorCode::EngineUnreachable,
                        format!("the engine ended before it answered {method}"),
                    )
                    .hint("check the result with `beads-console session list`"));
                }
            }
        }
    }

    /// Finds or becomes the current engine, unless another thread has already replaced `lost`.
    fn reroute(&self, lost: &Arc<Pool>) -> Result<(), ApiError> {
        let mut route = self.route();
        if let Route::Other(pool) = &*route
            && Arc::ptr_eq(pool, lost)
        {
            // The other idle connections are dead as well.
            lock(&pool.idle).clear();
            *route = open_route(&self.project, &self.programs, None, None)?;
            if self.merges.load(Ordering::Acquire) {
                start_merger(&route);
            }
        }
        Ok(())
    }

    fn route(&self) -> MutexGuard<'_, Route> {
        lock(&self.route)
    }

    /// Whether the project's path still refers to the opened folder. Otherwise, the folder was deleted or
    /// replaced, and the project must be opened again.
    pub fn is_current(&self) -> bool {
        match &*self.route() {
            Route::Own { server: Some(server), .. } => server.is_current(),
            // This process does not hold the lock, so it has nothing to compare.
            Route::Own { server: None, .. } | Route::Other(_) => true,
        }
    }

    /// The typed methods of the contract over this connection.
    pub fn api(&self) -> impl api::Api + '_ {
        api::Remote(move |method: &str, params| self.call(method, params))
    }

    /// The project's `.beads` folder.
    pub fn beads_dir(&self) -> &Path {
        &self.project.beads_dir
    }

    /// The project's paths.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The engine, if this process holds the engine's lock.
    fn own_engine(&self) -> Option<Arc<Engine>> {
        match self.route().clone() {
            Route::Own { engine, server: Some(_) } => Some(engine),
            Route::Own { server: None, .. } | Route::Other(_) => None,
        }
    }

    /// Pauses sessions whose host died, if this process is the engine.
    pub fn recover(&self) {
        if let Some(engine) = self.own_engine() {
            engine.recover();
        }
    }

    /// Renews the claims of live sessions, if this process is the engine.
    pub fn renew_claims(&self) {
        if let Some(engine) = self.own_engine() {
            engine.renew_claims();
        }
    }

    /// Merges the project's queue from now on, while this process is the engine. If another process is the
    /// engine, this process takes over when that process ends, and calls `on_takeover`. The other process may
    /// be a command, which runs no fleet.
    pub fn keep_engine(self: &Arc<Self>, on_takeover: impl FnOnce() + Send + 'static) {
        self.merges.store(true, Ordering::Release);
        let route = self.route().clone();
        start_merger(&route);
        if let Route::Other(_) = route {
            let connection = Arc::downgrade(self);
            // Without the thread, this process takes over at its next request.
            let _ = thread::Builder::new()
                .name("takeover".into())
                .spawn(move || take_over(&connection, on_takeover));
        }
    }

    /// Waits until the engine in another process ends. Returns at once if the engine cannot be reached.
    fn watch_engine(connection: Arc<Connection>, pool: &Pool) {
        let Ok(client) = Client::connect(&pool.socket) else { return };
        *lock(&connection.watched) = client.stream().ok();
        drop(connection);
        client.wait_until_closed();
    }

    /// Becomes the engine if the lock is free in time. Otherwise, finds the next engine.
    fn replace_engine(&self, lost: &Arc<Pool>) -> Result<(), ApiError> {
        let Some(lock) = EngineLock::wait(&self.project, LOCK_TIMEOUT)? else { return self.reroute(lost) };
        // The route is not locked yet, because another thread may hold it while it connects to this new engine.
        let own = open_owned(&self.project, &self.programs, lock, None)?;
        let mut route = self.route();
        *route = own;
        start_merger(&route);
        Ok(())
    }

    /// The fleet's state folder, which may not exist.
    pub fn fleet_dir(&self) -> PathBuf {
        crate::fleet_state::dir(&self.project)
    }

    /// Whether the fleet's state folder exists.
    pub fn has_fleet(&self) -> bool {
        self.fleet_dir().is_dir()
    }

    /// The path of the user's settings file for this project; `None` if the user has no settings folder.
    pub fn settings_file(&self) -> Option<PathBuf> {
        crate::settings::file_of(&self.project)
    }

    /// Reconciles the fleet, if this process is the engine. Returns how long until the next reconciliation is
    /// due even without a change; `None` if only a change can require it, or if this process is not the
    /// engine.
    pub fn reconcile_fleet(&self) -> Option<Duration> {
        self.own_engine()?.reconcile_fleet()
    }

    /// Notifies the hosts of live sessions whose bead is in review, if this process is the engine.
    pub fn notify_reviews(&self) {
        if let Some(engine) = self.own_engine() {
            engine.notify_reviews();
        }
    }

    /// The socket of an active session's host, to attach a terminal.
    pub fn host_socket(&self, id: SessionId) -> Result<PathBuf, ApiError> {
        crate::hosts::active_host_socket(&self.project, id)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Ends the thread that waits for the end of the other engine.
        if let Some(stream) = lock(&self.watched).take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Waits until this process is the engine, and then calls `on_takeover`. Returns without the call if the
/// connection is dropped or this process cannot become the engine.
fn take_over(connection: &Weak<Connection>, on_takeover: impl FnOnce()) {
    while let Some(client) = connection.upgrade() {
        let Route::Other(pool) = client.route().clone() else { return on_takeover() };
        Connection::watch_engine(client, &pool);
        let Some(client) = connection.upgrade() else { return };
        if let Err(error) = client.replace_engine(&pool) {
            // The next request tries again.
            return tracing::warn!(%error, "this process could not become the engine");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_client_becomes_the_engine_when_the_engine_in_another_process_has_ended() {
        let fixture = Fixture::new();
        let open = || Arc::new(connect(&fixture.ctx.project.root, fixture.ctx.programs.clone()).unwrap());
        let (first, second, third) = (open(), open(), open());
        assert!(first.own_engine().is_some() && second.own_engine().is_none());
        let (to, taken) = sync_channel(2);
        let to_third = to.clone();
        second.keep_engine(move || to.send("second").unwrap());
        third.keep_engine(move || to_third.send("third").unwrap());
        drop(first);
        let next = taken.recv_timeout(Duration::from_secs(30)).unwrap();
        let (engine, client) = if next == "second" { (second, third) } else { (third, second) };
        assert!(engine.own_engine().is_some());
        drop(engine);
        assert_ne!(taken.recv_timeout(Duration::from_secs(30)).unwrap(), next);
        assert!(client.own_engine().is_some());
    }

    #[test]
    fn a_dropped_client_does_not_become_the_engine() {
        let fixture = Fixture::new();
        let open = || Arc::new(connect(&fixture.ctx.project.root, fixture.ctx.programs.clone()).unwrap());
        let (first, second) = (open(), open());
        let (to, taken) = sync_channel::<()>(1);
        second.keep_engine(move || to.send(()).unwrap());
        drop(second);
        drop(first);
        // The thread ends without a takeover, and drops its sender.
        assert_eq!(taken.recv(), Err(std::sync::mpsc::RecvError));
    }
}
