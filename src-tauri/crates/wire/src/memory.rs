//! Parameters and results of commands for memories. A memory is identified by its key or its id.

use bc_core::{
    Extra, Timestamp,
    ids::{BeadId, SessionId},
    memory::{MemoryEntry, MemoryType, Proposal, Relation},
    recovery::Reason,
};
use serde::{Deserialize, Serialize};

/// Identifies a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryRef {
    /// The memory's key or id.
    pub key: String,
}

/// Parameters of `memory.get`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryGetParams {
    /// The memory's key or id.
    pub key: String,
    /// Whether the memory is used, not only viewed. A use is recorded and makes the memory count as recently
    /// used.
    #[serde(default)]
    pub used: bool,
}

/// Parameters of `memory.list`. A memory must match all given filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct MemoryListParams {
    /// Only memories stored by this agent.
    pub agent: Option<String>,
    /// Only memories of this type.
    pub memory_type: Option<MemoryType>,
    /// Only memories with at least one of these tags.
    pub tags: Vec<String>,
    /// Only memories stored in this session.
    pub session: Option<String>,
    /// Only memories of this bead.
    pub bead: Option<BeadId>,
    /// Whether to include forgotten memories.
    pub forgotten: bool,
    /// The maximum number of results; all by default.
    pub limit: Option<u32>,
}

/// Parameters of `memory.search`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemorySearchParams {
    /// Words that must all occur in a memory, ignoring case.
    pub query: String,
    /// Further filters; the limit is 10 by default.
    #[serde(default)]
    pub filter: MemoryListParams,
}

/// Where a project's memories are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MemoryPlace {
    /// Pinned beads of bd, and bd's own memories.
    Bd,
    /// Pinned beads of br.
    Br,
    /// `.beads/memories.jsonl`.
    File,
}

/// The result of `memory.list` and `memory.search`, without the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemoryList {
    /// The memories, last changed first; search results, best match first.
    pub memories: Vec<MemoryEntry>,
    /// The total number, regardless of the limit.
    pub total: u32,
    pub kept_in: MemoryPlace,
    /// The agents, sessions and tags of all memories, or of the memories that match a search.
    pub facets: MemoryFacets,
    /// Keys of nearly identical memories, one list per group, oldest first; empty for a search.
    #[serde(default)]
    pub duplicates: Vec<Vec<String>>,
    /// Unreadable data, and memories that are temporarily stored elsewhere.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The values that memories have, to offer as filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryFacets {
    pub agents: Vec<String>,
    /// Sessions, in the order of their latest memories, most recently changed first.
    pub sessions: Vec<String>,
    pub tags: Vec<String>,
}

/// A memory with its text, links and uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemoryShown {
    pub memory: MemoryEntry,
    /// Linked memories in both directions, without their text.
    #[serde(default)]
    pub linked: Vec<LinkedMemory>,
    /// The uses in recent sessions, latest first.
    #[serde(default)]
    pub uses: Vec<MemoryUse>,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A memory that is linked to the requested memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LinkedMemory {
    pub id: BeadId,
    pub key: String,
    pub title: String,
    pub kind: Relation,
    /// Whether the requested memory is the parent.
    pub is_child: bool,
}

/// One use of a memory: a session received it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryUse {
    pub session_id: SessionId,
    pub at: Timestamp,
    pub reason: Reason,
}

/// Parameters of `memory.save`. An existing memory keeps its agent and session and, if the parameters are
/// absent, its type, tags and importance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemorySaveParams {
    /// The key; derived from the text by default.
    #[serde(default)]
    pub key: Option<String>,
    /// A one-line title; derived from the text by default.
    #[serde(default)]
    pub title: Option<String>,
    /// Markdown, at most 2 MiB.
    pub content: String,
    /// The type; `learning` by default for a new memory.
    #[serde(default)]
    pub memory_type: Option<MemoryType>,
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// The importance, 1 to 10.
    #[serde(default)]
    pub importance: Option<u8>,
    /// The agent that stores the memory; the caller by default.
    #[serde(default)]
    pub agent: Option<String>,
    /// The session in which the memory is stored; the caller's by default.
    #[serde(default)]
    pub session: Option<String>,
    /// The memory's bead; the session's bead by default.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Whether to remove the memory's bead.
    #[serde(default)]
    pub no_bead: bool,
    /// Additional data.
    #[serde(default)]
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub metadata: Extra,
    /// Whether to store the memory despite a suspected secret.
    #[serde(default)]
    pub anyway: bool,
}

/// The effect of storing a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MemoryAction {
    Remembered,
    /// A memory with the same key existed and was updated.
    Updated,
}

/// The result of `memory.save`; the memory is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemorySaved {
    pub id: BeadId,
    pub key: String,
    pub action: MemoryAction,
    pub kept_in: MemoryPlace,
    /// Warnings, for example that the tracker failed and the memory is in the file until the tracker works
    /// again.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `memory.link`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryLinkParams {
    /// The dependent memory.
    pub child: String,
    /// The other memory, or a bead's id.
    pub parent: String,
    /// The kind of link; `related` by default.
    #[serde(default)]
    pub kind: Option<Relation>,
}

/// Parameters of `memory.unlink`. The direction of the link does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryUnlinkParams {
    pub key: String,
    /// The other end of the link, which can be a bead's id.
    pub other: String,
}

/// Parameters of `memory.merge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryMergeParams {
    /// Two or more memories; the first absorbs the others, which are forgotten.
    pub keys: Vec<String>,
}

/// The result of `memory.proposals`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Proposals {
    /// The proposals, most important first; known memories are excluded.
    pub proposals: Vec<Proposal>,
}

/// Parameters of `memory.prime`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct PrimeParams {
    /// The maximum length of the memories in characters; 4,000 by default.
    pub budget: Option<u32>,
    /// The bead to work on.
    pub bead: Option<BeadId>,
    pub session: Option<SessionId>,
    /// The folder whose uncommitted files are listed.
    pub cwd: Option<String>,
}

/// The result of `memory.prime`: the text that an agent receives before it starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PrimeText {
    /// The complete text: rules and commands, the state of the work, and memories.
    pub text: String,
    /// The part with the memories; empty without memories.
    pub memories: String,
    /// The keys of the memories in the text.
    pub keys: Vec<String>,
    /// The number of memories omitted for lack of space.
    pub left_out: u32,
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `memory.import`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct MemoryImportParams {
    /// The Markdown file, relative to the project's folder; `MEMORY.md` by default.
    pub path: Option<String>,
    /// The keys of the items to import; all new items by default.
    pub only: Option<Vec<String>>,
    /// Whether to only list the file's items and store nothing.
    pub preview: bool,
    /// Whether to import despite suspected secrets.
    pub anyway: bool,
}

/// An item of a Markdown file that can become a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ImportPoint {
    /// The key that the item has as a memory.
    pub key: String,
    pub text: String,
    /// The item's heading, used as a tag.
    #[serde(default)]
    pub section: Option<String>,
    /// Whether a memory with this key exists, was forgotten, or comes earlier in the file.
    pub known: bool,
    /// The kinds of suspected secrets in the item.
    #[serde(default)]
    pub secrets: Vec<String>,
}

/// The result of `memory.import`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryImported {
    /// The keys of the new memories, in the order of the file.
    pub keys: Vec<String>,
    /// The number of known items.
    pub known: u32,
    /// The items of the file, in a preview.
    #[serde(default)]
    pub points: Vec<ImportPoint>,
    #[serde(default)]
    pub warnings: Vec<String>,
}
