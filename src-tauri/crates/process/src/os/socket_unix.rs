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
/// What accepts connections.
pub type Listener = UnixListener;

/// `sun_path` has 108 bytes on Linux and 104 elsewhere, the ending NUL included.
const PATH_MAX: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Calls `act` with a path of the same file that fits into a socket address.
fn with_short_path<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    if path.as_os_str().len() <= PATH_MAX {
        return act(path);
    }
    let (Some(dir), Some(name), true) = (path.parent(), path.file_name(), cfg!(target_os = "linux")) else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the path is longer than the {PATH_MAX} bytes that a socket may have"),
        ));
    };
    let dir = rustix::fs::open(dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&dir))).join(name);
    act(&short)
}

/// Binds under another name, makes it private, then takes the name: nobody ever meets a socket that
/// is not listening or not private.
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

/// Sends as much as the connection takes at once and says how much that was; never waits.
pub(crate) fn send_now(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    // A Rust program is not ended by a closed connection: it has SIGPIPE ignored.
    match rustix::net::send(stream, bytes, SendFlags::DONTWAIT) {
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        sent => Ok(sent?),
    }
}

/// Waits until there is something to read, or the connection has ended.
pub(crate) fn wait_readable(stream: &Stream) -> io::Result<()> {
    match poll(&mut [PollFd::new(stream, PollFlags::IN)], None) {
        // A signal: whoever reads then waits there.
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Waits until there is something to read on one of the two, or it has ended; of which.
pub(crate) fn wait_readable_of(first: &Stream, second: &Stream) -> io::Result<(bool, bool)> {
    let mut both = [PollFd::new(first, PollFlags::IN), PollFd::new(second, PollFlags::IN)];
    match poll(&mut both, None) {
        // A signal: nothing is said of either.
        Ok(_) | Err(Errno::INTR) => Ok((!both[0].revents().is_empty(), !both[1].revents().is_empty())),
        Err(error) => Err(error.into()),
    }
}

/// Sends a descriptor with these bytes, of which there must be one at least.
pub(crate) fn send_with(mut stream: &Stream, bytes: &[u8], descriptor: BorrowedFd<'_>) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let one = [descriptor];
    if !ancillary.push(SendAncillaryMessage::ScmRights(&one)) {
        return Err(io::Error::other("there is no room for a descriptor"));
    }
    let sent = retry_on_intr(|| sendmsg(stream, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::empty()))?;
    stream.write_all(&bytes[sent..])
}

/// What is received is no program's that is started just then; where that cannot be said with it, a moment later.
#[cfg(target_os = "linux")]
const KEPT_FROM_CHILDREN: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const KEPT_FROM_CHILDREN: RecvFlags = RecvFlags::empty();

/// Reads what is there and the descriptor that was sent with it.
pub(crate) fn receive_with(stream: &Stream, bytes: &mut [u8]) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received =
        retry_on_intr(|| recvmsg(stream, &mut [IoSliceMut::new(bytes)], &mut ancillary, KEPT_FROM_CHILDREN));
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

/// Whether the other side runs as the same user.
#[cfg(target_os = "linux")]
pub(crate) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    Ok(rustix::net::sockopt::socket_peercred(stream)?.uid == rustix::process::geteuid())
}

/// Whether the other side runs as the same user: here the folder's and the socket's modes say so.
#[cfg(not(target_os = "linux"))]
pub(crate) fn peer_is_us(_stream: &Stream) -> io::Result<bool> {
    Ok(true)
}

/// The process that made the connection; `None` where it is in another world of processes.
#[cfg(target_os = "linux")]
pub(crate) fn peer_of(stream: &Stream) -> Option<u32> {
    let pid = rustix::net::sockopt::socket_peercred(stream).ok()?.pid;
    u32::try_from(pid.as_raw_nonzero().get()).ok()
}

/// The process that made the connection: not told here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn peer_of(_stream: &Stream) -> Option<u32> {
    None
}

/// What makes a name in a shared folder the user's own.
pub(crate) fn user_tag() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

/// Makes the folder for nobody else, or finds it so. The text says what is wrong with it.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let meta = fs::symlink_metadata(path)?;
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why.to_owned()));
    if !meta.is_dir() {
        return refused("it is not a folder of its own");
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return refused("it belongs to another user");
    }
    if meta.mode() & 0o077 != 0 {
        return refused("others may enter it; make it private with chmod 700, or remove it");
    }
    Ok(())
}
