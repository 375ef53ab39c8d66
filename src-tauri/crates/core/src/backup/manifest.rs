//! `manifest.json`: what a backup is. No time is in it: the same records give the same manifest.

use serde::{Deserialize, Serialize};

const FORMAT: &str = "beads-console-backup";
const VERSION: u32 = 1;

/// The file that says what the others are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always the same word.
    pub format: String,
    /// The format's version.
    pub version: u32,
    /// How many beads, deleted ones too where the tracker keeps them.
    pub beads: usize,
    /// How many memories, forgotten ones too.
    pub memories: usize,
    /// How many records of sessions.
    pub sessions: usize,
    /// Of how many of them the conversation is there.
    pub transcripts: usize,
}

/// Why a manifest is none that this build goes by.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is no JSON, or not ours.
    #[error("it is no manifest of a backup")]
    Foreign,
    /// A newer build made it.
    #[error("it is of version {0}, and this Beads Console knows version {VERSION}: install a newer one")]
    Newer(u32),
}

impl Manifest {
    /// Of so many.
    pub fn new(beads: usize, memories: usize, sessions: usize, transcripts: usize) -> Manifest {
        Manifest { format: FORMAT.to_owned(), version: VERSION, beads, memories, sessions, transcripts }
    }

    /// Reads it; only the version of a newer one is looked at.
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

    /// The file.
    pub fn render(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("it has string keys");
        bytes.push(b'\n');
        bytes
    }
}
