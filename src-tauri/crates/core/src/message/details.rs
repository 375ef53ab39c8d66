//! Facts about a tool call that are not in its input or output, and the images of a message.

use serde::{Deserialize, Serialize};

/// Claude's record of a tool run, besides the tool's output.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ToolDetails {
    /// The changed lines of an edit, with their line numbers in the file; empty if there are too many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patch: Vec<PatchHunk>,
    /// The id of the subagent that the call started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The id of the background command that the call started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// Images in the output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageRef>,
}

impl ToolDetails {
    /// Whether there are no facts to store.
    pub fn is_empty(&self) -> bool {
        *self == ToolDetails::default()
    }
}

/// Consecutive lines of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PatchHunk {
    /// The first line's number before the edit, from 1.
    pub old_start: u32,
    /// The first line's number after the edit, from 1.
    pub new_start: u32,
    /// The lines, each with ` `, `-` or `+` as its first character.
    pub lines: Vec<String>,
}

/// An image, stored as a file in the session's `images` folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ImageRef {
    /// The file's name: a hash of the bytes, with the type as its extension.
    pub name: String,
    #[specta(type = u32)]
    pub bytes: u64,
}
