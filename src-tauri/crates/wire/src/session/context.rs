//! The context pack of a new session: its preview, and the user's choices.

use crate::ApiError;
use bc_core::ids::BeadId;
use serde::{Deserialize, Serialize};

/// The user's choices for a context pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct PackRequest {
    /// The maximum size of the context pack in tokens; 10,000 by default.
    pub budget: Option<u32>,
    /// The template, by its name in `.beads/context-templates`.
    pub template: Option<String>,
    /// Files that the user adds: `path` or `path:first-last`, relative to the working folder.
    pub add: Vec<String>,
    /// Pieces that the user removed, by key.
    pub remove: Vec<String>,
    /// Pieces that come first, by key.
    pub pin: Vec<String>,
    /// The pieces that the user saw, by key; no other piece is sent. If absent, every piece that fits is
    /// sent.
    pub only: Option<Vec<String>>,
}

/// Parameters of `session.context_pack`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct PackParams {
    pub bead_id: Option<BeadId>,
    pub title: Option<String>,
    pub objective: Option<String>,
    pub pack: PackRequest,
}

/// The result of `session.context_pack`: the pieces, and which of them would be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackPreview {
    /// The maximum size of the context pack in tokens.
    pub budget: u32,
    /// The size of the included pieces in tokens, with their headings.
    pub tokens: u32,
    /// All pieces found: first the included pieces in order, then the others.
    pub pieces: Vec<PackPiece>,
    #[serde(default)]
    pub templates: Vec<PackTemplate>,
    /// Data that could not be searched or read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A piece of a context pack: a file or parts of it, or a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct PackPiece {
    /// Identifies the piece in a [`PackRequest`].
    pub key: String,
    pub kind: PackKind,
    /// The path of a file, relative to the repository, or the title of a list.
    pub path: String,
    /// Why the piece was found.
    pub reason: String,
    /// The relevance, 0 to 1. More relevant pieces are included first.
    pub relevance: f64,
    /// The size of the included text in tokens, or the size of the whole piece if it is not included.
    pub tokens: u32,
    pub state: PackState,
    /// Whether the user pinned the piece.
    pub pinned: bool,
    /// The text that is sent, or that would be sent if the piece were included.
    pub excerpts: Vec<PackExcerpt>,
}

/// Consecutive lines of a piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PackExcerpt {
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
    /// Whether these are all lines of the file.
    pub whole: bool,
    pub text: String,
}

/// Whether a piece is sent, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PackState {
    /// The piece is sent.
    Included,
    /// The piece does not fit into the budget.
    LeftOut,
    /// The user removed the piece.
    Removed,
}

/// Why a piece is in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PackKind {
    /// The user added the piece.
    Added,
    /// The bead names the piece.
    Named,
    /// The template names the piece.
    Template,
    /// The piece contains or defines words of the bead.
    Match,
    /// An earlier session on the bead or its epic touched the file.
    Earlier,
    /// The file describes how to work on the project, such as CLAUDE.md.
    Convention,
    /// The file configures the project's tools.
    Config,
    /// A list of definitions with the bead's words in their names.
    Symbols,
    /// A list of the latest commits.
    Commits,
}

/// A context template of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PackTemplate {
    pub name: String,
    #[serde(default)]
    pub description: Option<String>,
    /// The template's budget in tokens, if it sets one.
    #[serde(default)]
    pub budget: Option<u32>,
    /// Why the template cannot be used.
    #[serde(default)]
    pub problem: Option<ApiError>,
}
