//! The errors of the server.

use std::io;

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program uses the port.
    #[error(
        "port {port} of 127.0.0.1 is in use by another program: choose another one with --port, or omit --port for a free one"
    )]
    PortTaken {
        port: u16,
        #[source]
        source: io::Error,
    },
    /// The server cannot listen on the port.
    #[error(
        "the server cannot listen on 127.0.0.1 port {port}: {source}; choose a port above 1023 with --port, or omit --port"
    )]
    Listen {
        /// The port; 0 means any.
        port: u16,
        source: io::Error,
    },
    /// The system provided no random numbers for the token.
    #[error("the system provided no random numbers for the access token: {source}")]
    Random { source: getrandom::Error },
    /// The server's threads could not be started.
    #[error("the server's threads could not be started: {source}")]
    Start { source: io::Error },
    /// The server cannot wait for signals.
    #[error("the server cannot handle signals: {source}")]
    Signals { source: io::Error },
    /// The link could not be printed.
    #[error("the server's address could not be printed: {source}")]
    Announce { source: io::Error },
    /// The server can no longer accept requests.
    #[error("the server failed: {source}")]
    Serve { source: io::Error },
}
