//! The host's main function: it sets up the host, reports to the starter, and runs the actor until the
//! session has ended.

use crate::{
    actor::{self, ActorHandle, ActorInput, SessionActor, Terminal},
    background_worker::BackgroundWorker,
    bead_watch::BeadWatch,
    checkpoint_thread::{CheckpointThread, Checkpoints},
    clock::{self, now},
    exit_backup::start_exit_backup,
    hook_threads::{HookRuns, HookThreads},
    output_fanout::OutputFanout,
    pty_input::PtyInput,
    pty_reader,
    recorder::{self, Recorder},
    server,
    spec::{LOCK_VARIABLE, LaunchSpec, SOCKET_VARIABLE, SPEC_VERSION},
};
use bc_claude::argv::SYSTEM_PROMPT_FILE;
use bc_process::{
    child_reaper,
    descendants::{HOST_MARKER, Identity, SESSION_MARKER},
    detach,
    pty::{self, PtyCommand, Started},
    screen::Screen,
    signals::{self, HandledSignal},
    socket,
};
use bc_store::{SessionLock, SessionStore, file, session::HostInfo};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

/// The capacity of the actor's inbox. While it is full, the senders wait, which slows down the program in the
/// terminal.
const INBOX_MAX: usize = 256;

/// The host's report, printed as one line of JSON on its standard output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartReport {
    /// The host is listening and its program has started.
    Ready { agent: Identity },
    /// The host could not start, and exits after this report.
    Failed { reason: String, part: FailedPart },
}

/// The part of a start that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailedPart {
    Host,
    /// The session's place could not be reached.
    Connection,
    /// Claude could not be started.
    Program,
    /// The user's setup command for worktrees failed.
    Setup,
}

