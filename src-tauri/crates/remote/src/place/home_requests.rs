//! Sends requests from the host and from agents to the user's machine. The process that serves the link
//! listens for these requests. Without a link, they fail: the host continues with its last data, and an
//! agent's command fails or is queued (`command_queue`).

use crate::{
    home_request::{CommandOutput, HomeAnswer, HomeRequest},
    pipe,
};
use bc_core::ids::SessionId;
use bc_host::{HelperReport, HelperRequest};
use bc_process::{pending::PendingConnections, socket, socket::Stream};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufReader},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

/// The name of the file that marks a project's folder at a place.
const MARK: &str = "place.json";

/// The time limit for an answer. The host has its own, shorter limits.
const ANSWERED_WITHIN: Duration = Duration::from_secs(120);

pub(crate) type Answer = Result<HomeAnswer, String>;

/// The reason that a request was not answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AskError {
    /// The user's machine is not connected, or did not answer.
    Unreachable(String),
    /// The user's machine refused the request, or the request failed on that machine.
    Refused(String),
}

impl From<AskError> for String {
    fn from(error: AskError) -> String {
        match error {
            AskError::Unreachable(why) | AskError::Refused(why) => why,
        }
    }
}

/// A request, and the channel for its answer.
pub(super) struct ReceivedRequest {
    pub(super) request: HomeRequest,
    pub(super) answer: SyncSender<Answer>,
}

/// Marks a folder as a project's folder at a place.
pub(super) fn mark(root: &Path) -> Result<(), String> {
    let path = root.join(MARK);
    if path.is_file() {
        return Ok(());
    }
    bc_store::file::replace(&path, br#"{"version":1}"#).map_err(|error| error.to_string())
}

/// Whether this is a project's folder at a place. The user's machine then answers requests for beads and settings.
pub fn is_place_project(root: &Path) -> bool {
    root.join(MARK).is_file()
}

fn socket_path(session: SessionId) -> io::Result<PathBuf> {
    let folder = socket::runtime_dir().map_err(io::Error::other)?;
    Ok(folder.join(format!("{}.h", session.short())))
}

/// Sends a helper request to the user's machine.
///
/// # Errors
/// Fails if no link is connected, or if the user's machine did not answer or refused the request.
pub fn ask_home(request: HelperRequest) -> Result<HelperReport, String> {
    match ask(&HomeRequest::Helper(Box::new(request)))? {
        HomeAnswer::Helper(report) => Ok(*report),
        HomeAnswer::Command(_) => Err("the user's machine answered something else".to_owned()),
    }
}

/// Runs an agent's command on the user's machine: [`HomeRequest::Command`] or [`HomeRequest::Change`].
pub(super) fn run_at_home(request: &HomeRequest) -> Result<CommandOutput, AskError> {
    match ask(request)? {
        HomeAnswer::Command(output) => Ok(output),
        HomeAnswer::Helper(_) => {
            Err(AskError::Refused("the user's machine answered something else".to_owned()))
        }
    }
}

fn ask(request: &HomeRequest) -> Result<HomeAnswer, AskError> {
    let lost = |error: &dyn std::fmt::Display| AskError::Unreachable(error.to_string());
    let path = socket_path(request.session()).map_err(|error| lost(&error))?;
    let mut stream = socket::connect(&path).map_err(|_| lost(&"the user's machine is not connected"))?;
    stream.set_read_timeout(Some(ANSWERED_WITHIN)).map_err(|error| lost(&error))?;
    pipe::write(&mut stream, request).map_err(|error| lost(&error))?;
    pipe::read(&mut BufReader::new(stream)).map_err(|error| lost(&error))?
}

/// Listens for requests, on a separate thread, until this process exits. Replaces a process that served an
/// earlier link. `deliver` returns false if no link is being served any more.
pub(super) fn listen(
    session: SessionId,
    deliver: impl Fn(ReceivedRequest) -> bool + Clone + Send + 'static,
) -> Result<(), String> {
    let path = socket_path(session).map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(&path);
    let bound = socket::bind(&path).map_err(|error| error.to_string())?;
    let pending = Arc::new(PendingConnections::default());
    thread::spawn(move || {
        loop {
            let (stream, unknown) = pending.accept(&bound);
            let deliver = deliver.clone();
            thread::spawn(move || {
                let _ = serve(stream, &deliver);
                drop(unknown);
            });
        }
    });
    Ok(())
}

fn serve(mut stream: Stream, deliver: &impl Fn(ReceivedRequest) -> bool) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let request: HomeRequest = pipe::read(&mut reader).ok()?;
    let (answer, received) = sync_channel(1);
    let lost = |why: &str| Err(AskError::Unreachable(why.to_owned()));
    let answer = match deliver(ReceivedRequest { request, answer }) {
        true => match received.recv_timeout(ANSWERED_WITHIN) {
            Ok(answer) => answer.map_err(AskError::Refused),
            Err(_) => lost("the user's machine did not answer"),
        },
        false => lost("the user's machine is not connected"),
    };
    pipe::write(&mut stream, &answer).ok()
}
