//! Local stream sockets on Unix.

#[cfg(target_os = "linux")]
use rustix::fs::OFlags;
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
    net::SendFlags,
};
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::Path,
};

/// A connection between two processes on this machine.
pub type Stream = UnixStream;
/// Accepts connections at a path in the file system.
pub type Listener = UnixListener;

/// `sun_path` has 108 bytes on Linux and 104 on macOS, including the terminating NUL.
const PATH_MAX: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Calls `act` with a path to the same file that is short enough for a socket address.
fn with_short_path<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    if path.as_os_str().len() <= PATH_MAX {
        return act(path);
    }
    with_folder_descriptor(path, act)
}

#[cfg(target_os = "linux")]
fn with_folder_descriptor<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return Err(too_long()) };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let dir = rustix::fs::open(dir, flags, rustix::fs::Mode::empty())?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&dir))).join(name);
    act(&short)
}

/// Fails, because on this system a path cannot refer to a folder by its descriptor. `runtime_dir` chooses a
/// folder in which every socket path is short enough.
#[cfg(not(target_os = "linux"))]
fn with_folder_descriptor<T>(_path: &Path, _act: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    Err(too_long())
}

fn too_long() -> io::Error {
    let why = format!("the path exceeds the limit of {PATH_MAX} bytes for sockets");
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// Binds under a temporary name, makes the socket private and then renames it. Clients therefore never find a
/// socket that is not yet private or listening.
pub(crate) fn bind(path: &Path) -> io::Result<Listener> {
    let temporary = path.with_file_name(temporary_name(path));
    let _ = fs::remove_file(&temporary);
    let listener = with_short_path(&temporary, |path| UnixListener::bind(path))?;
    fs::set_permissions(&temporary, fs::Permissions::from_mode(0o600))
        .and_then(|()| fs::rename(&temporary, path))
        .inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    Ok(listener)
}

/// Returns a name that is unique to the path and the process. It has at most 17 bytes, because a longer name
/// could exceed the limit on socket paths.
fn temporary_name(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!("{:x}.{:08x}", std::process::id(), hasher.finish() >> 32)
}

pub(crate) fn connect(path: &Path) -> io::Result<Stream> {
    with_short_path(path, |path| UnixStream::connect(path))
}

/// Sends as many bytes as the connection accepts without blocking, and returns their number.
pub(crate) fn try_send(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    // Rust ignores SIGPIPE, so a closed connection does not kill the program.
    match rustix::net::send(stream, bytes, SendFlags::DONTWAIT) {
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        sent => Ok(sent?),
    }
}

/// Waits until input is available or the connection is closed.
pub(crate) fn wait_readable(stream: &Stream) -> io::Result<()> {
    match poll(&mut [PollFd::new(stream, PollFlags::IN)], None) {
        // After a signal, the caller's read waits.
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns a tag that makes a name in a shared folder unique to this user.
pub(crate) fn user_tag() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

/// Creates the folder with mode 0700, or checks that an existing folder belongs to this user and that no
/// other user can access it. The error explains why the folder was refused.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_name_is_short_and_belongs_to_its_path() {
        let (a, b) =
            (temporary_name(Path::new("/a/serve-1.sock")), temporary_name(Path::new("/a/serve-2.sock")));
        assert_ne!(a, b);
        assert!(a.len() <= 17, "{a}");
    }
}
