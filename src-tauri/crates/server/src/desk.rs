//! Where this user's other programs ask a running server for another link: a local socket a port, which
//! only this user can reach. `link` and a newline are answered with one line of JSON.

use crate::{Announcement, Links};
use bc_process::socket::{self, SocketError, Stream};
use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    path::PathBuf,
    thread,
};

const ASKED: &str = "link\n";
/// Around the port in the name of a server's socket.
const NAME: (&str, &str) = ("serve-", ".sock");

/// Why no other link can be had, or asked for.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// There is no place for sockets.
    #[error("{source}; set XDG_RUNTIME_DIR to a folder of yours")]
    Place {
        /// What the system said.
        source: SocketError,
    },
    /// The folder with the sockets cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No server runs, or none on the port.
    #[error("no server of yours runs{}: start one with `beads-console serve`", .port.map(|p| format!(" on port {p}")).unwrap_or_default())]
    NoServer {
        /// The port, if one was named.
        port: Option<u16>,
    },
    /// Which server is meant is not said.
    #[error("several servers run: name one with --port: {}", .ports.iter().map(u16::to_string).collect::<Vec<_>>().join(", "))]
    Several {
        /// Their ports, in order.
        ports: Vec<u16>,
    },
    /// The server did not give one.
    #[error("the server on port {port} gave no link: {source}; end it and start it again")]
    Refused {
        /// Its port.
        port: u16,
        /// What went wrong.
        source: io::Error,
    },
}

/// A desk that is open; its socket goes when this is dropped.
#[derive(Debug)]
pub(crate) struct Desk(PathBuf);

impl Drop for Desk {
    fn drop(&mut self) {
        // One that stays behind is refused by the system and replaced by the next server of the port.
        let _ = fs::remove_file(&self.0);
    }
}

/// Answers whoever asks until the program ends.
pub(crate) fn open(links: Links, port: u16) -> Result<Desk, DeskError> {
    let path = place(port)?;
    let bound = socket::bind(&path).map_err(|source| DeskError::Place { source })?;
    thread::spawn(move || {
        while let Ok(stream) = bound.accept() {
            let links = links.clone();
            thread::spawn(move || {
                // Whoever goes away without a link has none, and may ask again.
                let _ = answer(&links, port, stream);
            });
        }
    });
    Ok(Desk(path))
}

fn answer(links: &Links, port: u16, stream: Stream) -> io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut asked = String::new();
    BufReader::new(stream).read_line(&mut asked)?;
    if asked != ASKED {
        return Ok(());
    }
    let url = links.fresh().map_err(io::Error::other)?;
    let mut line = serde_json::to_vec(&Announcement { url, port, pid: std::process::id() })?;
    line.push(b'\n');
    writer.write_all(&line)
}

/// Another link from the server on this port, or from the only one that runs. It takes the place of one
/// that was not used.
pub fn another_link(port: Option<u16>) -> Result<Announcement, DeskError> {
    let port = match port {
        Some(port) => port,
        None => the_only_one()?,
    };
    let mut stream = socket::connect(&place(port)?).map_err(|_| DeskError::NoServer { port: Some(port) })?;
    let mut ask = || {
        stream.write_all(ASKED.as_bytes())?;
        let mut line = String::new();
        BufReader::new(&mut stream).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    };
    ask().map_err(|source| DeskError::Refused { port, source })
}

fn place(port: u16) -> Result<PathBuf, DeskError> {
    Ok(folder()?.join(format!("{}{port}{}", NAME.0, NAME.1)))
}

fn folder() -> Result<PathBuf, DeskError> {
    socket::runtime_dir().map_err(|source| DeskError::Place { source })
}

fn the_only_one() -> Result<u16, DeskError> {
    let folder = folder()?;
    let unread = |source| DeskError::Folder { path: folder.clone(), source };
    let mut ports = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unread)? {
        let name = entry.map_err(unread)?.file_name();
        let port = name.to_str().and_then(|name| name.strip_prefix(NAME.0)?.strip_suffix(NAME.1));
        ports.extend(port.and_then(|port| port.parse::<u16>().ok()));
    }
    ports.retain(|&port| place(port).is_ok_and(|path| socket::connect(&path).is_ok()));
    ports.sort_unstable();
    match ports[..] {
        [] => Err(DeskError::NoServer { port: None }),
        [port] => Ok(port),
        _ => Err(DeskError::Several { ports }),
    }
}
