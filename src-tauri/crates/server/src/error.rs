//! The errors that occur while starting and running a server.

use std::io;

/// The reason that a server cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(
        "port {port} of 127.0.0.1 is in use by another program: choose another one with --port, or omit --port for a free one"
    )]
    PortTaken {
        port: u16,
        #[source]
        source: io::Error,
    },
    #[error(
        "the server cannot listen on 127.0.0.1 port {port}: {source}; choose a port above 1023 with --port, or omit --port"
    )]
    Listen {
        /// The port; 0 means any free port.
        port: u16,
        source: io::Error,
    },
    #[error("the system provided no random numbers for the access token: {source}")]
    Random { source: getrandom::Error },
    #[error("the server's threads could not be started: {source}")]
    Start { source: io::Error },
    #[error("the server cannot handle signals: {source}")]
    Signals { source: io::Error },
    #[error("the server's address could not be printed: {source}")]
    Announce { source: io::Error },
    #[error("the server failed: {source}")]
    Serve { source: io::Error },
}
