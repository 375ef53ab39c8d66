//! The interface between a host (window or server) and the application.
//!
//! A host knows nothing about projects, beads and sessions: it transports JSON, events and bytes. Every method
//! here blocks; a host calls them on its own threads.

use crate::events::EventFeed;
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode, app::PersonAccess};
use serde_json::Value;
use std::io;
#[cfg(unix)]
use std::os::{fd::BorrowedFd, unix::net::UnixStream};

/// The application as seen by a host.
pub trait Backend: Send + Sync + 'static {
    /// Calls one command of the contract: `bc_wire::app`'s without a project, `bc_wire::api`'s with one. Blocks
    /// until it is done. An unknown method is an error with the code `usage`.
    fn call(&self, method: &str, project: Option<&str>, params: Value) -> Result<Value, ApiError>;

    /// Like [`Backend::call`], with the result as JSON text: for a host that only forwards it.
    fn answer(
        &self,
        person: Option<&str>,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<String, ApiError> {
        match person {
            None => self.call(method, project, params).map(|result| result.to_string()),
            Some(_) => Err(ApiError::new(ErrorCode::Usage, "this program has only one user")),
        }
    }

    /// People connected or left, or their access changed.
    fn people_changed(&self) {}

    /// The events after `since`, or from now on. [`crate::EventRing`] creates them.
    fn events(&self, since: Option<u64>) -> EventFeed;

    /// A session's terminal for a client of `size` columns and rows. The first frame is the current screen.
    fn terminal(
        &self,
        project: &str,
        session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError>;

    /// A handoff of the client's WebSocket to the session's host; `None` if the host does not support it. Then
    /// [`Backend::terminal`] carries the terminal, or reports why it cannot.
    #[cfg(unix)]
    fn terminal_handoff(&self, _project: &str, _session: SessionId) -> Option<Box<dyn TerminalHandoff>> {
        None
    }
}

/// The access of browsers to a server.
pub trait BrowserAccess: Send + Sync {
    /// A link for another browser of a person; `None` is the user. It replaces their unused one.
    fn link(&self, person: Option<&str>) -> Result<String, ApiError>;

    /// Everyone with access, the user first. The user has no name here.
    fn people(&self) -> Vec<PersonAccess>;

    /// A link of the person with this name, who is added if they have no access.
    fn add(&self, name: &str) -> Result<String, ApiError>;

    /// Ends the access of the person with this name.
    fn revoke(&self, name: &str) -> Result<(), ApiError>;
}

/// A terminal whose session host can take over a client's connection.
#[cfg(unix)]
pub trait TerminalHandoff: Send {
    /// Hands over a client's connection that has become a WebSocket, with the bytes already read from it. The
    /// returned stream ends when the client has gone; closing it disconnects the client.
    fn serve(self: Box<Self>, client: BorrowedFd<'_>, read: &[u8]) -> io::Result<UnixStream>;
}

/// One client's connection to a session's terminal. One thread reads it; the other methods may be called by any
/// thread concurrently.
pub trait TerminalPipe: Send + Sync {
    /// The next frame. Blocks; fails once the connection is lost or closed.
    fn read(&self) -> io::Result<TerminalFrame>;

    /// The user's input. May block while the program does not read.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// The client's size in columns and rows.
    fn resize(&self, size: (u16, u16)) -> io::Result<()>;

    /// The client has drawn everything before this offset of the output.
    fn ack(&self, offset: u64);

    /// Ends the connection and wakes a blocked `read`. The session goes on.
    fn close(&self);
}

/// A frame from a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalFrame {
    /// The whole screen, which replaces everything before it. It may come at any time, and always comes first.
    Screen {
        /// The offset in the output at which the screen was taken: the next output starts there.
        offset: u64,
        /// The columns and rows of the screen.
        size: (u16, u16),
        /// The bytes that draw it on an empty terminal.
        bytes: Vec<u8>,
    },
    /// Output of the program, contiguous with the frame before.
    Output {
        /// The offset of its first byte since the program's start.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The terminal's new size in columns and rows.
    Size((u16, u16)),
    /// The program has ended. This is the last frame.
    Ended,
}
