//! A link's connection to the place.

use crate::{
    access::{PlaceAccess, Sharing},
    child_output::read_beginning,
    copy_program::{copy_program, is_copied},
    not_ready::NotReady,
    pipe::{self, PipeError},
    protocol::{FromPlace, Hello, ToPlace, VERSION},
    spec::LinkSpec,
    verbs::{PLACE_VERB, SESSION},
};
use bc_core::ids::SessionId;
use bc_process::{
    piped::{Piped, PipedChild},
    socket,
};
use std::{
    io::{self, BufReader},
    path::PathBuf,
    process::ChildStdin,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

/// The time limit for the place's hello, which includes ssh's login.
const HELLO_WITHIN: Duration = Duration::from_secs(60);

/// The time limit for the process of a lost connection to exit.
const ENDED_WITHIN: Duration = Duration::from_secs(2);

/// The exit code with which a shell reports a missing program.
const NOT_FOUND: i32 = 127;

/// The capacity of the queue of received messages. While it is full, the place waits.
const MESSAGES_MAX: usize = 64;

/// The reason that the place cannot be reached, or that the session's process at the place failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the place {place} cannot be reached: {reason}")]
pub(super) struct ConnectionLost {
    place: String,
    reason: String,
    /// Whether the session's container or pod was removed, so that reconnecting cannot succeed.
    pub(super) gone: bool,
    /// Whether this version of Beads Console is missing at the place.
    program_missing: bool,
}

impl ConnectionLost {
    /// Creates the error. Reduces the text to one short line without control characters, because it comes
    /// from another machine.
    pub(super) fn new(place: &PlaceAccess, reason: &str) -> ConnectionLost {
        let reason = bc_core::text::cut(&bc_core::text::one_line(reason), 300);
        ConnectionLost { place: place.name.clone(), reason, gone: false, program_missing: false }
    }
}

/// Sends messages to the place. Clones share the pipe.
#[derive(Clone)]
pub(super) struct PlaceSender(Arc<Mutex<ChildStdin>>);

impl PlaceSender {
    pub(super) fn send(&self, message: &ToPlace) -> Result<(), PipeError> {
        pipe::send(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), message)
    }
}

pub(super) struct Connection {
    place: PlaceAccess,
    /// The ssh process, or the process that runs the command in the container or pod. It is killed when this
    /// value is dropped.
    child: PipedChild,
    sender: PlaceSender,
    messages: Receiver<Result<FromPlace, String>>,
    pub(super) has_session: bool,
}

/// The socket of the shared ssh connection of a session's link.
pub(crate) fn control_socket(session: SessionId) -> io::Result<PathBuf> {
    let folder = socket::runtime_dir().map_err(io::Error::other)?;
    // The name is short, because ssh adds 17 characters to it while it creates the socket, and a socket's
    // path has at most 107 bytes on Linux and 103 on macOS.
    Ok(folder.join(format!("{}.s", session.short())))
}

impl Connection {
    /// Connects, and waits for the place's hello. If this version of the program is missing at the place, it
    /// is copied to the place, unless the user has chosen another program.
    pub(super) fn open(spec: &LinkSpec) -> Result<Connection, ConnectionLost> {
        let lost = |reason: String| ConnectionLost::new(&spec.place, &reason);
        Connection::connect(spec).or_else(|first| {
            if !first.program_missing || !is_copied(&spec.place) {
                return Err(first);
            }
            tracing::info!(place = spec.place.name, "this program is copied to the place");
            copy_program(&spec.place).map_err(lost)?;
            Connection::connect(spec)
        })
    }

    fn connect(spec: &LinkSpec) -> Result<Connection, ConnectionLost> {
        let lost = |reason: String| ConnectionLost::new(&spec.place, &reason);
        spec.place.make_ready(false).map_err(|error| ConnectionLost {
            gone: matches!(error, NotReady::Gone(_)),
            ..lost(error.to_string())
        })?;
        let control = control_socket(spec.session).map_err(|error| lost(error.to_string()))?;
        // A killed link leaves its socket behind, and ssh does not replace it.
        let _ = std::fs::remove_file(&control);
        let started = spec.place.start(Sharing::Opens(&control), &[PLACE_VERB, SESSION]);
        let Piped { child, stdin, stdout, stderr } = started.map_err(|error| lost(error.to_string()))?;
        let (sender, messages) = sync_channel(MESSAGES_MAX);
        thread::spawn(move || {
            let said = thread::spawn(move || read_beginning(stderr));
            let mut stdout = BufReader::new(stdout);
            loop {
                match pipe::receive(&mut stdout) {
                    Ok(message) => {
                        if sender.send(Ok(message)).is_err() {
                            return;
                        }
                    }
                    Err(PipeError::Ended) => {
                        let said = said.join().unwrap_or_default();
                        let line = said.lines().rev().find(|line| !line.trim().is_empty());
                        let _ = sender.send(Err(line.unwrap_or("the connection was closed").to_owned()));
                        return;
                    }
                    // A login script may print lines before the first message.
                    Err(PipeError::Unknown(error)) => {
                        tracing::warn!(%error, "a line of the place was skipped")
                    }
                    Err(error @ PipeError::Io(_)) => {
                        let _ = sender.send(Err(error.to_string()));
                        return;
                    }
                }
            }
        });
        let sender = PlaceSender(Arc::new(Mutex::new(stdin)));
        let mut connection =
            Connection { place: spec.place.clone(), child, sender, messages, has_session: false };
        let hello = ToPlace::Hello(Hello {
            version: VERSION,
            session: spec.session,
            project: spec.project.clone(),
            branch: spec.branch.clone(),
            folder: spec.place.folder.clone(),
        });
        let answer = connection.send(&hello).and_then(|()| connection.next(HELLO_WITHIN));
        let answer = answer.map_err(|error| {
            let ended = connection.child.wait_within(ENDED_WITHIN);
            let program_missing = ended.and_then(|status| status.code()) == Some(NOT_FOUND);
            ConnectionLost { program_missing, ..error }
        })?;
        match answer {
            FromPlace::Hello { version: VERSION, has_session } => {
                connection.has_session = has_session;
                Ok(connection)
            }
            FromPlace::Failed { reason, .. } => Err(lost(reason)),
            _ => Err(lost("it did not answer as expected".to_owned())),
        }
    }

    pub(super) fn send(&mut self, message: &ToPlace) -> Result<(), ConnectionLost> {
        self.sender.send(message).map_err(|error| match self.messages.recv_timeout(Duration::from_secs(1)) {
            // The reason on ssh's standard error is more precise than the pipe's error.
            Ok(Err(reason)) => ConnectionLost::new(&self.place, &reason),
            _ => ConnectionLost::new(&self.place, &error.to_string()),
        })
    }

    pub(super) fn sender(&self) -> PlaceSender {
        self.sender.clone()
    }

    pub(super) fn next(&mut self, within: Duration) -> Result<FromPlace, ConnectionLost> {
        match self.messages.recv_timeout(within) {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(reason)) => Err(ConnectionLost::new(&self.place, &reason)),
            Err(RecvTimeoutError::Timeout) => {
                let reason = format!("no message for {} seconds", within.as_secs());
                Err(ConnectionLost::new(&self.place, &reason))
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(ConnectionLost::new(&self.place, "the connection was closed"))
            }
        }
    }
}
