//! The formats of `outbox.json` and `host.json`, and functions that read and write a session's JSON files.

use super::StoreError;
use crate::{
    file,
    repository::{self, limits},
};
use bc_core::{Extra, Timestamp};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// The version of `outbox.json` and `host.json` that this build writes.
const VERSION: u32 = 1;

/// `outbox.json`: the queued prompts, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outbox {
    pub version: u32,
    pub items: Vec<OutboxItem>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for Outbox {
    fn default() -> Self {
        Outbox { version: VERSION, items: Vec::new(), extra: Extra::new() }
    }
}

/// A queued prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutboxItem {
    /// An id that is unique within the session.
    pub id: String,
    pub text: String,
    /// When the prompt was queued.
    pub at: Timestamp,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `host.json`: the session's host and its socket. The file can be left by a crash or come from a repository,
/// so it is valid only while another process holds `host.lock`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostInfo {
    pub version: u32,
    pub pid: u32,
    /// The start time of the process `pid`, in the system's units. It distinguishes the process from a later
    /// one with the same pid.
    pub process_start: u64,
    pub socket: PathBuf,
    /// Fields of other versions.
    #[serde(flatten)]
    pub extra: Extra,
}

impl HostInfo {
    /// Creates a record in the version that this build writes.
    pub fn new(pid: u32, process_start: u64, socket: PathBuf) -> HostInfo {
        HostInfo { version: VERSION, pid, process_start, socket, extra: Extra::new() }
    }
}

/// Reads a value from a JSON file. Returns `None` if the file does not exist.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    let Some(bytes) = repository::read(path, limits::RECORD)? else { return Ok(None) };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|source| StoreError::Broken { path: path.into(), source })
}

/// Reads a value from a JSON file. A missing file, or one that cannot be parsed, yields the default value.
pub(super) fn read_json_or_default<T: DeserializeOwned + Default>(path: &Path) -> Result<T, StoreError> {
    match read_json(path) {
        Ok(value) => Ok(value.unwrap_or_default()),
        Err(StoreError::Broken { .. }) => Ok(T::default()),
        Err(error) => Err(error),
    }
}

/// Replaces the file with the value, written with a two-space indent and a trailing newline.
pub(super) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), StoreError> {
    Ok(file::replace(path, &json_bytes(path, value)?)?)
}

/// Returns the bytes that [`write_json`] writes.
pub(super) fn json_bytes<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, StoreError> {
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|source| StoreError::Encode { path: path.into(), source })?;
    bytes.push(b'\n');
    Ok(bytes)
}
