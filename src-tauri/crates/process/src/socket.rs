//! Local stream sockets: where they live, who may connect.
//!
//! The folder is 0700 and checked, the socket 0600, and the other side's user is asked for. What is
//! said over them is the business of those who speak.

use crate::os;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

pub use crate::os::{Listener, Stream};

/// What could not be done with a socket.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// The folder for sockets is not usable.
    #[error("the folder for sockets, {}, cannot be used: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody listens there already.
    #[error("another program listens on {} already", .path.display())]
    InUse {
        /// The socket.
        path: PathBuf,
    },
    /// The socket could not be made.
    #[error("the socket {} could not be made: {source}", .path.display())]
    Bind {
        /// The socket.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The folder for this user's sockets: `$XDG_RUNTIME_DIR/beads-console`, or a private one in the
/// folder for temporary files. Made when it is missing, refused when others could enter it.
pub fn runtime_dir() -> Result<PathBuf, SocketError> {
    runtime_dir_in(std::env::var_os("XDG_RUNTIME_DIR").as_deref(), &std::env::temp_dir())
}

fn runtime_dir_in(runtime: Option<&OsStr>, temporary: &Path) -> Result<PathBuf, SocketError> {
    let runtime = runtime.map(PathBuf::from).filter(|dir| dir.is_absolute() && dir.is_dir());
    let path = match runtime {
        Some(dir) => dir.join("beads-console"),
        None => temporary.join(format!("beads-console-{}", os::user_tag())),
    };
    match os::make_private_dir(&path) {
        Ok(()) => Ok(path),
        Err(source) => Err(SocketError::Folder { path, source }),
    }
}

/// A socket that accepts; its file goes when this is dropped.
#[derive(Debug)]
pub struct Bound {
    listener: Listener,
    path: PathBuf,
}

/// Listens on a path. A socket that nobody listens on any more is replaced; one in use is not.
pub fn bind(path: &Path) -> Result<Bound, SocketError> {
    if os::connect(path).is_ok() {
        return Err(SocketError::InUse { path: path.to_owned() });
    }
    let listener = os::bind(path).map_err(|source| SocketError::Bind { path: path.to_owned(), source })?;
    Ok(Bound { listener, path: path.to_owned() })
}

/// Connects to a path.
pub fn connect(path: &Path) -> io::Result<Stream> {
    os::connect(path)
}

/// Sends as much as the connection takes at once and says how much that was, perhaps nothing; never waits.
pub fn send_now(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    os::send_now(stream, bytes)
}

/// A connection that is read in a thread of its own, which is woken by what comes and by nothing else: one that
/// waits in the connection's own `read` is, on Linux, also woken by every read of the other side.
#[derive(Debug)]
pub struct Incoming(Stream);

impl Incoming {
    /// What comes by this connection, which waits as long as it takes.
    pub fn of(stream: Stream) -> Incoming {
        Incoming(stream)
    }
}

impl Read for Incoming {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        os::wait_readable(&self.0)?;
        self.0.read(bytes)
    }
}

/// Sends an open descriptor to the other side, which has it beside us from then on, with these bytes, of which
/// there must be one at least.
#[cfg(unix)]
pub fn send_with(stream: &Stream, bytes: &[u8], descriptor: std::os::fd::BorrowedFd<'_>) -> io::Result<()> {
    os::send_with(stream, bytes, descriptor)
}

/// A connection of another kind that was sent with [`send_with`], and what was sent with it, up to as much as there
/// is room for; `None` where no descriptor came. It is read, written and ended as a local one is, and has no address.
#[cfg(unix)]
pub fn receive_with(stream: &Stream, bytes: &mut [u8]) -> io::Result<Option<(Stream, usize)>> {
    let (read, descriptor) = os::receive_with(stream, bytes)?;
    Ok(descriptor.map(|descriptor| (Stream::from(descriptor), read)))
}

/// Waits until there is something to read on one of two connections, or one has ended; of which. Neither, after a
/// signal.
#[cfg(unix)]
pub fn wait_readable_of(first: &Stream, second: &Stream) -> io::Result<(bool, bool)> {
    os::wait_readable_of(first, second)
}

