//! The seam between a host and the application.
//!
//! A host knows nothing of projects, beads and sessions: it carries JSON, events and bytes. Everything
//! here blocks; a host calls it from threads of its own.

use crate::events::EventFeed;
use bc_core::ids::SessionId;
use bc_wire::ApiError;
use serde_json::Value;
use std::io;
#[cfg(unix)]
use std::os::{fd::BorrowedFd, unix::net::UnixStream};

/// The application as a host sees it.
pub trait Backend: Send + Sync + 'static {
    /// One command of the contract: `bc_wire::app`'s without a project, `bc_wire::api`'s with one. Blocks
    /// until it is done. A method that does not exist is an error of the code `usage`.
    fn call(&self, method: &str, project: Option<&str>, params: Value) -> Result<Value, ApiError>;

    /// The same, with the result as JSON text: for a host that only hands it on.
    fn answer(&self, method: &str, project: Option<&str>, params: Value) -> Result<String, ApiError> {
        self.call(method, project, params).map(|result| result.to_string())
    }

    /// The events after `since`, or from now on. [`crate::EventRing`] makes them.
    fn events(&self, since: Option<u64>) -> EventFeed;

    /// A session's terminal, seen through a client of `size` columns and rows. Its first frame is the
    /// screen as it is now.
    fn terminal(
        &self,
        project: &str,
        session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError>;

    /// Whoever serves a session's terminal to a WebSocket by itself; `None` where nobody does, and then
    /// [`Backend::terminal`] says why not, or carries it.
    #[cfg(unix)]
    fn terminal_by_itself(&self, _project: &str, _session: SessionId) -> Option<Box<dyn TerminalByItself>> {
        None
    }
}

/// A session's terminal that needs nobody between itself and a client.
#[cfg(unix)]
pub trait TerminalByItself: Send {
    /// Gives it a client's connection, which has become a WebSocket, and what was read of it since. What comes
    /// back ends when the client has gone; the client is sent away when it ends.
    fn serve(self: Box<Self>, client: BorrowedFd<'_>, read: &[u8]) -> io::Result<UnixStream>;
}

/// One client's connection to a session's terminal. It is read by one thread; everything else is called by any, at
/// the same time.
pub trait TerminalPipe: Send + Sync {
    /// The next frame. Blocks; fails once the connection is lost or closed.
    fn read(&self) -> io::Result<TerminalFrame>;

    /// What the user typed. May block while the program does not read.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// The client's size in columns and rows.
    fn resize(&self, size: (u16, u16)) -> io::Result<()>;

    /// The client has drawn everything before this offset of the output.
    fn ack(&self, offset: u64);

    /// Ends the connection and wakes a blocked `read`. The session goes on.
    fn close(&self);
}

/// What a terminal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalFrame {
    /// The whole screen; it replaces everything before it. May come at any time, and always comes first.
    Screen {
        /// The offset of the output that it is the outcome of: the next output begins there.
        offset: u64,
        /// Columns and rows that it was taken at.
        size: (u16, u16),
        /// What draws it on an empty terminal.
        bytes: Vec<u8>,
    },
    /// Output of the program, without a gap to the frame before.
    Output {
        /// The offset of its first byte since the program's start.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The terminal has a new size in columns and rows.
    Size((u16, u16)),
    /// The program has ended. Nothing comes after it.
    Ended,
}
