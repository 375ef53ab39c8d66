//! A memory with its type, attributes and links.

use crate::{Extra, Timestamp, ids::BeadId};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The type of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MemoryType {
    Conversation,
    Decision,
    /// An established practice.
    Pattern,
    /// Background needed to continue.
    Context,
    /// A finding.
    Learning,
    Artifact,
}

impl MemoryType {
    /// All types, in declaration order.
    pub const ALL: [MemoryType; 6] = [
        MemoryType::Conversation,
        MemoryType::Decision,
        MemoryType::Pattern,
        MemoryType::Context,
        MemoryType::Learning,
        MemoryType::Artifact,
    ];

    /// The type's name in labels.
    pub fn as_str(self) -> &'static str {
        match self {
            MemoryType::Conversation => "conversation",
            MemoryType::Decision => "decision",
            MemoryType::Pattern => "pattern",
            MemoryType::Context => "context",
            MemoryType::Learning => "learning",
            MemoryType::Artifact => "artifact",
        }
    }
}

/// The text is not the name of a memory type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected conversation, decision, pattern, context, learning or artifact")]
pub struct NoMemoryType;

impl FromStr for MemoryType {
    type Err = NoMemoryType;
    fn from_str(word: &str) -> Result<Self, NoMemoryType> {
        MemoryType::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or(NoMemoryType)
    }
}

/// The relation between two memories, or between a memory and a bead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    Related,
    /// The memory waits for the link's target.
    Blocks,
    /// The memory was discovered while working on the link's target.
    DiscoveredFrom,
}

impl Relation {
    /// The tracker's name for the relation.
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Related => "related",
            Relation::Blocks => "blocks",
            Relation::DiscoveredFrom => "discovered-from",
        }
    }
}

/// The text is not the name of a relation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected related, blocks or discovered-from")]
pub struct NoRelation;

impl FromStr for Relation {
    type Err = NoRelation;
    fn from_str(word: &str) -> Result<Self, NoRelation> {
        let all = [Relation::Related, Relation::Blocks, Relation::DiscoveredFrom];
        all.into_iter().find(|relation| relation.as_str() == word).ok_or(NoRelation)
    }
}

/// A link from a memory to another memory or to a bead.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
pub struct MemoryLink {
    /// The other memory, or the bead.
    pub id: BeadId,
    pub kind: Relation,
}

/// A stored memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemoryEntry {
    /// The id of the memory's row in the tracker.
    pub id: BeadId,
    /// The memory's key for users and agents, unique among memories that are not forgotten.
    pub key: String,
    #[serde(default)]
    pub session_id: Option<String>,
    #[serde(default)]
    pub agent_id: Option<String>,
    pub memory_type: MemoryType,
    /// The title, on one line.
    pub title: String,
    /// The text; only loaded on request.
    #[serde(default)]
    pub content: Option<String>,
    /// The beginning of the text, on one line.
    #[serde(default)]
    pub excerpt: String,
    /// The length of the text in bytes of UTF-8.
    #[serde(default)]
    #[specta(type = u32)]
    pub bytes: u64,
    /// The stored metadata without this program's reserved fields, plus `beads_issue_id`, `beads_priority`
    /// and `beads_status`.
    #[serde(default)]
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub metadata: Extra,
    /// When the memory was first stored.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
    /// When the memory was last requested or changed, whichever is later.
    #[serde(default)]
    pub accessed_at: Option<Timestamp>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// The importance, 1 (low) to 10 (always relevant).
    pub importance: u8,
    /// Always `None`: trackers do not support expiry.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    /// The first memory or bead that blocks this memory, else the first from which it was discovered.
    #[serde(default)]
    pub parent_id: Option<BeadId>,
    /// The bead on which the agent worked when it learned the memory.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    #[serde(default)]
    pub links: Vec<MemoryLink>,
    /// Whether the memory was forgotten: it is kept, but shown only on request.
    #[serde(default)]
    pub forgotten: bool,
}
