//! What the detached process runs: everything is put in place, the starter is told, and the owner
//! takes over until the session is paused or closed.

use crate::{
    bead_watch::BeadWatch,
    clerk::Clerk,
    lifecycle::Lifecycle,
    owner::{self, Input, Office, Owner, Terminal},
    parting::Parting,
    printed::Printed,
    pty_input::PtyInput,
    reading::Reading,
    scribe::{self, Scribe},
    server,
    spec::{LOCK_VARIABLE, LaunchSpec, SOCKET_VARIABLE, SPEC_VERSION},
};
use bc_core::Timestamp;
use bc_process::{
    descendants::{HOST_MARKER, Identity, SESSION_MARKER},
    detach, owned,
    pty::{self, PtyCommand, Started},
    screen::Screen,
    signals::{self, Wanted},
    socket,
};
use bc_store::{SessionLock, SessionStore, session::HostInfo};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    io,
    process::ExitCode,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

/// How much may wait for the owner. A full channel slows the terminal's program down, nothing else.
const INBOX: usize = 256;

/// The host's one line on its standard output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Report {
    /// It listens and its program was started.
    Ready {
        /// The program's process.
        agent: Identity,
    },
    /// It could not begin; nothing is left behind.
    Failed {
        /// Why.
        reason: String,
        /// Whether the program itself could not be started.
        program: bool,
    },
}

/// Why a host could not begin.
#[derive(Debug, thiserror::Error)]
enum BeginError {
    #[error("what the host was told cannot be read: {0}")]
    Spec(#[source] serde_json::Error),
    #[error("the host is version {SPEC_VERSION} and was told things of version {0}; restart Beads Console")]
    OtherVersion(u32),
    #[error("the session's lock was not handed over; another host may have it")]
    NoLock,
    #[error("{0}")]
    Store(#[from] bc_store::StoreError),
    #[error("{0}")]
    Socket(#[from] bc_process::socket::SocketError),
    #[error("{0}")]
    Program(#[source] pty::PtyError),
    #[error("the host could not be set up: {0}")]
    System(#[from] io::Error),
}

/// The main function of the hidden host verb. Its standard input is a [`LaunchSpec`], its standard
/// output is for [`crate::launch`]. Returns when the session is paused or closed.
pub fn run_host() -> ExitCode {
    match begin() {
        Ok((office, received, parting)) => {
            office.run(&received);
            parting.start();
            ExitCode::SUCCESS
        }
        Err(error) => {
            let program = matches!(error, BeginError::Program(_));
            report(&Report::Failed { reason: error.to_string(), program });
            ExitCode::FAILURE
        }
    }
}

fn report(report: &Report) {
    let mut line = serde_json::to_vec(report).expect("our own report has string keys and always encodes");
    line.push(b'\n');
    // A starter that is gone does not stop the session.
    let _ = detach::report_and_close(&line);
}

fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}

fn begin() -> Result<(Arc<Office>, Receiver<Input>, Parting), BeginError> {
    let spec: LaunchSpec = serde_json::from_slice(&detach::read_stdin()?).map_err(BeginError::Spec)?;
    if spec.version != SPEC_VERSION {
        return Err(BeginError::OtherVersion(spec.version));
    }
    let lock = Arc::new(take_lock(&spec)?);
    let (inbox, received) = sync_channel(INBOX);
    watch_signals(&inbox)?;
    owned::become_subreaper()?;

    let bound = socket::bind(&spec.socket)?;
    let begin = scribe::Begin {
        lock: lock.clone(),
        cwd: spec.cwd.clone(),
        conversation: spec.conversation,
        transcript: spec.transcript.clone(),
        base_commit: spec.base_commit.clone(),
        now,
    };
    let (told, scribes_owner) = sync_channel(1);
    let scribe = Scribe::start(begin, scribes_owner)?;
    let clerk = match &spec.console {
        Some(program) => Some(Clerk::start(program.clone(), spec.cwd.clone(), inbox.clone())?),
        None => None,
    };
    let hooks = match (&spec.hooks, &spec.console) {
        (Some(hooks), Some(program)) => {
            let (hooks, program) = (hooks.clone(), program.clone());
            Some(Lifecycle::start(hooks, program, lock.clone(), inbox.clone(), now)?)
        }
        _ => None,
    };
    let bead_watch = match &spec.bead {
        Some(_) => BeadWatch::start(&spec.bead_paths, inbox.clone()),
        None => None,
    };
    let me = Identity::current();
    let mut info = HostInfo::new(me.pid, me.start, spec.socket.clone());
    // Listening before the program starts: its first hook comes within half a second.
    let (seated, owner) = sync_channel(1);
    server::serve(bound, spec.session, owner)?;
    let started = pty::start(&command(&spec)).map_err(BeginError::Program).inspect_err(|_| {
        drop(std::fs::remove_file(&spec.socket));
    })?;
    let agent = started.pty.leader();
    info.extra
        .insert("agent".to_owned(), serde_json::json!({"pid": agent.pid, "process_start": agent.start}));
    lock.save_host(&info)?;
    let (terminal, reading) = pump(started, &spec, &inbox)?;
    let parting = Parting::of(&spec);
    let begin = owner::Begin { spec, lock, terminal, scribe, clerk, hooks, bead_watch, inbox, now };
    let office = Arc::new(Office::new(Owner::new(begin), reading));
    // Only a thread that could not be started would not take it, and then nobody connects.
    let _ = seated.send(Arc::clone(&office));
    let _ = told.send(Arc::downgrade(&office));
    report(&Report::Ready { agent });
    Ok((office, received, parting))
}

fn take_lock(spec: &LaunchSpec) -> Result<SessionLock, BeginError> {
    let file = detach::take_handed(LOCK_VARIABLE)?.ok_or(BeginError::NoLock)?;
    let dir = SessionStore::at(&spec.beads_dir).session(spec.session);
    #[cfg(unix)]
    return dir.inherited_lock(file.into())?.ok_or(BeginError::NoLock);
    // No descriptor can be handed over there, so there never is a lock.
    #[cfg(not(unix))]
    {
        let _ = (dir, file);
        Err(BeginError::NoLock)
    }
}

fn watch_signals(inbox: &SyncSender<Input>) -> io::Result<()> {
    let inbox = inbox.clone();
    let wanted = [Wanted::Terminate, Wanted::HangUp, Wanted::Interrupt, Wanted::Child];
    signals::watch(&wanted, move |signal| inbox.send(Input::Signal(signal)).is_ok())
}

/// The program with what its hooks and our search for its descendants need.
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
    PtyCommand {
        program: spec.program.clone(),
        args: spec.args.iter().map(OsString::from).collect(),
        cwd: spec.cwd.clone(),
        env,
        size: spec.size,
    }
}

/// Starts the threads between the program and the owner.
fn pump(
    started: Started,
    spec: &LaunchSpec,
    inbox: &SyncSender<Input>,
) -> io::Result<(Terminal, Arc<Reading>)> {
    let Started { pty, reader, writer, child } = started;
    let printed = Arc::new(Printed::default());
    let reading = Reading::start(reader, Arc::clone(&printed), inbox.clone())?;
    let ended = inbox.clone();
    thread::Builder::new().name("child".into()).spawn(move || {
        let exit = child.wait();
        // An owner that is gone needs no word.
        let _ = ended.send(Input::ChildEnded(exit));
    })?;
    Ok((Terminal::new(Screen::new(spec.size), pty, PtyInput::start(writer)?, printed), reading))
}
