//! The link of a session at another place. It holds the session's lock on this machine, listens where clients
//! expect the host, and copies the record to this machine. If the connection is lost, the session continues
//! at the place, and the link reconnects at growing intervals.

mod agent_commands;
mod branch_sync;
mod clients;
mod command_journal;
mod connection;
mod git_command;
mod record_copy;
mod shared;

use crate::{
    describe::describe,
    home_request::{HomeAnswer, HomeRequest},
    log_lines::next_lines,
    protocol::{FromPlace, ToPlace},
    record_kind::Log,
    remove_worktree::remove_worktree,
    spec::{LinkSpec, NewRun},
    unfetched::{has_unfetched_work, mark_unfetched},
    verbs::LINK_VERB,
};
use bc_core::session::Status;
use bc_host::{FailedPart, HelperRequest, LOCK_VARIABLE, LaunchError, Launched, StartReport};
use bc_process::{
    child_reaper,
    descendants::Identity,
    detach,
    signals::{self, HandledSignal},
    socket,
};
use bc_store::{SessionLock, SessionStore, session::HostInfo};
use branch_sync::BranchSync;
use chrono::TimeDelta;
use command_journal::CommandJournal;
use connection::{Connection, ConnectionLost};
use record_copy::RecordCopy;
use shared::Shared;
use std::{
    fs::File,
    io,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

pub use branch_sync::fetch_work;
pub(crate) use connection::control_socket;
pub use git_command::run_git_command;

/// The time limit for a start, which first pushes the branch of a possibly large repository.
const STARTED_WITHIN: Duration = Duration::from_secs(30 * 60);

/// A connection without messages for this long counts as lost. The place sends a message at least every five
/// seconds.
const SILENT_MAX: Duration = Duration::from_secs(25);

/// The time limit for a helper request. The host at the place has its own, shorter limits.
const HELPED_WITHIN: Duration = Duration::from_secs(100);

/// An agent's command that arrives this long after the agent ran it counts as queued at the place.
const WAITED: TimeDelta = TimeDelta::seconds(5);

/// How often commits and uncommitted work are fetched while the place sends messages other than `Alive`.
const WORK_EVERY: Duration = Duration::from_secs(60);

/// The time limit for the removal of a closed session's worktree.
const CLEANED_WITHIN: Duration = Duration::from_secs(5 * 60);

/// The delay before the next attempt to reconnect: the first value after a lost connection, doubled after each failed
/// attempt up to the last value.
const RETRY_FIRST: Duration = Duration::from_millis(500);
const RETRY_LAST: Duration = Duration::from_secs(30);

/// The reason that a link could not start.
#[derive(Debug, thiserror::Error)]
enum BeginError {
    #[error("cannot decode the link's specification: {0}")]
    Spec(#[from] serde_json::Error),
    #[error("the link has another version than Beads Console; restart Beads Console")]
    OtherVersion,
    #[error("the session's lock was not passed on; another process may hold it")]
    NoLock,
    #[error("{0}")]
    Store(#[from] bc_store::StoreError),
    #[error("{0}")]
    Socket(#[from] bc_process::socket::SocketError),
    #[error("cannot set up the link: {0}")]
    System(#[from] io::Error),
    #[error("{0}")]
    Lost(#[from] ConnectionLost),
    #[error("the container or pod of {place} could not be created: {reason}")]
    Container { place: String, reason: String },
    #[error("the branch could not be sent to {place}: {source}")]
    Push { place: String, source: bc_git::GitError },
    #[error("{place}: {reason}")]
    Refused { place: String, reason: String, part: FailedPart },
}

/// Starts a link as a detached process that takes over the session's lock. Returns when the session's host is
/// running, or when the connection was lost after the start was requested: the host may then be running. If
/// there is no run to start, returns when the link is listening.
///
/// # Errors
/// The same errors as [`bc_host::launch`]. On an error, the lock is released.
pub fn launch_link(exe: &Path, spec: &LinkSpec, lock: SessionLock) -> Result<Launched, LaunchError> {
    let stdin =
        serde_json::to_vec(spec).expect("a spec has string keys; its paths are checked by the engine");
    let detached = bc_host::DetachedHost {
        verb: LINK_VERB,
        session: spec.session,
        project_root: &spec.project_root,
        socket: &spec.socket,
        stdin,
        ready_within: STARTED_WITHIN,
    };
    bc_host::launch_detached(exe, detached, lock)
}

/// The main function of the hidden link command. Returns when the session has ended, when the link is
/// stopped, or when the link cannot start.
pub fn run_link() -> ExitCode {
    match begin() {
        Ok(mut link) => {
            tracing::info!(place = %link.spec.place.name, "link started");
            link.run();
            tracing::info!("link ends");
            if link.ended
                && let Ok(console) = std::env::current_exe()
            {
                bc_host::start_exit_backup(console, link.spec.project_root.clone());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(%error, "link could not start");
            let part = match error {
                BeginError::Refused { part, .. } => part,
                BeginError::Lost(_) => FailedPart::Connection,
                _ => FailedPart::Host,
            };
            bc_host::report_start(&StartReport::Failed { reason: error.to_string(), part });
            ExitCode::FAILURE
        }
    }
}

struct Link {
    spec: Arc<LinkSpec>,
    lock: Arc<SessionLock>,
    copy: RecordCopy,
    branches: BranchSync,
    shared: Arc<Shared>,
    journal: Arc<CommandJournal>,
    /// The connection that was opened during the start.
    connection: Option<Connection>,
    ended: bool,
}

fn begin() -> Result<Link, BeginError> {
    let mut spec: LinkSpec = serde_json::from_slice(&detach::read_stdin()?)?;
    if spec.version != LinkSpec::VERSION {
        return Err(BeginError::OtherVersion);
    }
    bc_log::set_session(&spec.session.to_string());
    bc_log::set_project(&spec.project_root);
    let file = detach::take_inherited(LOCK_VARIABLE)?.ok_or(BeginError::NoLock)?;
    let dir = SessionStore::at(&spec.beads_dir).session(spec.session);
    let lock = Arc::new(dir.inherited_lock(file)?.ok_or(BeginError::NoLock)?);
    child_reaper::become_subreaper()?;
    let bound = socket::bind(&spec.socket)?;
    let run = spec.start.take();
    let spec = Arc::new(spec);
    let copy = RecordCopy::open(Arc::clone(&lock))?;
    let journal = Arc::new(CommandJournal::open(&lock).map_err(bc_store::StoreError::from)?);
    let branches = BranchSync::start(Arc::clone(&spec))?;
    let connection = match run {
        Some(run) => start(&spec, &lock, &branches, run)?,
        None => None,
    };
    let shared = Shared::new(Arc::clone(&spec));
    let me = Identity::current();
    let mut info = HostInfo::new(me.pid, me.start, spec.socket.clone());
    info.extra.insert("place".to_owned(), spec.place.name.clone().into());
    lock.save_host(&info)?;
    clients::serve(bound, Arc::clone(&shared))?;
    // The session continues without the link, and the next engine starts another link.
    let ending = Arc::clone(&shared);
    signals::watch(&[HandledSignal::Terminate, HandledSignal::Interrupt], move |_| {
        ending.stop();
        true
    })?;
    signals::watch(&[HandledSignal::HangUp], |_| true)?;
    bc_host::report_start(&StartReport::Ready { agent: me });
    Ok(Link { spec, lock, copy, branches, shared, journal, connection, ended: false })
}

/// Starts the session's host at the place. Returns `None` if the connection was lost: the host may be
/// running, and the next connection determines whether it is. A container or pod that was created for a
/// failed start is removed.
fn start(
    spec: &LinkSpec,
    lock: &SessionLock,
    branches: &BranchSync,
    run: Box<NewRun>,
) -> Result<Option<Connection>, BeginError> {
    let place = || spec.place.name.clone();
    let unusable = |reason: String| BeginError::Container { place: place(), reason };
    let created = spec.place.make_ready(true).map_err(|error| unusable(error.to_string()))?;
    let started = || {
        // An existing container can have an older version of this program.
        if spec.place.is_per_session() {
            describe(&spec.place).map_err(|error| unusable(error.to_string()))?;
        }
        let mut connection = Connection::open(spec)?;
        branches
            .push(run.checkpoint.as_ref(), !connection.has_session)
            .map_err(|source| BeginError::Push { place: place(), source })?;
        if !connection.has_session {
            send_record(&mut connection, lock)?;
        }
        connection.send(&ToPlace::Start { run, now: bc_host::now() })?;
        match connection.next(STARTED_WITHIN) {
            Ok(FromPlace::Failed { reason, part }) => {
                Err(BeginError::Refused { place: place(), reason, part })
            }
            Ok(_) => Ok(Some(connection)),
            Err(lost) => {
                tracing::warn!(%lost, "the connection was lost during the start");
                Ok(None)
            }
        }
    };
    started().inspect_err(|_| {
        if created {
            spec.place.remove();
        }
    })
}

/// Sends the record to a place that lacks it, because the place is new to the session or has lost the record.
fn send_record(connection: &mut Connection, lock: &SessionLock) -> Result<(), BeginError> {
    for log in Log::ALL {
        let mut file = match File::open(log.path(lock)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error.into()),
        };
        let mut sent = 0;
        while let Some(text) = next_lines(&mut file, sent)? {
            sent += text.len() as u64;
            connection.send(&ToPlace::Lines { log, text: text.into() })?;
        }
    }
    Ok(())
}

enum FollowEnd {
    Ended,
    /// The connection was lost after this number of messages.
    Lost(ConnectionLost, u64),
    /// The link was stopped.
    Stopped,
}

impl Link {
    fn run(&mut self) {
        let mut retry = RETRY_FIRST;
        while !self.shared.is_stopped() {
            let connection = match self.connection.take() {
                Some(connection) => Ok(connection),
                None => Connection::open(&self.spec),
            };
            let end = match connection {
                Ok(connection) => self.follow(connection),
                Err(lost) => FollowEnd::Lost(lost, 0),
            };
            self.shared.disconnected();
            match end {
                FollowEnd::Ended => {
                    mark_unfetched(&self.lock, !self.branches.sync_and_wait());
                    self.ended = true;
                    break;
                }
                FollowEnd::Stopped => break,
                FollowEnd::Lost(lost, _) if lost.gone => {
                    tracing::warn!(%lost, "the session is interrupted");
                    self.interrupt();
                    break;
                }
                FollowEnd::Lost(lost, messages) => {
                    tracing::warn!(%lost, "the place cannot be reached");
                    self.shared.unreachable(&lost.to_string());
                    if messages > 0 {
                        retry = RETRY_FIRST;
                    }
                    self.shared.wait_before_retry(retry);
                    retry = (retry * 2).min(RETRY_LAST);
                }
            }
        }
        if self.shared.is_given_up() {
            self.interrupt();
        }
        let closed = self.lock.meta().is_ok_and(|meta| meta.status == Status::Closed);
        let is_done = self.ended && closed && !has_unfetched_work(&self.lock);
        if is_done {
            self.spec.place.remove();
        }
        // A failure is ignored, because the next link also replaces the host's record.
        let _ = self.lock.clear_host(std::process::id());
        self.shared.finish();
        let LinkSpec { place, project, session, .. } = &*self.spec;
        if is_done && let Err(why) = remove_worktree(place, project, *session, CLEANED_WITHIN) {
            tracing::info!(%why, "the session's worktree stays at the place");
        }
    }

    fn interrupt(&self) {
        if let Err(error) = self.copy.interrupt_if_active() {
            tracing::warn!(%error, "the session could not be interrupted");
        }
    }

    /// Copies the record and publishes events until the connection or the session ends.
    fn follow(&mut self, mut connection: Connection) -> FollowEnd {
        let mut messages = 0;
        let lost = |lost, messages| FollowEnd::Lost(lost, messages);
        let have = match self.copy.prefixes() {
            Ok(have) => have,
            Err(error) => return lost(ConnectionLost::new(&self.spec.place, &error.to_string()), 0),
        };
        if let Err(error) = connection.send(&ToPlace::Follow { have, now: bc_host::now() }) {
            return lost(error, 0);
        }
        self.shared.connected(connection.sender());
        // Fetch the commits that were made while the link was not connected.
        self.branches.sync();
        let (mut synced, mut is_quiet) = (Instant::now(), true);
        loop {
            if !is_quiet && synced.elapsed() >= WORK_EVERY {
                self.branches.sync();
                (synced, is_quiet) = (Instant::now(), true);
            }
            if self.shared.is_stopped() {
                return FollowEnd::Stopped;
            }
            let message = match connection.next(SILENT_MAX) {
                Ok(message) => message,
                Err(error) => return lost(error, messages),
            };
            messages += 1;
            is_quiet &= matches!(message, FromPlace::Alive);
            match self.handle(message) {
                Ok(false) => {}
                Ok(true) => return FollowEnd::Ended,
                Err(error) => return lost(ConnectionLost::new(&self.spec.place, &error), messages),
            }
        }
    }

    /// Handles a message from the place. Returns whether the session has ended.
    fn handle(&mut self, message: FromPlace) -> Result<bool, String> {
        let text = |error: bc_store::StoreError| error.to_string();
        match message {
            FromPlace::Lines { log, at, text: lines } => self.copy.append(log, at, &lines).map_err(text)?,
            FromPlace::Differs { log } => self.shared.add_trouble(&format!(
                "the record at {} does not continue the one on this machine ({log:?}); that part is not copied",
                self.spec.place.name
            )),
            FromPlace::State { file, text: content } => {
                if self.copy.replace(file, &content).map_err(text)? {
                    self.branches.sync();
                }
            }
            FromPlace::Event(event) => {
                if self.shared.publish(&event) {
                    self.branches.sync();
                }
            }
            FromPlace::Status(status) => self.shared.set_status(*status),
            FromPlace::Ask { number, request } => self.answer(number, request),
            FromPlace::Alive => {
                self.copy.beat();
                self.shared.count_alive();
            }
            FromPlace::Failed { reason, .. } => return Err(reason),
            FromPlace::Ended | FromPlace::NoSession => {
                // An active session without a running host would look like a crash to the engine.
                self.copy.interrupt_if_active().map_err(text)?;
                return Ok(true);
            }
            FromPlace::Hello { .. } | FromPlace::Started => {}
        }
        Ok(false)
    }

    /// Answers a request from the place's host or agent with this machine's beads and settings.
    fn answer(&self, number: u64, request: HomeRequest) {
        let spec = Arc::clone(&self.spec);
        let shared = Arc::clone(&self.shared);
        let journal = Arc::clone(&self.journal);
        let meta = self.lock.meta();
        std::thread::spawn(move || {
            let answer = meta.map_err(|error| error.to_string()).and_then(|meta| match request {
                HomeRequest::Helper(request) => {
                    // The place must not choose the folders on this machine or the actor's name.
                    let request = HelperRequest {
                        session: spec.session,
                        project_root: spec.project_root.clone(),
                        cwd: spec.worktree.clone(),
                        actor: meta.actor,
                        bead: meta.bead_id,
                        ..*request
                    };
                    let console = std::env::current_exe().map_err(|error| error.to_string())?;
                    let report = bc_host::run_helper_request(&console, &request, HELPED_WITHIN)?;
                    Ok(HomeAnswer::Helper(Box::new(report)))
                }
                HomeRequest::Command(request) => {
                    agent_commands::run(&spec, &meta, &request).map(HomeAnswer::Command)
                }
                HomeRequest::Change(change) => {
                    let done =
                        journal.run_once(change.id, || agent_commands::run(&spec, &meta, &change.command));
                    let waited = bc_host::now() - change.at > WAITED;
                    if waited && !done.as_ref().is_ok_and(|output| output.code == Some(0)) {
                        tracing::warn!(id = ?change.id, "a command that waited for this machine failed");
                        let line = change.command.line();
                        shared
                            .add_trouble(&format!("a command of the agent waited, and then failed: {line}"));
                    }
                    done.map(HomeAnswer::Command)
                }
            });
            shared.send(&ToPlace::Answer { number, answer });
        });
    }
}