impl Bound {
    /// Where it listens.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next connection of the same user; others are closed unheard.
    pub fn accept(&self) -> io::Result<Stream> {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) if os::peer_is_us(&stream).unwrap_or(false) => return Ok(stream),
                Ok(_) => {}
                Err(e)
                    if matches!(e.kind(), io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        // Whoever binds the same path later replaces a file that stays.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::{io::Write, os::unix::fs::PermissionsExt, thread};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_folder_is_private_and_one_open_to_others_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let dir = runtime_dir_in(Some(home.path().as_os_str()), Path::new("/nowhere")).unwrap();
        assert_eq!(mode(&dir), 0o700);
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        let error = runtime_dir_in(Some(home.path().as_os_str()), Path::new("/nowhere")).unwrap_err();
        assert!(error.to_string().contains("chmod 700"), "{error}");
    }

    #[test]
    fn without_a_runtime_folder_the_temporary_one_is_taken_and_a_link_in_it_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = runtime_dir_in(None, temporary.path()).unwrap();
        assert!(dir.starts_with(temporary.path()));
        fs::remove_dir(&dir).unwrap();
        std::os::unix::fs::symlink("/", &dir).unwrap();
        assert!(runtime_dir_in(None, temporary.path()).is_err());
    }

    #[test]
    fn a_socket_is_private_carries_bytes_and_is_taken_away() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.sock");
        let bound = bind(&path).unwrap();
        assert_eq!(mode(&path), 0o600);
        let mut there = connect(&path).unwrap();
        let mut here = bound.accept().unwrap();
        there.write_all(b"hello").unwrap();
        drop(there);
        let mut text = String::new();
        here.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
        drop(bound);
        assert!(!path.exists());
    }

    #[test]
    fn what_comes_is_waited_for_to_the_end_of_the_connection() {
        let (here, mut there) = Stream::pair().unwrap();
        let reading = thread::spawn(move || {
            let mut text = String::new();
            Incoming::of(here).read_to_string(&mut text).map(|_| text)
        });
        there.write_all(b"hel").unwrap();
        there.write_all(b"lo").unwrap();
        drop(there);
        assert_eq!(reading.join().unwrap().unwrap(), "hello");
    }

    #[test]
    fn a_connection_is_handed_over_with_what_was_read_of_it() {
        let (here, there) = Stream::pair().unwrap();
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        send_with(&here, b"read", std::os::fd::AsFd::as_fd(&accepted)).unwrap();
        drop(accepted);
        let mut bytes = [0; 16];
        let (mut handed, n) = receive_with(&there, &mut bytes).unwrap().unwrap();
        assert_eq!(&bytes[..n], b"read");
        handed.write_all(b"to the client").unwrap();
        drop(handed);
        let mut said = String::new();
        client.read_to_string(&mut said).unwrap();
        assert_eq!(said, "to the client");
        (&here).write_all(b"none").unwrap();
        assert!(receive_with(&there, &mut bytes).unwrap().is_none());
    }

    #[test]
    fn of_two_connections_the_one_that_has_something_or_has_ended_is_told() {
        let ((first, mut one), (second, two)) = (Stream::pair().unwrap(), Stream::pair().unwrap());
        one.write_all(b"x").unwrap();
        assert_eq!(wait_readable_of(&first, &second).unwrap(), (true, false));
        drop(two);
        assert_eq!(wait_readable_of(&first, &second).unwrap(), (true, true));
    }

    #[test]
    fn a_stale_socket_is_replaced_and_a_living_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.sock");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        let bound = bind(&path).unwrap();
        assert!(matches!(bind(&path), Err(SocketError::InUse { .. })));
        drop(bound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_path_longer_than_a_socket_address_works() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("d".repeat(120));
        fs::create_dir(&deep).unwrap();
        let path = deep.join("s.sock");
        let bound = bind(&path).unwrap();
        let _there = connect(&path).unwrap();
        bound.accept().unwrap();
    }
}
