//! The lock that makes a process a project's engine, and where that engine listens.

use crate::{errors::file_error, project::Project};
use bc_store::{SessionStore, file, lock::FileLock};
use bc_wire::ApiError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Held while this process is the engine; let go when it ends, however it ends.
pub(crate) struct EngineLock {
    store: SessionStore,
    lock: FileLock,
}

/// The right to be a project's engine, taken before the project is opened: whoever else opens it waits for that.
pub struct Claim(EngineLock);

impl Claim {
    /// `None` where somebody else has it, or nobody can; opening the project says which.
    pub fn take(project: &Project) -> Option<Claim> {
        match EngineLock::take(project) {
            Ok(Taken::Ours(lock)) => Some(Claim(lock)),
            _ => None,
        }
    }

    /// The lock, unless the folder that it was taken in is not there any more.
    pub(crate) fn lock(self) -> Option<EngineLock> {
        Some(self.0).filter(EngineLock::is_current)
    }
}

/// What became of an attempt to take the lock.
pub(crate) enum Taken {
    /// This process is the engine.
    Ours(EngineLock),
    /// Another one is; its socket, if it has said so yet.
    Theirs(Option<PathBuf>),
    /// Nobody can be: the project's folder cannot be written, for this reason.
    Unwritable(ApiError),
}

/// `engine.json`: where the engine listens. Worthless without the lock's holder.
#[derive(Serialize, Deserialize)]
struct Announcement {
    version: u32,
    pid: u32,
    socket: PathBuf,
}

impl EngineLock {
    /// Tries once.
    pub(crate) fn take(project: &Project) -> Result<Taken, ApiError> {
        let store = match SessionStore::open(&project.beads_dir) {
            Ok(store) => store,
            Err(e) if e.is_read_only() || e.is_disk_full() => return Ok(Taken::Unwritable(file_error(e))),
            Err(e) => return Err(file_error(e)),
        };
        match FileLock::try_exclusive(&store.path().join("engine.lock")) {
            Ok(Some(lock)) => Ok(Taken::Ours(EngineLock { store, lock })),
            Ok(None) => Ok(Taken::Theirs(announced(store.path()))),
            Err(e) if e.is_read_only() || e.is_disk_full() => Ok(Taken::Unwritable(file_error(e))),
            Err(e) => Err(file_error(e)),
        }
    }

    /// The sessions that it is about; they were opened for it.
    pub(crate) fn store(&self) -> &SessionStore {
        &self.store
    }

    /// Whether the project's folder still has this lock in it.
    pub(crate) fn is_current(&self) -> bool {
        self.lock.is_current()
    }

    /// A path for the engine's socket, of this process alone.
    pub(crate) fn socket_path(&self) -> Result<PathBuf, bc_process::socket::SocketError> {
        use std::{
            hash::{DefaultHasher, Hash, Hasher},
            sync::atomic::{AtomicU32, Ordering},
        };
        // A process may close a project and open it again.
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

    /// Tells the others where the engine listens.
    pub(crate) fn announce(&self, socket: &Path) -> Result<(), ApiError> {
        let said = Announcement { version: 1, pid: std::process::id(), socket: socket.to_owned() };
        let text = serde_json::to_vec_pretty(&said).expect("an announcement is JSON");
        file::replace_volatile(&self.store.path().join("engine.json"), &text).map_err(file_error)
    }
}

impl Drop for EngineLock {
    fn drop(&mut self) {
        // Left behind it costs the next one a failed connect. In a folder that was made anew it is another's.
        if self.is_current() {
            let _ = file::remove(&self.store.path().join("engine.json"));
        }
    }
}

fn announced(folder: &Path) -> Option<PathBuf> {
    let text = file::read(&folder.join("engine.json")).ok().flatten()?;
    serde_json::from_slice::<Announcement>(&text).ok().map(|a| a.socket)
}
