//! Reads a session's folder. This module neither takes locks nor changes files.

use super::{HostInfo, Outbox, StoreError, Transcript, files::read_json, messages};
use crate::repository::{self, limits};
use bc_core::{Timestamp, context_pack::ContextPack, ids::SessionId, session::Meta};
use std::path::{Path, PathBuf};

/// The paths of a session's files. The files do not have to exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDir {
    id: SessionId,
    path: PathBuf,
}

impl SessionDir {
    pub(super) fn new(sessions: &Path, id: SessionId) -> SessionDir {
        SessionDir { id, path: sessions.join(id.to_string()) }
    }

    /// Returns the paths of the same session's files in another folder.
    pub(super) fn moved_to(self, path: &Path) -> SessionDir {
        SessionDir { id: self.id, path: path.into() }
    }

    /// The session's id.
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// The session's folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the session's `meta.json`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSession`] if the file does not exist; [`StoreError::Broken`] if it cannot be parsed;
    /// [`StoreError::Misplaced`] if it belongs to another session.
    pub fn meta(&self) -> Result<Meta, StoreError> {
        let path = self.meta_path();
        let meta: Meta = read_json(&path)?.ok_or(StoreError::NoSession { id: self.id })?;
        if meta.id == self.id { Ok(meta) } else { Err(StoreError::Misplaced { path, id: meta.id }) }
    }

    /// Returns the messages and the skipped lines. A missing file counts as empty.
    pub fn transcript(&self) -> Result<Transcript, StoreError> {
        messages::read(&self.messages_path())
    }

    /// Returns the context pack, if any.
    pub fn context(&self) -> Result<Option<ContextPack>, StoreError> {
        read_json(&self.context_path())
    }

    /// Returns the prompts that are queued for claude.
    pub fn outbox(&self) -> Result<Outbox, StoreError> {
        Ok(read_json(&self.outbox_path())?.unwrap_or_default())
    }

    /// Returns the last host's record, which is valid only while another process holds `host.lock`.
    pub fn host(&self) -> Result<Option<HostInfo>, StoreError> {
        read_json(&self.host_path())
    }

    /// Returns the time of the host's last heartbeat. Returns `None` if no heartbeat was written, or if the
    /// file's content is not a time, for example after a power cut.
    pub fn heartbeat(&self) -> Result<Option<Timestamp>, StoreError> {
        let Some(bytes) = repository::read(&self.heartbeat_path(), limits::POINTER)? else { return Ok(None) };
        Ok(std::str::from_utf8(&bytes).ok().and_then(|text| Timestamp::parse_from_rfc3339(text.trim()).ok()))
    }

    /// The path of `meta.json`.
    pub fn meta_path(&self) -> PathBuf {
        self.path.join("meta.json")
    }

    /// The path of `messages.jsonl`.
    pub fn messages_path(&self) -> PathBuf {
        self.path.join("messages.jsonl")
    }

    /// The path of `context.json`.
    pub fn context_path(&self) -> PathBuf {
        self.path.join("context.json")
    }

    /// The path of `outbox.json`.
    pub fn outbox_path(&self) -> PathBuf {
        self.path.join("outbox.json")
    }

    /// The path of the file with the host's last heartbeat.
    pub fn heartbeat_path(&self) -> PathBuf {
        self.path.join("heartbeat")
    }

    /// The path of `host.json`.
    pub fn host_path(&self) -> PathBuf {
        self.path.join("host.json")
    }

    /// The path of the lock file, which the session's host holds.
    pub fn lock_path(&self) -> PathBuf {
        self.path.join("host.lock")
    }
}
