//! `manifest.json`: describes a backup. It contains no time, so that equal records give an equal manifest.

use serde::{Deserialize, Serialize};

const FORMAT: &str = "beads-console-backup";
/// The newest version, in which conversations can have several files. A backup without such a conversation
/// has version 1, which older builds support.
const VERSION: u32 = 2;

/// The content of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `beads-console-backup`.
    pub format: String,
    pub version: u32,
    /// The number of beads, including deleted ones if the tracker keeps them.
    pub beads: usize,
    /// The number of memories, including forgotten ones.
    pub memories: usize,
    pub sessions: usize,
    /// The number of sessions with their conversation.
    pub transcripts: usize,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file is not a JSON manifest of this program.
    #[error("not a backup manifest")]
    Foreign,
    /// A newer build wrote the backup.
    #[error(
        "the backup has version {0}, but this Beads Console supports version {VERSION}: install a newer one"
    )]
    Newer(u32),
}

impl Manifest {
    /// Creates a manifest with these counts. `in_parts` states whether any conversation has several files.
    pub fn new(
        beads: usize,
        memories: usize,
        sessions: usize,
        transcripts: usize,
        in_parts: bool,
    ) -> Manifest {
        let version = if in_parts { VERSION } else { 1 };
        Manifest { format: FORMAT.to_owned(), version, beads, memories, sessions, transcripts }
    }

    /// Parses a manifest. A newer version is refused before its other fields are read.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|_| ManifestError::Foreign)?;
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        match (value.get("format").and_then(serde_json::Value::as_str), version) {
            (Some(FORMAT), Some(version)) if version > u64::from(VERSION) => {
                Err(ManifestError::Newer(u32::try_from(version).unwrap_or(u32::MAX)))
            }
            (Some(FORMAT), Some(_)) => serde_json::from_value(value).map_err(|_| ManifestError::Foreign),
            _ => Err(ManifestError::Foreign),
        }
    }

    /// Renders the file's content.
    pub fn render(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("objects have string keys");
        bytes.push(b'\n');
        bytes
    }
}