/// The reason that a host could not start.
#[derive(Debug, thiserror::Error)]
enum BeginError {
    #[error("cannot decode the host's launch specification: {0}")]
    Spec(#[source] serde_json::Error),
    #[error(
        "the host has version {SPEC_VERSION} but its launch specification has version {0}; restart Beads Console"
    )]
    OtherVersion(u32),
    #[error("the session's lock was not passed on; another host may hold it")]
    NoLock,
    #[error("{0}")]
    Store(#[from] bc_store::StoreError),
    #[error("{0}")]
    Socket(#[from] bc_process::socket::SocketError),
    #[error("{0}")]
    Program(#[source] pty::PtyError),
    #[error("cannot set up the host: {0}")]
    System(#[from] io::Error),
}

/// The main function of the hidden host command. It reads a [`LaunchSpec`] from standard input, and reports
/// to [`crate::launch`] on standard output. Returns when the session has ended, or if the host cannot start.
pub fn run_host() -> ExitCode {
    match begin() {
        Ok((actor, received, exit_backup)) => {
            tracing::info!("session host started");
            actor.run(&received);
            tracing::info!("session host ends");
            if let Some((console, project_root)) = exit_backup {
                start_exit_backup(console, project_root);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(%error, "session host could not start");
            let part = match error {
                BeginError::Program(_) => FailedPart::Program,
                _ => FailedPart::Host,
            };
            report_start(&StartReport::Failed { reason: error.to_string(), part });
            ExitCode::FAILURE
        }
    }
}

/// Reports to the starter and closes standard output.
pub fn report_start(report: &StartReport) {
    let mut line = serde_json::to_vec(report).expect("our own report has string keys and always encodes");
    line.push(b'\n');
    // If the starter has exited, the session continues.
    let _ = detach::report_and_close(&line);
}

/// Our own program and the project's root, for the backup after the session. `None` at a place, where there
/// is nothing to back up: the link starts the backup on the user's machine.
type ExitBackup = Option<(PathBuf, PathBuf)>;

fn begin() -> Result<(Arc<ActorHandle>, Receiver<ActorInput>, ExitBackup), BeginError> {
    let spec: LaunchSpec = serde_json::from_slice(&detach::read_stdin()?).map_err(BeginError::Spec)?;
    if spec.version != SPEC_VERSION {
        return Err(BeginError::OtherVersion(spec.version));
    }
    clock::set_clock_ahead(TimeDelta::milliseconds(spec.clock_ahead_ms));
    bc_log::set_session(&spec.session.to_string());
    bc_log::set_project(&spec.project_root);
    let lock = Arc::new(take_lock(&spec)?);
    let (inbox, received) = sync_channel(INBOX_MAX);
    watch_signals(&inbox)?;
    child_reaper::become_subreaper()?;

    let bound = socket::bind(&spec.socket)?;
    let setup = recorder::RecorderSetup {
        lock: lock.clone(),
        cwd: spec.cwd.clone(),
        conversation: spec.conversation,
        transcript: spec.transcript.clone(),
        base_commit: spec.base_commit.clone(),
        now,
    };
    let (recorder_ready, recorder_actor) = sync_channel(1);
    let recorder = Recorder::start(setup, recorder_actor)?;
    let start_worker = |program: &PathBuf| {
        let inbox = inbox.clone();
        let reply = move |reply| inbox.send(ActorInput::Worker(reply)).is_ok();
        BackgroundWorker::start(program.clone(), spec.cwd.clone(), reply)
    };
    let worker = spec.console.as_ref().map(start_worker).transpose()?;
    let hooks: Option<Box<dyn HookRuns>> = match (spec.hooks.clone(), spec.console.clone()) {
        (Some(hooks), Some(program)) => {
            let inbox = inbox.clone();
            // This fails only if the host is exiting.
            let reply = move |reply| drop(inbox.send(ActorInput::Hooks(reply)));
            Some(Box::new(HookThreads::start(hooks, program, lock.clone(), reply, now)?))
        }
        _ => None,
    };
    // If the thread cannot be started, the session runs without checkpoints.
    let reply = inbox.clone();
    let reply = move |made| reply.send(ActorInput::Checkpoint(made)).is_ok();
    let checkpoints = CheckpointThread::start(spec.session, spec.cwd.clone(), reply)
        .ok()
        .map(|thread| Box::new(thread) as Box<dyn Checkpoints>);
    let bead_watch = spec.bead.as_ref().and_then(|_| {
        let inbox = inbox.clone();
        // If the inbox is full, the report is lost. The next change or the end of a turn then triggers a check.
        let changed = move || drop(inbox.try_send(ActorInput::BeadFilesChanged));
        BeadWatch::start(&spec.bead_paths, changed)
    });
    let me = Identity::current();
    let mut info = HostInfo::new(me.pid, me.start, spec.socket.clone());
    // Listen before the program starts, because its first hook runs within half a second.
    let (actor_ready, actor) = sync_channel(1);
    server::serve(bound, spec.session, actor)?;
    if let Some(text) = &spec.system_prompt {
        file::replace_volatile(&spec.system_prompt_file(), text.as_bytes()).map_err(io::Error::other)?;
    }
    let input = spec.prompt.clone().map(String::into_bytes);
    let started =
        pty::start_with_stdin(&command(&spec), input).map_err(BeginError::Program).inspect_err(|_| {
            drop(std::fs::remove_file(&spec.socket));
            drop(std::fs::remove_file(spec.system_prompt_file()));
        })?;
    let agent = started.pty.leader();
    info.extra
        .insert("agent".to_owned(), serde_json::json!({"pid": agent.pid, "process_start": agent.start}));
    lock.save_host(&info)?;
    let terminal = pump(started, &spec, &inbox)?;
    let exit_backup =
        spec.console.clone().filter(|_| !spec.at_place).map(|console| (console, spec.project_root.clone()));
    let parts = actor::ActorParts {
        spec,
        lock,
        terminal,
        recorder,
        worker,
        hooks,
        checkpoints,
        bead_watch,
        inbox,
        now,
    };
    let actor = Arc::new(ActorHandle::new(SessionActor::new(parts)));
    // This fails only if the accepting thread has exited, and then no client can connect.
    let _ = actor_ready.send(Arc::clone(&actor));
    let weak = Arc::downgrade(&actor);
    let publish = move |event| {
        // Without an actor, the event is not needed.
        let _ = weak.upgrade().is_some_and(|actor| actor.handle_recorder(event));
    };
    let _ = recorder_ready.send(Box::new(publish));
    report_start(&StartReport::Ready { agent });
    Ok((actor, received, exit_backup))
}

fn take_lock(spec: &LaunchSpec) -> Result<SessionLock, BeginError> {
    let file = detach::take_inherited(LOCK_VARIABLE)?.ok_or(BeginError::NoLock)?;
    let dir = SessionStore::at(&spec.beads_dir).session(spec.session);
    dir.inherited_lock(file)?.ok_or(BeginError::NoLock)
}

fn watch_signals(inbox: &SyncSender<ActorInput>) -> io::Result<()> {
    let inbox = inbox.clone();
    let wanted = [
        HandledSignal::Terminate,
        HandledSignal::HangUp,
        HandledSignal::Interrupt,
        HandledSignal::ChildExited,
    ];
    signals::watch(&wanted, move |signal| inbox.send(ActorInput::Signal(signal)).is_ok())
}

/// The program's command, with the environment for its hooks and for the detection of its descendants.
fn command(spec: &LaunchSpec) -> PtyCommand {
    let own = |name: &str, value: Option<String>| (OsString::from(name), value.map(OsString::from));
    let mut env: Vec<(OsString, Option<OsString>)> = Vec::new();
    let terminal = std::env::var("TERM").ok().filter(|term| !term.is_empty() && term != "dumb");
    env.push(own("TERM", Some(terminal.unwrap_or_else(|| "xterm-256color".to_owned()))));
    env.push(own(HOST_MARKER, None));
    env.push(own(LOCK_VARIABLE, None));
    env.extend(spec.env.iter().map(|(name, value)| own(name, value.clone())));
    env.push(own(SESSION_MARKER, Some(spec.session.to_string())));
    env.push(own(SOCKET_VARIABLE, spec.socket.to_str().map(str::to_owned)));
    let mut args: Vec<OsString> = spec.args.iter().map(OsString::from).collect();
    if spec.system_prompt.is_some() {
        args.extend([SYSTEM_PROMPT_FILE.into(), spec.system_prompt_file().into()]);
    }
    PtyCommand { program: spec.program.clone(), args, cwd: spec.cwd.clone(), env, size: spec.size }
}

/// Starts the threads that connect the program and the actor.
fn pump(started: Started, spec: &LaunchSpec, inbox: &SyncSender<ActorInput>) -> io::Result<Terminal> {
    let Started { pty, reader, writer, child } = started;
    let fanout = Arc::new(OutputFanout::default());
    pty_reader::start(reader, Arc::clone(&fanout), inbox.clone())?;
    let ended = inbox.clone();
    thread::Builder::new().name("child".into()).spawn(move || {
        let exit = child.wait();
        // This fails only if the host is exiting.
        let _ = ended.send(ActorInput::ChildEnded(exit));
    })?;
    Ok(Terminal::new(Screen::new(spec.size), pty, PtyInput::start(writer)?, fanout))
}
