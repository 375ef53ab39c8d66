//! Starts a host as a detached process that takes over the session's lock.

use crate::{
    run::{FailedPart, StartReport},
    spec::{LOCK_VARIABLE, LaunchSpec, PIECE_MAX, SOCKET_VARIABLE},
};
use bc_core::{ids::SessionId, text::units};
use bc_process::{
    descendants::{HOST_MARKER, Identity, SESSION_MARKER, Signal},
    detach::{self, DetachError, DetachedCommand},
    socket::{self, SocketError},
};
use bc_store::SessionLock;
use std::{
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::mpsc::sync_channel,
    thread,
    time::Duration,
};

/// The time limit for a host to listen and start its program, even with a slow disk and a busy machine.
const READY_WITHIN: Duration = Duration::from_secs(60);

/// The reason that a host could not be started. No host process is running, and the session's lock is
/// released.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A piece of context is too long for the model.
    #[error(
        "a piece of context from {source_name} has {chars} characters; the model gets at most {PIECE_MAX} untruncated"
    )]
    PieceTooLong {
        source_name: String,
        /// The piece's length, in [`units`].
        chars: usize,
    },
    /// The host process could not be started.
    #[error("cannot start the session's host")]
    Detach(#[source] DetachError),
    /// The host exited without a valid report, or did not report in time.
    #[error("the session's host ended before it was ready; see {}", .log.display())]
    Silent {
        /// The file with the host's standard error.
        log: PathBuf,
    },
    /// Claude could not be started.
    #[error("{reason}")]
    Program {
        /// The cause and the next step.
        reason: String,
    },
    /// The user's setup command for worktrees failed at a place.
    #[error("{reason}")]
    Setup { reason: String },
    /// The session's place could not be reached.
    #[error("{reason}")]
    Unreachable { reason: String },
    /// The host could not set itself up.
    #[error("the session's host could not start: {reason}")]
    Failed { reason: String },
}

/// A listening host with a running program.
#[derive(Debug)]
pub struct Launched {
    /// The host's process id.
    pub pid: u32,
    /// Claude's process.
    pub agent: Identity,
    /// The socket on which the host listens.
    pub socket: PathBuf,
    /// Receives the exit code if the host exits while this process runs.
    pub ended: std::sync::mpsc::Receiver<Option<i32>>,
}

/// The socket of a session's host, in the user's private folder for sockets.
pub fn socket_path(session: SessionId) -> Result<PathBuf, SocketError> {
    Ok(socket::runtime_dir()?.join(format!("{session}.sock")))
}

/// Starts `<exe> host` detached. Returns when the host listens and its program has started. The lock passes
/// to the host, and is released if the start fails.
pub fn launch(exe: &Path, spec: &LaunchSpec, lock: SessionLock) -> Result<Launched, LaunchError> {
    for piece in &spec.context {
        let chars = units(&piece.text);
        if chars > PIECE_MAX {
            return Err(LaunchError::PieceTooLong { source_name: piece.source.clone(), chars });
        }
    }
    let stdin =
        serde_json::to_vec(spec).expect("a spec has string keys; its paths are checked by the engine");
    let host = DetachedHost {
        verb: "host",
        session: spec.session,
        project_root: &spec.project_root,
        socket: &spec.socket,
        stdin,
        ready_within: READY_WITHIN,
    };
    launch_detached(exe, host, lock)
}

/// A detached process that takes over a session's lock and listens for the session's clients.
#[derive(Debug)]
pub struct DetachedHost<'a> {
    /// The hidden command.
    pub verb: &'static str,
    pub session: SessionId,
    /// The process's working folder.
    pub project_root: &'a Path,
    /// The socket on which it listens.
    pub socket: &'a Path,
    /// The process's specification, as JSON.
    pub stdin: Vec<u8>,
    /// The time limit for its report ([`report_start`]).
    pub ready_within: Duration,
}

/// Starts `<exe> <verb>` detached, as [`launch`] does.
///
/// # Errors
/// The same errors as [`launch`].
pub fn launch_detached(
    exe: &Path,
    host: DetachedHost<'_>,
    lock: SessionLock,
) -> Result<Launched, LaunchError> {
    let log = lock.path().join("host.log");
    let detached = detach::start(DetachedCommand {
        program: exe.to_owned(),
        args: vec![host.verb.into()],
        cwd: host.project_root.to_owned(),
        env: vec![
            (HOST_MARKER.into(), Some(host.session.to_string().into())),
            // A session that is started from within another session is not its descendant, so the markers are
            // removed.
            (SESSION_MARKER.into(), None),
            (SOCKET_VARIABLE.into(), None),
        ],
        stdin: host.stdin,
        log: detach::create_log(&log).ok(),
        inherited_files: vec![(LOCK_VARIABLE, lock.into_file())],
    })
    .map_err(LaunchError::Detach)?;
    let line = report_of(detached.report, host.ready_within);
    let report: Option<StartReport> = line.and_then(|line| serde_json::from_str(&line).ok());
    if report.is_none()
        && let Some(process) = Identity::of(detached.pid)
    {
        // A host that did not report must not start working later. The signal does not affect a host that has
        // already exited.
        let _ = process.signal(Signal::Kill);
    }
    match report {
        Some(StartReport::Ready { agent }) => {
            Ok(Launched { pid: detached.pid, agent, socket: host.socket.to_owned(), ended: detached.ended })
        }
        Some(StartReport::Failed { reason, part }) => Err(match part {
            FailedPart::Host => LaunchError::Failed { reason },
            FailedPart::Connection => LaunchError::Unreachable { reason },
            FailedPart::Program => LaunchError::Program { reason },
            FailedPart::Setup => LaunchError::Setup { reason },
        }),
        None => Err(LaunchError::Silent { log }),
    }
}

/// Reads the first line of the host's report; `None` if it does not arrive in time, or not at all.
fn report_of(report: impl Read + Send + 'static, within: Duration) -> Option<String> {
    let (sender, line) = sync_channel(1);
    let reading = thread::Builder::new().name("report".into()).spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(report).read_line(&mut line);
        let _ = sender.send(read.is_ok_and(|n| n > 0).then_some(line));
    });
    reading.ok().and_then(|_| line.recv_timeout(within).ok().flatten())
}
