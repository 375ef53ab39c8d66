//! Local stream sockets: their location and their access control.
//!
//! The folder must be private to the user (on Unix, mode 0700 for the folder and 0600 for the socket), and
//! the peer's user is verified. The protocols are defined elsewhere.

use crate::os;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

pub use crate::os::{Listener, Stream};

/// A socket operation failed.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    #[error("cannot use the socket folder {}: {source}", .path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// Another process already listens on this path.
    #[error("another process already listens on {}", .path.display())]
    InUse { path: PathBuf },
    #[error("cannot create the socket {}: {source}", .path.display())]
    Bind { path: PathBuf, source: io::Error },
    /// A new socket refused a connection, or its peer could not be verified.
    #[error("the socket {} does not work: {source}", .path.display())]
    Unusable { path: PathBuf, source: io::Error },
}

/// The maximum length of a socket's file name in [`runtime_dir`], in bytes. A session's name, `{uuid}.sock`,
/// has 41 bytes.
pub const NAME_MAX: usize = 44;

/// The maximum length of a socket's path, in bytes. Only macOS has a limit: on Linux and Windows, this crate
/// supports longer paths.
const PATH_MAX: usize = if cfg!(target_os = "macos") { 103 } else { usize::MAX };

/// Returns the folder for this user's sockets: `$XDG_RUNTIME_DIR/beads-console`, or a private folder in the
/// system's temporary folder or in `/tmp`. The first folder in which every socket path is short enough is
/// used. Creates the folder if it is missing, and refuses it if other users could access it.
pub fn runtime_dir() -> Result<PathBuf, SocketError> {
    runtime_dir_in(std::env::var_os("XDG_RUNTIME_DIR").as_deref(), &std::env::temp_dir())
}

fn runtime_dir_in(runtime: Option<&OsStr>, temporary: &Path) -> Result<PathBuf, SocketError> {
    let runtime = runtime.map(PathBuf::from).filter(|dir| dir.is_absolute() && dir.is_dir());
    let path = folder_with_room(runtime.as_deref(), temporary, &os::user_tag(), PATH_MAX);
    match os::make_private_dir(&path) {
        Ok(()) => Ok(path),
        Err(source) => Err(SocketError::Folder { path, source }),
    }
}

/// Returns the first folder in which every socket path has at most `limit` bytes, or else the folder in
/// `/tmp`.
fn folder_with_room(runtime: Option<&Path>, temporary: &Path, user: &str, limit: usize) -> PathBuf {
    let own = format!("beads-console-{user}");
    let last = Path::new("/tmp").join(&own);
    let preferred = runtime.map(|dir| dir.join("beads-console"));
    // The path of macOS's temporary folder has 48 bytes, so only the short name fits.
    let in_temporary = [temporary.join(&own), temporary.join(format!("bc-{user}"))];
    let has_room = |dir: &PathBuf| dir.as_os_str().len().saturating_add(1 + NAME_MAX) <= limit;
    preferred.into_iter().chain(in_temporary).find(has_room).unwrap_or(last)
}

/// Creates a socket in [`runtime_dir`], connects to it and verifies the peer's user. Returns the folder.
pub fn check() -> Result<PathBuf, SocketError> {
    check_in(runtime_dir()?)
}

fn check_in(folder: PathBuf) -> Result<PathBuf, SocketError> {
    let path = folder.join(format!("check-{}.sock", std::process::id()));
    let bound = bind(&path)?;
    let tried = connect(&path).and_then(|client| {
        let (server, _) = bound.listener.accept()?;
        let own = os::peer_is_us(&server)?;
        drop(client);
        own.then_some(()).ok_or_else(|| io::Error::other("the peer was taken for another user"))
    });
    match tried {
        Ok(()) => Ok(folder),
        Err(source) => Err(SocketError::Unusable { path, source }),
    }
}

/// A listening socket. Dropping it removes its file.
#[derive(Debug)]
pub struct Bound {
    listener: Listener,
    path: PathBuf,
}

/// Listens at a path. Replaces a stale socket, but not a socket that is in use.
pub fn bind(path: &Path) -> Result<Bound, SocketError> {
    if os::connect(path).is_ok() {
        return Err(SocketError::InUse { path: path.to_owned() });
    }
    let listener = os::bind(path).map_err(|source| SocketError::Bind { path: path.to_owned(), source })?;
    Ok(Bound { listener, path: path.to_owned() })
}

/// Connects to the socket at this path. Returns an error if no process listens.
pub fn connect(path: &Path) -> io::Result<Stream> {
    os::connect(path)
}

/// Sends as many bytes as the connection accepts without blocking. Returns their number, which can be 0.
pub fn try_send(stream: &Stream, bytes: &[u8]) -> io::Result<usize> {
    os::try_send(stream, bytes)
}

/// A reader for a thread that only reads from one connection. It waits in `poll`, so that only incoming data
/// wakes the thread. On Linux, a thread that blocks in `read` is also woken each time the peer reads.
#[derive(Debug)]
pub struct PolledReader(Stream);

