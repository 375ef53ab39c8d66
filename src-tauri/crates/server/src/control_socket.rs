//! The server's control socket. Through it, the user's other programs request a new link, and list and change
//! the people with access. Each port has one local socket, which only this user can open. A request is `link`
//! or an [`AccessRequest`] as JSON, followed by a newline. The answer is one line of JSON.

use crate::{Announcement, Links, people::WhoseLink};
use bc_bridge::BrowserAccess;
use bc_process::{
    pending::PendingConnections,
    socket::{self, SocketError, Stream},
};
use bc_wire::{ApiError, ErrorCode, app::PersonAccess};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    sync::Arc,
    thread,
    time::Duration,
};

const REQUEST: &str = "link\n";
/// The maximum length of a request in bytes.
const REQUEST_MAX: u64 = 4096;
/// The time limit for a client to send its request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The parts of a socket's name before and after the port.
const NAME: (&str, &str) = ("serve-", ".sock");

/// A request to list or change the people with access.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessRequest {
    /// Creates a new link for the person with this name, and gives them access if they do not have it.
    Add(String),
    List,
    /// Ends the access of the person with this name.
    Revoke(String),
}

/// The answer to an [`AccessRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessAnswer {
    /// A person's link, which works once.
    Added { name: String, url: String },
    /// The people with access, sorted by name.
    People(Vec<PersonAccess>),
    /// The access of the person with this name was revoked.
    Revoked(String),
    /// The server refused the request, for example because of the name.
    Refused(ApiError),
}

/// The reason that a request to a control socket failed, or that the socket could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ControlSocketError {
    /// The folder for sockets, or the socket itself, cannot be used.
    #[error("{source}; set XDG_RUNTIME_DIR to one of your folders")]
    Place { source: SocketError },
    #[error("{} cannot be read: {source}", .path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("no server is running{}: start one with `beads-console serve`", .port.map(|p| format!(" on port {p}")).unwrap_or_default())]
    NoServer { port: Option<u16> },
    /// Several servers are running, and the request does not name a port.
    #[error("several servers are running: choose one with --port: {}", .ports.iter().map(u16::to_string).collect::<Vec<_>>().join(", "))]
    Several {
        /// The ports, in ascending order.
        ports: Vec<u16>,
    },
    /// The server did not answer, for example because it is shutting down or runs a different version.
    #[error("the server on port {port} gave no answer: {source}; restart it")]
    Refused { port: u16, source: io::Error },
}

/// An open control socket. Dropping this value removes the socket's file.
#[derive(Debug)]
pub(crate) struct ControlSocket(PathBuf);

impl Drop for ControlSocket {
    fn drop(&mut self) {
        // A failure is ignored: a leftover file refuses connections, and the next server on this port
        // replaces it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Answers requests on separate threads until this program exits.
pub(crate) fn open(links: Links, port: u16) -> Result<ControlSocket, ControlSocketError> {
    let path = socket_path(port)?;
    let bound = socket::bind(&path).map_err(|source| ControlSocketError::Place { source })?;
    let pending = Arc::new(PendingConnections::default());
    thread::spawn(move || {
        loop {
            let (stream, connection) = pending.accept(&bound);
            let links = links.clone();
            // If the thread cannot be started, the connection is closed.
            let _ = thread::Builder::new().name("link".into()).spawn(move || {
                // An error is ignored, because a client that disconnects early can request again.
                let _ = answer(&links, port, stream);
                drop(connection);
            });
        }
    });
    Ok(ControlSocket(path))
}

fn answer(links: &Links, port: u16, stream: Stream) -> io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut request = String::new();
    stream.set_read_timeout(Some(REQUEST_TIMEOUT))?;
    BufReader::new(stream.take(REQUEST_MAX)).read_line(&mut request)?;
    let mut line = match (request.as_str(), serde_json::from_str(&request)) {
        (REQUEST, _) => serde_json::to_vec(&Announcement::of(links, port).map_err(io::Error::other)?)?,
        (_, Ok(request)) => serde_json::to_vec(&answer_access(links, request))?,
        // An unknown request, for example from a newer version, gets no answer.
        (_, Err(_)) => return Ok(()),
    };
    line.push(b'\n');
    writer.write_all(&line)
}

fn answer_access(links: &Links, request: AccessRequest) -> AccessAnswer {
    let answered = match request {
        AccessRequest::Add(name) => {
            let added = links.for_person(WhoseLink::KnownOrNew(&name));
            added.map(|(name, url)| AccessAnswer::Added { name, url })
        }
        AccessRequest::List => {
            Ok(AccessAnswer::People(links.people().into_iter().filter(|person| !person.owner).collect()))
        }
        AccessRequest::Revoke(name) => links.revoke_person(&name).map(AccessAnswer::Revoked),
    };
    answered.unwrap_or_else(AccessAnswer::Refused)
}

/// Requests a new link from the server on this port, or else from the only running server. The link replaces
/// an unused one.
pub fn another_link(port: Option<u16>) -> Result<Announcement, ControlSocketError> {
    ask(port, REQUEST)
}

/// Sends a request about the people with access to the server on this port, or else to the only running
/// server.
pub fn ask_access(port: Option<u16>, request: &AccessRequest) -> Result<AccessAnswer, ControlSocketError> {
    let line = serde_json::to_string(request).expect("it has only text") + "\n";
    if line.len() as u64 > REQUEST_MAX {
        return Ok(AccessAnswer::Refused(ApiError::new(ErrorCode::Usage, "the name is too long")));
    }
    ask(port, &line)
}

fn ask<A: DeserializeOwned>(port: Option<u16>, request: &str) -> Result<A, ControlSocketError> {
    let port = match port {
        Some(port) => port,
        None => only_running_port()?,
    };
    let mut stream = socket::connect(&socket_path(port)?)
        .map_err(|_| ControlSocketError::NoServer { port: Some(port) })?;
    let mut ask = || {
        stream.write_all(request.as_bytes())?;
        let mut line = String::new();
        BufReader::new(&mut stream).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    };
    ask().map_err(|source| ControlSocketError::Refused { port, source })
}

fn socket_path(port: u16) -> Result<PathBuf, ControlSocketError> {
    Ok(folder()?.join(format!("{}{port}{}", NAME.0, NAME.1)))
}

fn folder() -> Result<PathBuf, ControlSocketError> {
    socket::runtime_dir().map_err(|source| ControlSocketError::Place { source })
}

fn only_running_port() -> Result<u16, ControlSocketError> {
    let folder = folder()?;
    let unread = |source| ControlSocketError::Folder { path: folder.clone(), source };
    let mut ports = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unread)? {
        let name = entry.map_err(unread)?.file_name();
        let port = name.to_str().and_then(|name| name.strip_prefix(NAME.0)?.strip_suffix(NAME.1));
        ports.extend(port.and_then(|port| port.parse::<u16>().ok()));
    }
    ports.retain(|&port| socket_path(port).is_ok_and(|path| socket::connect(&path).is_ok()));
    ports.sort_unstable();
    match ports[..] {
        [] => Err(ControlSocketError::NoServer { port: None }),
        [port] => Ok(port),
        _ => Err(ControlSocketError::Several { ports }),
    }
}
