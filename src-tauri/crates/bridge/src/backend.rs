//! The interface between a frontend (window or server) and the application.
//!
//! A frontend transports JSON, events and bytes. Methods can block, so a frontend calls them on its own
//! threads.

use crate::events::EventFeed;
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode, app::PersonAccess};
use serde_json::Value;
use std::io;

/// The application's interface for a window or a server.
pub trait Backend: Send + Sync + 'static {
    /// Calls a command of the contract: a command of `bc_wire::app` without a project, or of `bc_wire::api`
    /// with one. Blocks until the command is done. An unknown method returns an error with the code `usage`.
    fn call(&self, method: &str, project: Option<&str>, params: Value) -> Result<Value, ApiError>;

    /// Like [`Backend::call`], on behalf of a person; `None` means the user. The result is JSON text, for
    /// callers that only forward it. The default implementation supports only the user.
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

    /// Called by the server when people connect or leave, or when their access changes.
    fn people_changed(&self) {}

    /// The events after number `since`; `None` means future events only. [`crate::EventRing`] creates such
    /// feeds.
    fn events(&self, since: Option<u64>) -> EventFeed;

    /// A session's terminal for a client of `size` columns and rows. The first frame is the current screen,
    /// or [`TerminalFrame::Ended`] if the session's host has exited.
    fn terminal(
        &self,
        project: &str,
        session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError>;
}

/// The people who have access to a server, and the links that give their browsers access.
pub trait BrowserAccess: Send + Sync {
    /// Creates a link that gives access to another browser of a person; `None` means the user. The new link
    /// replaces the person's unused link.
    fn link(&self, person: Option<&str>) -> Result<String, ApiError>;

    /// All people with access: first the user, without a name, then the others, sorted by name.
    fn people(&self) -> Vec<PersonAccess>;

    /// Creates a link for the person with this name, who gets access if they have none.
    fn add(&self, name: &str) -> Result<String, ApiError>;

    /// Ends the access of the person with this name.
    fn revoke(&self, name: &str) -> Result<(), ApiError>;
}

/// One client's connection to a session's terminal. Only one thread may read; any thread may call the other
/// methods at the same time.
pub trait TerminalPipe: Send + Sync {
    /// Waits for the next frame; fails once the connection is lost or closed.
    fn read(&self) -> io::Result<TerminalFrame>;

    /// Sends the user's input. May block while the program does not read.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// Sends the client's size in columns and rows.
    fn resize(&self, size: (u16, u16)) -> io::Result<()>;

    /// Reports that the client has drawn all output before this offset.
    fn ack(&self, offset: u64);

    /// Ends the connection and makes a blocked `read` fail. The session continues.
    fn close(&self);
}

/// A part of a terminal's output, or a change of the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalFrame {
    /// The whole screen, which replaces everything before it. It comes before any output, and more screens
    /// can arrive at any time.
    Screen {
        /// The output offset at which the screen was taken. The next output starts at this offset.
        offset: u64,
        /// The columns and rows of the screen.
        size: (u16, u16),
        /// The bytes that draw the screen on an empty terminal.
        bytes: Vec<u8>,
    },
    /// Program output that directly follows the previous frame's output.
    Output {
        /// The offset of the first byte since the program's start.
        offset: u64,
        bytes: Vec<u8>,
    },
    /// The terminal's new size in columns and rows.
    Size((u16, u16)),
    /// The program has exited. This is the last frame.
    Ended,
}
