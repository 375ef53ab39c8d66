//! The process at the other end of a local socket, on macOS.

use super::Stream;
use std::{io, os::fd::AsRawFd};

pub(crate) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    let (mut user, mut group) = (0, 0);
    // SAFETY: the descriptor is open, and both results are valid for writing.
    match unsafe { libc::getpeereid(stream.as_raw_fd(), &mut user, &mut group) } {
        0 => Ok(user == rustix::process::geteuid().as_raw()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Returns the pid of the process that made the connection, or `None` if it has closed the connection.
pub(crate) fn peer_of(stream: &Stream) -> Option<u32> {
    let mut pid: libc::pid_t = 0;
    let mut size = libc::socklen_t::try_from(size_of::<libc::pid_t>()).ok()?;
    // SAFETY: the descriptor is open, and the buffer is valid for `size` bytes.
    let got = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::SOL_LOCAL,
            libc::LOCAL_PEERPID,
            (&raw mut pid).cast(),
            &mut size,
        )
    };
    (got == 0).then_some(pid).and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0)
}
