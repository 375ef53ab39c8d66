//! Starting a host: a detached process that takes over the session's lock.

use crate::{
    run::Report,
    spec::{LOCK_VARIABLE, LaunchSpec, PIECE_MAX, SOCKET_VARIABLE},
};
use bc_core::{ids::SessionId, text::units};
use bc_process::{
    descendants::{HOST_MARKER, Identity, SESSION_MARKER, Signal},
    detach::{self, Detach, DetachError},
    socket::{self, SocketError},
};
use bc_store::SessionLock;
use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::mpsc::sync_channel,
    thread,
    time::Duration,
};

/// How long a host may take to listen and to start its program; a slow disk and a busy machine included.
const READY_WITHIN: Duration = Duration::from_secs(60);

/// A host that could not be started. Nothing runs, and the session's lock is free again.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A piece of context would reach the model cut.
    #[error(
        "a piece of context from {source_name} has {chars} characters; at most {PIECE_MAX} reach the model whole"
    )]
    PieceTooLong {
        /// Where it comes from.
        source_name: String,
        /// Its length, in [`units`].
        chars: usize,
    },
    /// The program could not be started.
    #[error("the session's host could not be started")]
    Detach(#[source] DetachError),
    /// It ended without a word.
    #[error("the session's host ended before it was ready; {} may say why", .log.display())]
    Silent {
        /// Where its standard error went.
        log: PathBuf,
    },
    /// Claude itself could not be started.
    #[error("{reason}")]
    Program {
        /// Why, with what to do.
        reason: String,
    },
    /// It could not set itself up.
    #[error("the session's host could not begin: {reason}")]
    Failed {
        /// Why.
        reason: String,
    },
}

/// A host that listens, with its program started.
#[derive(Debug)]
pub struct Launched {
    /// The host's process id.
    pub pid: u32,
    /// The program's process.
    pub agent: Identity,
    /// Where the host listens.
    pub socket: PathBuf,
    /// Receives when the host ends while we are there.
    pub ended: std::sync::mpsc::Receiver<Option<i32>>,
}

/// Where the host of a session listens: a private folder that ends with the login.
pub fn socket_path(session: SessionId) -> Result<PathBuf, SocketError> {
    Ok(socket::runtime_dir()?.join(format!("{session}.sock")))
}

/// Starts `<exe> host` detached and returns when it listens and its program was started. The lock goes
/// to the host; it is free when this fails.
pub fn launch(exe: &Path, spec: &LaunchSpec, lock: SessionLock) -> Result<Launched, LaunchError> {
    for piece in &spec.context {
        let chars = units(&piece.text);
        if chars > PIECE_MAX {
            return Err(LaunchError::PieceTooLong { source_name: piece.source.clone(), chars });
        }
    }
    let log = lock.path().join("host.log");
    let stdin =
        serde_json::to_vec(spec).expect("a spec has string keys; its paths are checked by the engine");
    let detached = detach::start(Detach {
        program: exe.to_owned(),
        args: vec!["host".into()],
        cwd: spec.project_root.clone(),
        env: vec![
            (HOST_MARKER.into(), Some(spec.session.to_string().into())),
            // A session started from within another one is not that one's descendant.
            (SESSION_MARKER.into(), None),
            (SOCKET_VARIABLE.into(), None),
        ],
        stdin,
        log: open_log(&log).ok(),
        handed: vec![(LOCK_VARIABLE, lock.into_file())],
    })
    .map_err(LaunchError::Detach)?;
    let line = report_of(detached.report);
    if line.is_none()
        && let Some(host) = Identity::of(detached.pid)
    {
        // One that says nothing must not come up later behind our back; one that ended is no harm.
        let _ = host.signal(Signal::Kill);
    }
    match line.and_then(|line| serde_json::from_str(&line).ok()) {
        Some(Report::Ready { agent }) => {
            Ok(Launched { pid: detached.pid, agent, socket: spec.socket.clone(), ended: detached.ended })
        }
        Some(Report::Failed { reason, program: true }) => Err(LaunchError::Program { reason }),
        Some(Report::Failed { reason, program: false }) => Err(LaunchError::Failed { reason }),
        None => Err(LaunchError::Silent { log }),
    }
}

/// The first line, within a time.
fn report_of(report: impl Read + Send + 'static) -> Option<String> {
    let (sender, line) = sync_channel(1);
    let reading = thread::Builder::new().name("report".into()).spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(report).read_line(&mut line);
        let _ = sender.send(read.is_ok_and(|n| n > 0).then_some(line));
    });
    reading.ok().and_then(|_| line.recv_timeout(READY_WITHIN).ok().flatten())
}

fn open_log(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
