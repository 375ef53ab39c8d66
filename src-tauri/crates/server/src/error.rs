//! Why a server cannot run.

use std::io;

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program has the port.
    #[error(
        "port {port} of 127.0.0.1 is taken by another program: choose another one with --port, or leave --port out for a free one"
    )]
    PortTaken {
        /// The port.
        port: u16,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The port cannot be listened on.
    #[error(
        "127.0.0.1 cannot be listened on at port {port}: {source}; choose a port above 1023 with --port, or leave --port out"
    )]
    Listen {
        /// The port; 0 stands for any.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The system gave no random numbers for the token.
    #[error("the system gave no random numbers for the access token: {source}")]
    Random {
        /// What the system said.
        source: getrandom::Error,
    },
    /// The threads of the server could not be started.
    #[error("the server's threads could not be started: {source}")]
    Start {
        /// What the system said.
        source: io::Error,
    },
    /// Signals cannot be waited for.
    #[error("the signals that end the server cannot be waited for: {source}")]
    Signals {
        /// What the system said.
        source: io::Error,
    },
    /// The link could not be printed.
    #[error("the server's address could not be printed: {source}")]
    Announce {
        /// What the system said.
        source: io::Error,
    },
    /// Requests could not be accepted any more.
    #[error("the server could not go on: {source}")]
    Serve {
        /// What the system said.
        source: io::Error,
    },
}
