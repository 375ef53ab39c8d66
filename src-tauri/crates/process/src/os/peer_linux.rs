//! The process at the other end of a local socket, on Linux.

use super::Stream;
use std::io;

pub(crate) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    Ok(rustix::net::sockopt::socket_peercred(stream)?.uid == rustix::process::geteuid())
}

/// Returns the pid of the process that made the connection, or `None` if it is in another pid namespace.
pub(crate) fn peer_of(stream: &Stream) -> Option<u32> {
    let pid = rustix::net::sockopt::socket_peercred(stream).ok()?.pid;
    u32::try_from(pid.as_raw_nonzero().get()).ok()
}
