//! The write lock on a session's files, and the writers of the record, prompt queue, context pack, heartbeat and host.
//! Other modules add writers for their files. Only the holder of the session's lock can write.

use super::{
    HostInfo, MessageWriter, Outbox, Problem, SessionDir, StoreError,
    files::{json_bytes, read_json, write_json},
    messages,
};
use crate::{file, lock::FileLock};
use bc_core::{Timestamp, context_pack::ContextPack, session::Meta};
use std::{fs::File, ops::Deref};

/// The write lock on a session's files, with their paths. The system releases the lock when the last holder
/// exits. To transfer the lock to a child process, pass it the open file and drop this value.
#[derive(Debug)]
pub struct SessionLock {
    dir: SessionDir,
    lock: FileLock,
}

impl SessionDir {
    /// Takes the write lock on the session's files. Returns `None` if its host or another process holds the
    /// lock.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if the folder does not exist.
    pub fn try_lock(&self) -> Result<Option<SessionLock>, StoreError> {
        if !self.path().is_dir() {
            return Err(StoreError::NoSession { id: self.id() });
        }
        let Some(lock) = FileLock::try_exclusive(&self.lock_path())? else { return Ok(None) };
        // No other process is writing, so any temporary files were left by a crash.
        file::sweep_temporaries(self.path())?;
        Ok(Some(SessionLock { dir: self.clone(), lock }))
    }

    /// Takes over the write lock that a parent process passed down as an open file. Returns `None` if the
    /// file does not hold the lock.
    pub fn inherited_lock(&self, file: File) -> Result<Option<SessionLock>, StoreError> {
        let lock = FileLock::from_inherited(file, &self.lock_path())?;
        Ok(lock.map(|lock| SessionLock { dir: self.clone(), lock }))
    }
}

impl SessionLock {
    /// The paths of the session's files.
    pub fn dir(&self) -> &SessionDir {
        &self.dir
    }

    /// Returns the open lock file, to pass to a child process. The lock is held while the file or a copy of
    /// it is open.
    pub fn into_file(self) -> File {
        self.lock.into_file()
    }

    /// Replaces `meta.json`. The new content is on disk when this function returns.
    ///
    /// # Panics
    ///
    /// Panics if the meta belongs to another session.
    pub fn save_meta(&self, meta: &Meta) -> Result<(), StoreError> {
        assert_eq!(meta.id, self.dir.id(), "a session's lock writes only that session's files");
        write_json(&self.dir.meta_path(), meta)
    }

    /// Opens `messages.jsonl` for appending and moves a torn last line to another file. Only one writer may
    /// exist at a time.
    pub fn message_writer(&self) -> Result<(MessageWriter, Vec<Problem>), StoreError> {
        messages::open(&self.dir.messages_path())
    }

    /// Replaces `context.json`.
    pub fn save_context(&self, pack: &ContextPack) -> Result<(), StoreError> {
        write_json(&self.dir.context_path(), pack)
    }

    /// Replaces `outbox.json`, or removes it if the outbox is empty.
    pub fn save_outbox(&self, outbox: &Outbox) -> Result<(), StoreError> {
        if outbox.items.is_empty() && outbox.extra.is_empty() {
            return Ok(file::remove(&self.dir.outbox_path())?);
        }
        write_json(&self.dir.outbox_path(), outbox)
    }

    /// Records a heartbeat. Does not wait for the disk, so a power cut can lose the heartbeat, but a crash of
    /// the program cannot.
    pub fn beat(&self, now: Timestamp) -> Result<(), StoreError> {
        Ok(file::replace_volatile(&self.dir.heartbeat_path(), format!("{}\n", now.to_rfc3339()).as_bytes())?)
    }

    /// Records the host. A power cut can lose the record, but then the host has also ended.
    pub fn save_host(&self, host: &HostInfo) -> Result<(), StoreError> {
        let path = self.dir.host_path();
        Ok(file::replace_volatile(&path, &json_bytes(&path, host)?)?)
    }

    /// Removes the host's record after a normal exit, unless the record belongs to another process.
    pub fn clear_host(&self, pid: u32) -> Result<(), StoreError> {
        let host: Option<HostInfo> = read_json(&self.dir.host_path()).ok().flatten();
        match host {
            Some(host) if host.pid != pid => Ok(()),
            _ => Ok(file::remove(&self.dir.host_path())?),
        }
    }
}

impl Deref for SessionLock {
    type Target = SessionDir;

    fn deref(&self) -> &SessionDir {
        &self.dir
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for SessionLock {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.lock.as_fd()
    }
}