impl PolledReader {
    /// Takes ownership of the connection. The connection must not have a read timeout, because the wait in
    /// `poll` has none.
    pub fn new(stream: Stream) -> PolledReader {
        PolledReader(stream)
    }
}

impl Read for PolledReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        os::wait_readable(&self.0)?;
        self.0.read(bytes)
    }
}

impl Bound {
    /// The path at which clients connect.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for the next connection by the same user. Closes connections by other users.
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
        // Ignore an error: the next `bind` replaces a remaining file.
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
    fn the_folder_is_private_and_a_shared_folder_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let dir = runtime_dir_in(Some(home.path().as_os_str()), Path::new("/nowhere")).unwrap();
        assert_eq!(mode(&dir), 0o700);
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        let error = runtime_dir_in(Some(home.path().as_os_str()), Path::new("/nowhere")).unwrap_err();
        assert!(error.to_string().contains("chmod 700"), "{error}");
    }

    #[test]
    fn without_a_runtime_folder_a_temporary_one_is_used_and_a_symlink_is_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = runtime_dir_in(None, temporary.path()).unwrap();
        assert!(dir.starts_with(temporary.path()));
        fs::remove_dir(&dir).unwrap();
        std::os::unix::fs::symlink("/", &dir).unwrap();
        assert!(runtime_dir_in(None, temporary.path()).is_err());
    }

    #[test]
    fn a_socket_is_private_carries_bytes_and_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.sock");
        let bound = bind(&path).unwrap();
        assert_eq!(mode(&path), 0o600);
        let mut client = connect(&path).unwrap();
        let mut server = bound.accept().unwrap();
        client.write_all(b"hello").unwrap();
        drop(client);
        let mut text = String::new();
        server.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
        drop(bound);
        assert!(!path.exists());
    }

    #[test]
    fn a_polled_reader_reads_to_the_end_of_the_connection() {
        let (ours, mut theirs) = Stream::pair().unwrap();
        let reading = thread::spawn(move || {
            let mut text = String::new();
            PolledReader::new(ours).read_to_string(&mut text).map(|_| text)
        });
        theirs.write_all(b"hel").unwrap();
        theirs.write_all(b"lo").unwrap();
        drop(theirs);
        assert_eq!(reading.join().unwrap().unwrap(), "hello");
    }

    #[test]
    fn a_stale_socket_is_replaced_and_one_in_use_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.sock");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        let bound = bind(&path).unwrap();
        assert!(matches!(bind(&path), Err(SocketError::InUse { .. })));
        drop(bound);
    }

    /// The maximum length of a socket path on macOS, in bytes.
    const LIMIT: usize = 103;

    fn folder(runtime: Option<&str>, temporary: &str) -> String {
        folder_with_room(runtime.map(Path::new), Path::new(temporary), "501", LIMIT).display().to_string()
    }

    #[test]
    fn socket_paths_fit_in_the_macos_temporary_folder() {
        let usual = "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/";
        assert_eq!(usual.len(), 49);
        let chosen = folder(None, usual);
        assert_eq!(chosen, format!("{usual}bc-501"));
        assert!(chosen.len() + 1 + NAME_MAX <= LIMIT, "{}", chosen.len());
        assert_eq!(folder(None, "/tmp"), "/tmp/beads-console-501");
    }

    #[test]
    fn a_temporary_folder_of_90_characters_is_skipped() {
        let long = format!("/{}", "t".repeat(89));
        assert_eq!(folder(None, &long), "/tmp/beads-console-501");
        assert_eq!(folder(Some(&long), "/tmp"), "/tmp/beads-console-501");
        assert_eq!(folder(Some("/run/user/501"), &long), "/run/user/501/beads-console");
        let unlimited = folder_with_room(Some(Path::new(&long)), Path::new("/tmp"), "501", usize::MAX);
        assert_eq!(unlimited, Path::new(&long).join("beads-console"), "Linux binds any path");
    }

    #[test]
    fn a_socket_with_the_longest_name_can_be_bound() {
        let base = tempfile::tempdir().unwrap();
        let room = LIMIT - base.path().as_os_str().len() - 1 - (1 + NAME_MAX);
        let folder = base.path().join("d".repeat(room));
        fs::create_dir(&folder).unwrap();
        let path = folder.join(format!("{}.sock", "n".repeat(NAME_MAX - 5)));
        assert_eq!(path.as_os_str().len(), LIMIT);
        let bound = bind(&path).unwrap();
        let _client = connect(&path).unwrap();
        bound.accept().unwrap();
    }

    #[test]
    fn a_socket_check_leaves_no_files_and_names_an_unusable_folder() {
        let dir = tempfile::tempdir().unwrap();
        check_in(dir.path().to_owned()).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        let missing = dir.path().join("missing");
        let error = check_in(missing.clone()).unwrap_err();
        assert!(error.to_string().contains(missing.to_str().unwrap()), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_path_longer_than_a_socket_address_works() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("d".repeat(120));
        fs::create_dir(&deep).unwrap();
        let path = deep.join("s.sock");
        let bound = bind(&path).unwrap();
        let _client = connect(&path).unwrap();
        bound.accept().unwrap();
    }
}
