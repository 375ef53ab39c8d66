//! The lock that makes a process a project's engine, and the file that announces the engine's socket.

use crate::context::{Project, errors::file_error};
use bc_store::{SessionStore, file, lock::FileLock};
use bc_wire::ApiError;
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The engine's lock, held while this process is the engine.
pub(crate) struct EngineLock {
    store: SessionStore,
    lock: FileLock,
}

/// The engine's lock, taken before the project is opened. Other processes that open the project wait for this
/// process.
pub struct EngineClaim(EngineLock);

impl EngineClaim {
    /// Takes the lock. `None` if another process has it, or if taking it fails; opening the project later reports
    /// why.
    pub fn take(project: &Project) -> Option<EngineClaim> {
        match EngineLock::take(project) {
            Ok(Taken::Ours(lock)) => Some(EngineClaim(lock)),
            _ => None,
        }
    }

    /// The lock; `None` if the project's folder was deleted or replaced meanwhile.
    pub(crate) fn lock(self) -> Option<EngineLock> {
        Some(self.0).filter(EngineLock::is_current)
    }
}

pub(crate) enum Taken {
    /// This process is the engine.
    Ours(EngineLock),
    /// Another process is the engine. The path is its socket, if the socket is already announced.
    Theirs(Option<PathBuf>),
    /// The project's folder cannot be written, for the given reason.
    Unwritable(ApiError),
}

/// `engine.json`: the engine's socket. Valid only while the lock is held.
#[derive(Serialize, Deserialize)]
struct Announcement {
    version: u32,
    pid: u32,
    socket: PathBuf,
}

impl EngineLock {
    /// Tries once to take the lock, without waiting.
    pub(crate) fn take(project: &Project) -> Result<Taken, ApiError> {
        let store = match SessionStore::open(&project.beads_dir) {
            Ok(store) => store,
            Err(e) if e.is_read_only() || e.is_disk_full() => return Ok(Taken::Unwritable(file_error(e))),
            Err(e) => return Err(file_error(e)),
        };
        match FileLock::try_exclusive(&lock_path(&store)) {
            Ok(Some(lock)) => Ok(Taken::Ours(EngineLock { store, lock })),
            Ok(None) => Ok(Taken::Theirs(announced(store.path()))),
            Err(e) if e.is_read_only() || e.is_disk_full() => Ok(Taken::Unwritable(file_error(e))),
            Err(e) => Err(file_error(e)),
        }
    }

    /// Takes the lock as soon as it is free; `None` if another process still has it after this time.
    pub(crate) fn wait(project: &Project, time: Duration) -> Result<Option<EngineLock>, ApiError> {
        let store = SessionStore::open(&project.beads_dir).map_err(file_error)?;
        let lock = FileLock::exclusive(&lock_path(&store), time).map_err(file_error)?;
        Ok(lock.map(|lock| EngineLock { store, lock }))
    }

    /// The session store that was opened for the lock.
    pub(crate) fn store(&self) -> &SessionStore {
        &self.store
    }

    /// Whether the project's folder still contains this lock.
    pub(crate) fn is_current(&self) -> bool {
        self.lock.is_current()
    }

    /// A new socket path, whose name no other engine or earlier call uses.
    pub(crate) fn socket_path(&self) -> Result<PathBuf, bc_process::socket::SocketError> {
        use std::{
            hash::{DefaultHasher, Hash, Hasher},
            sync::atomic::{AtomicU32, Ordering},
        };
        // The count makes the name unique if a process closes a project and opens it again.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut hasher = DefaultHasher::new();
        self.store.path().hash(&mut hasher);
        let name = format!(
            "engine-{:016x}-{}-{}.sock",
            hasher.finish(),
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        Ok(bc_process::socket::runtime_dir()?.join(name))
    }

    pub(crate) fn announce(&self, socket: &Path) -> Result<(), ApiError> {
        let said = Announcement { version: 1, pid: std::process::id(), socket: socket.to_owned() };
        let text = serde_json::to_vec_pretty(&said).expect("an announcement is JSON");
        file::replace_volatile(&self.store.path().join("engine.json"), &text).map_err(file_error)
    }
}

impl Drop for EngineLock {
    fn drop(&mut self) {
        // If the folder was replaced, the file in it belongs to another engine. A leftover file only costs
        // the next client a failed connection.
        if self.is_current() {
            let _ = file::remove(&self.store.path().join("engine.json"));
        }
    }
}

fn lock_path(store: &SessionStore) -> PathBuf {
    store.path().join("engine.lock")
}

fn announced(folder: &Path) -> Option<PathBuf> {
    let text = file::read(&folder.join("engine.json")).ok().flatten()?;
    serde_json::from_slice::<Announcement>(&text).ok().map(|a| a.socket)
}
