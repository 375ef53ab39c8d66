//! `context.json`: the code context that a session was given.

use crate::{
    Timestamp,
    ids::{BeadId, ProjectId},
};
use serde::{Deserialize, Serialize};

/// A snapshot of code context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ContextPack {
    /// A UUID.
    pub id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Which project.
    pub project_id: ProjectId,
    /// For which bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bead_id: Option<BeadId>,
    /// What was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Source files or parts of them.
    pub files: Vec<PackFile>,
    /// Symbols of interest.
    pub symbols: Vec<PackSymbol>,
    /// What uses what.
    pub dependencies: Vec<PackDependency>,
    /// Configuration files.
    pub config: Vec<PackText>,
    /// Documents.
    pub docs: Vec<PackText>,
    /// How it was made.
    pub generation_method: GenerationMethod,
    /// An estimate of its size in tokens.
    #[specta(type = u32)]
    pub total_tokens: u64,
    /// Whether something was left out for its size.
    pub truncated: bool,
}

/// How a context pack was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum GenerationMethod {
    /// From a graph of the code.
    Codegraph,
    /// From rules of thumb: convention files, files named in the bead.
    Heuristic,
    /// Chosen by a person.
    Manual,
}

/// A file of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackFile {
    /// Relative to the repository.
    pub path: String,
    /// Its text, or the excerpt.
    pub content: String,
    /// For highlighting.
    pub language: String,
    /// 0 to 1.
    pub relevance_score: f64,
    /// Whether `content` is not all of it.
    pub excerpt_only: bool,
    /// First line of the excerpt, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// Last line of the excerpt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
}

/// A symbol of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackSymbol {
    /// Its name.
    pub name: String,
    /// Function, type …
    pub kind: String,
    /// Where it is defined.
    pub file_path: String,
    /// The line, from 1.
    pub line: u32,
    /// Its signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Its documentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// A use of one symbol by another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackDependency {
    /// The user.
    pub from_symbol: String,
    /// The used.
    pub to_symbol: String,
    /// Calls, implements …
    #[serde(rename = "type")]
    pub kind: String,
}

/// A configuration file or document of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackText {
    /// Relative to the repository.
    pub path: String,
    /// Its text.
    pub content: String,
}
