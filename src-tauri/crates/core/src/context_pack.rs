//! `context.json`: the code context of a session.

use crate::{
    Timestamp,
    ids::{BeadId, ProjectId},
};
use serde::{Deserialize, Serialize};

/// A snapshot of code context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ContextPack {
    pub id: String,
    pub created_at: Timestamp,
    pub project_id: ProjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bead_id: Option<BeadId>,
    /// The search text, if the pack is the result of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Source files or parts of them.
    pub files: Vec<PackFile>,
    pub symbols: Vec<PackSymbol>,
    /// Uses of symbols by other symbols.
    pub dependencies: Vec<PackDependency>,
    /// Configuration files.
    pub config: Vec<PackText>,
    pub docs: Vec<PackText>,
    /// The latest commits, one line each. An extension of the specification.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
    pub generation_method: GenerationMethod,
    /// The estimated size in tokens.
    #[specta(type = u32)]
    pub total_tokens: u64,
    /// Whether content was omitted because of its size.
    pub truncated: bool,
}

/// How a context pack was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum GenerationMethod {
    /// From a graph of the code.
    Codegraph,
    /// From heuristics, such as files named in the bead, search matches and convention files.
    Heuristic,
    /// From heuristics, with pieces that the user added, removed or pinned.
    Manual,
}

/// A file of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackFile {
    /// The path, relative to the repository.
    pub path: String,
    /// The file's text, or an excerpt.
    pub content: String,
    /// The language, for syntax highlighting.
    pub language: String,
    /// The relevance, 0 to 1.
    pub relevance_score: f64,
    /// Whether `content` is only an excerpt.
    pub excerpt_only: bool,
    /// The first line of the excerpt, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// The last line of the excerpt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// Why the file is in the pack. An extension of the specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A symbol of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackSymbol {
    pub name: String,
    /// The kind: function, type …
    pub kind: String,
    /// The file that defines it, relative to the repository.
    pub file_path: String,
    /// The line, from 1.
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// A use of one symbol by another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackDependency {
    pub from_symbol: String,
    pub to_symbol: String,
    /// The kind of use: calls, implements …
    #[serde(rename = "type")]
    pub kind: String,
}

/// A configuration file or document of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackText {
    /// The path, relative to the repository.
    pub path: String,
    pub content: String,
}
