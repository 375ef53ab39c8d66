//! The ports at the two ends of the forwarded connection.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
};

/// The port on this machine and the server's port on the other machine, both on the loopback interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ports {
    pub(crate) local: u16,
    pub(crate) remote: u16,
}

impl Ports {
    /// A free port on this machine, and the same number on the other machine. If it is taken on the other
    /// machine, the remote server reports an error.
    pub(crate) fn free() -> io::Result<Ports> {
        let local = free_port()?;
        Ok(Ports { local, remote: local })
    }

    /// The same local port, with another remote port.
    pub(crate) fn with_other_remote(self) -> io::Result<Ports> {
        Ok(Ports { remote: free_port()?, ..self })
    }

    /// The server's address in a browser on this machine.
    pub(crate) fn origin(self) -> String {
        format!("http://127.0.0.1:{}", self.local)
    }

    /// The value of ssh's option `-L`.
    pub(crate) fn forward(self) -> String {
        format!("127.0.0.1:{}:127.0.0.1:{}", self.local, self.remote)
    }
}

/// A currently free port. ssh binds the port later, and reports an error if another program has taken it
/// meanwhile.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
