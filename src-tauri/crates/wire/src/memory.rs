//! Commands on memories. A memory is identified by its key or its id.

use bc_core::{
    Extra, Timestamp,
    ids::{BeadId, SessionId},
    memory::{MemoryEntry, MemoryType, Proposal, Relation},
    recovery::Reason,
};
use serde::{Deserialize, Serialize};

/// Which memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryRef {
    /// Its key, or its id.
    pub key: String,
}

/// Parameters of `memory.get`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryGetParams {
    /// Its key, or its id.
    pub key: String,
    /// Whether the memory is used, not only viewed: the use is recorded and counts as recent.
    #[serde(default)]
    pub used: bool,
}

/// Parameters of `memory.list`. Everything given must be true of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryListParams {
    /// Stored by this agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Of this type.
    #[serde(default)]
    pub memory_type: Option<MemoryType>,
    /// With at least one of these.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Stored in this session.
    #[serde(default)]
    pub session: Option<String>,
    /// Learned on this bead.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Forgotten ones too.
    #[serde(default)]
    pub forgotten: bool,
    /// The maximum number of results; default all.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Parameters of `memory.search`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemorySearchParams {
    /// Words that must all occur in a memory, ignoring case.
    pub query: String,
    /// Further filters; their limit defaults to 10.
    #[serde(default)]
    pub filter: MemoryListParams,
}

/// Where memories are kept.
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

/// Memories, without their texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemoryList {
    /// The last changed first; what is found, the best first.
    pub memories: Vec<MemoryEntry>,
    /// How many there are, whatever the limit.
    pub total: u32,
    /// Where they are kept.
    pub kept_in: MemoryPlace,
    /// Every agent, session and tag that any memory has, for choosing.
    pub facets: MemoryFacets,
    /// Keys of memories that say nearly the same, one list for each group, the oldest first.
    #[serde(default)]
    pub duplicates: Vec<Vec<String>>,
    /// What could not be read, and what is kept elsewhere for now.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// What memories can be chosen by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryFacets {
    /// Agents.
    pub agents: Vec<String>,
    /// Sessions, the newest first.
    pub sessions: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
}

/// A memory with its text and what is around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemoryShown {
    /// It.
    pub memory: MemoryEntry,
    /// Other memories that it is linked to, either way, without their texts.
    #[serde(default)]
    pub linked: Vec<LinkedMemory>,
    /// Where agents were told it, the latest first.
    #[serde(default)]
    pub uses: Vec<MemoryUse>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A memory at the other end of a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LinkedMemory {
    /// Its id.
    pub id: BeadId,
    /// Its key.
    pub key: String,
    /// Its title.
    pub title: String,
    /// How they belong together.
    pub kind: Relation,
    /// Whether the one that was asked for is the parent.
    pub is_child: bool,
}

/// A place where an agent was told a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryUse {
    /// The session.
    pub session_id: SessionId,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: Reason,
}

/// Parameters of `memory.save`. Absent ones leave an existing memory's values unchanged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemorySaveParams {
    /// Its name; made from the text unless given.
    #[serde(default)]
    pub key: Option<String>,
    /// One line; made from the text unless given.
    #[serde(default)]
    pub title: Option<String>,
    /// Markdown, at most 2 MiB.
    pub content: String,
    /// What kind of thing it is; `learning` unless given.
    #[serde(default)]
    pub memory_type: Option<MemoryType>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// 1 to 10.
    #[serde(default)]
    pub importance: Option<u8>,
    /// Who remembers it; the caller unless given.
    #[serde(default)]
    pub agent: Option<String>,
    /// In which session; the caller's unless given.
    #[serde(default)]
    pub session: Option<String>,
    /// The bead that it was learned on; the session's unless given.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// It was learned on no bead: the one that it has is taken off.
    #[serde(default)]
    pub no_bead: bool,
    /// More about it.
    #[serde(default)]
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub metadata: Extra,
    /// Although it looks as if there were a secret in it.
    #[serde(default)]
    pub anyway: bool,
}

/// The result of storing a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MemoryAction {
    /// It is new.
    Remembered,
    /// It took the place of an older one.
    Updated,
}

/// A memory that was stored; it is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemorySaved {
    /// The id of its row.
    pub id: BeadId,
    /// Its key.
    pub key: String,
    /// What became of it.
    pub action: MemoryAction,
    /// Where it is.
    pub kept_in: MemoryPlace,
    /// What to know: the tracker failed and it is kept in the file until it works again.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `memory.link`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryLinkParams {
    /// The memory that depends on the other.
    pub child: String,
    /// The other one; a bead's id too.
    pub parent: String,
    /// How they belong together; `related` unless given.
    #[serde(default)]
    pub kind: Option<Relation>,
}

/// Parameters of `memory.unlink`. Which way the link goes makes no difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryUnlinkParams {
    /// The memory.
    pub key: String,
    /// What it is linked to; a bead's id too.
    pub other: String,
}

/// Parameters of `memory.merge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryMergeParams {
    /// Two or more; the first absorbs the others, which are forgotten.
    pub keys: Vec<String>,
}

/// Proposals drawn from a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Proposals {
    /// What matters most first; nothing that is known already.
    pub proposals: Vec<Proposal>,
}

/// Parameters of `memory.prime`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PrimeParams {
    /// How many characters memories may take; 4,000 unless given.
    #[serde(default)]
    pub budget: Option<u32>,
    /// For work on this bead.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Of this session.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The folder whose uncommitted files are listed.
    #[serde(default)]
    pub cwd: Option<String>,
}

/// The text that an agent receives before it starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PrimeText {
    /// All of it: rules and commands, where the work stands, what is known.
    pub text: String,
    /// The part with the memories; empty where there are none.
    pub memories: String,
    /// The keys of the memories in it.
    pub keys: Vec<String>,
    /// How many memories found no room.
    pub left_out: u32,
    /// The bead that it is about.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `memory.import`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryImportParams {
    /// The Markdown file, from the project's folder; `MEMORY.md` unless given.
    #[serde(default)]
    pub path: Option<String>,
    /// Only the points with these keys.
    #[serde(default)]
    pub only: Option<Vec<String>>,
    /// Look at its points; nothing is stored.
    #[serde(default)]
    pub preview: bool,
    /// Although it looks as if there were secrets in it.
    #[serde(default)]
    pub anyway: bool,
}

/// A point of a Markdown file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ImportPoint {
    /// The key that it gets.
    pub key: String,
    /// What it says.
    pub text: String,
    /// The heading that it stands below; a tag.
    #[serde(default)]
    pub section: Option<String>,
    /// It is remembered already, or was forgotten.
    pub known: bool,
    /// The kinds of secrets that it seems to hold.
    #[serde(default)]
    pub secrets: Vec<String>,
}

/// What came of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct MemoryImported {
    /// The keys of the memories that were made, in the order of the file.
    pub keys: Vec<String>,
    /// How many were there already.
    pub known: u32,
    /// The points of the file, where it was only looked at.
    #[serde(default)]
    pub points: Vec<ImportPoint>,
    /// What to know.
    #[serde(default)]
    pub warnings: Vec<String>,
}
