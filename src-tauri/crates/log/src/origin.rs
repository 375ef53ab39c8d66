//! The origin of a log's lines: the kind of process, and the session and project that it works for.

use std::sync::OnceLock;

/// The kind of process, which is the first part of its log files' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Window,
    /// The server for browsers.
    Server,
    Host,
    Command,
    /// The relay that Claude Code calls on its events, and other helper processes of a host or engine.
    Helper,
}

impl Role {
    /// The role's name in file names and lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Window => "window",
            Role::Server => "server",
            Role::Host => "host",
            Role::Command => "command",
            Role::Helper => "helper",
        }
    }
}

/// The session and project that this whole process works for, added to each of its lines.
#[derive(Debug, Default)]
pub(crate) struct Context {
    pub(crate) session: OnceLock<String>,
    pub(crate) project: OnceLock<String>,
}
