//! Local stream sockets on Unix.

use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{Mode, OFlags},
    io::{Errno, FdFlags, fcntl_setfd, retry_on_intr},
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, recvmsg, sendmsg,
    },
};
use std::{
    fs,
    io::{self, IoSlice, IoSliceMut, Write},
    mem::MaybeUninit,
    os::{
        fd::{BorrowedFd, OwnedFd},
        unix::{
            fs::{DirBuilderExt, MetadataExt, PermissionsExt},
            net::{UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
};

/// A connection.
pub type Stream = UnixStream;
/// A listener.
pub type Listener = UnixListener;

/// `sun_path` has 108 bytes on Linux and 104 elsewhere, the ending NUL included.
const PATH_MAX: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Calls `act` with a path to the same file that fits into a socket address.
fn with_short_path<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    if path.as_os_str().len() <= PATH_MAX {
        return act(path);
    }
    let (Some(dir), Some(name), true) = (path.parent(), path.file_name(), cfg!(target_os = "linux")) else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the path exceeds the limit of {PATH_MAX} bytes for sockets"),
        ));
    };
    let dir = rustix::fs::open(dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&dir))).join(name);
    act(&short)
}

/// Binds under another name, makes the socket private and then renames it. So no client ever finds a socket that is
/// not listening or not private.
pub(crate) fn bind(path: &Path) -> io::Result<Listener> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let temporary = path.with_file_name(name);
    let _ = fs::remove_file(&temporary);
    let listener = with_short_path(&temporary, |path| UnixListener::bind(path))?;
    fs::set_permissions(&temporary, fs::Permissions::from_mode(0o600))
        .and_then(|()| fs::rename(&temporary, path))
        .inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    Ok(listener)
}

pub(crate) fn connect(path: &Path) -> io::Result<Stream> {
    with_short_path(path, |path| UnixStream::connect(path))
}

/// Sends as much as the connection accepts without blocking and returns that number.
pub(crate) fn try_send(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    // Rust ignores SIGPIPE, so a closed connection does not end the program.
    match rustix::net::send(stream, bytes, SendFlags::DONTWAIT) {
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        sent => Ok(sent?),
    }
}

/// Waits until input is available or the connection has ended.
pub(crate) fn wait_readable(stream: &Stream) -> io::Result<()> {
    match poll(&mut [PollFd::new(stream, PollFlags::IN)], None) {
        // A signal: the caller's read waits then.
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Waits until one of the two has input or has ended. Returns which.
pub(crate) fn wait_either_readable(first: &Stream, second: &Stream) -> io::Result<(bool, bool)> {
    let mut both = [PollFd::new(first, PollFlags::IN), PollFd::new(second, PollFlags::IN)];
    match poll(&mut both, None) {
        // A signal: neither is reported.
        Ok(_) | Err(Errno::INTR) => Ok((!both[0].revents().is_empty(), !both[1].revents().is_empty())),
        Err(error) => Err(error.into()),
    }
}

/// Sends a descriptor together with `bytes`, which must not be empty.
pub(crate) fn send_descriptor(
    mut stream: &Stream,
    bytes: &[u8],
    descriptor: BorrowedFd<'_>,
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let one = [descriptor];
    if !ancillary.push(SendAncillaryMessage::ScmRights(&one)) {
        return Err(io::Error::other("no space for a descriptor"));
    }
    let sent = retry_on_intr(|| sendmsg(stream, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::empty()))?;
    stream.write_all(&bytes[sent..])
}

/// Closes received descriptors in programs that start at the same time; other systems set this a moment later.
#[cfg(target_os = "linux")]
const CLOSE_ON_EXEC: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const CLOSE_ON_EXEC: RecvFlags = RecvFlags::empty();

/// Reads available bytes and the descriptor that was sent with them.
pub(crate) fn receive_descriptor(stream: &Stream, bytes: &mut [u8]) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received =
        retry_on_intr(|| recvmsg(stream, &mut [IoSliceMut::new(bytes)], &mut ancillary, CLOSE_ON_EXEC));
    let read = received?.bytes;
    let mut descriptors = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    let descriptor = descriptors.next().and_then(|mut descriptors| descriptors.next());
    if let Some(descriptor) = &descriptor {
        fcntl_setfd(descriptor, FdFlags::CLOEXEC)?;
    }
    Ok((read, descriptor))
}

/// Whether the peer runs as the same user.
#[cfg(target_os = "linux")]
pub(crate) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    Ok(rustix::net::sockopt::socket_peercred(stream)?.uid == rustix::process::geteuid())
}

/// Whether the peer runs as the same user: here the modes of the folder and the socket ensure it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn peer_is_us(_stream: &Stream) -> io::Result<bool> {
    Ok(true)
}

/// The process that made the connection; `None` if it is in another pid namespace.
#[cfg(target_os = "linux")]
pub(crate) fn peer_of(stream: &Stream) -> Option<u32> {
    let pid = rustix::net::sockopt::socket_peercred(stream).ok()?.pid;
    u32::try_from(pid.as_raw_nonzero().get()).ok()
}

/// The process that made the connection: not reported on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn peer_of(_stream: &Stream) -> Option<u32> {
    None
}

/// Makes a name in a shared folder unique to this user.
pub(crate) fn user_tag() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

/// Creates the folder with mode 0700, or checks that it has that mode. The error says what is wrong with it.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let meta = fs::symlink_metadata(path)?;
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why.to_owned()));
    if !meta.is_dir() {
        return refused("it is not a folder");
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return refused("it belongs to another user");
    }
    if meta.mode() & 0o077 != 0 {
        return refused("other users can access it; make it private with chmod 700 or remove it");
    }
    Ok(())
}
