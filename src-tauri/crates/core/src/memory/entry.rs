//! A memory as everybody sees it.

use crate::{Extra, Timestamp, ids::BeadId};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What kind of thing is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MemoryType {
    /// What was talked about.
    Conversation,
    /// What was decided, and why.
    Decision,
    /// How things are done here.
    Pattern,
    /// What one has to know to go on.
    Context,
    /// What was found out.
    Learning,
    /// Something that was made.
    Artifact,
}

impl MemoryType {
    /// Every one, in the order of the documentation.
    pub const ALL: [MemoryType; 6] = [
        MemoryType::Conversation,
        MemoryType::Decision,
        MemoryType::Pattern,
        MemoryType::Context,
        MemoryType::Learning,
        MemoryType::Artifact,
    ];

    /// The word for it, as in every label.
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

/// A word that names no type of memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("conversation, decision, pattern, context, learning or artifact is wanted")]
pub struct NoMemoryType;

impl FromStr for MemoryType {
    type Err = NoMemoryType;
    fn from_str(word: &str) -> Result<Self, NoMemoryType> {
        MemoryType::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or(NoMemoryType)
    }
}

/// How two memories, or a memory and a bead, belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// They have to do with each other.
    Related,
    /// The child waits for the parent.
    Blocks,
    /// The child came up while the parent was worked on.
    DiscoveredFrom,
}

impl Relation {
    /// The tracker's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Related => "related",
            Relation::Blocks => "blocks",
            Relation::DiscoveredFrom => "discovered-from",
        }
    }
}

/// A word that names no relation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("related, blocks or discovered-from is wanted")]
pub struct NoRelation;

impl FromStr for Relation {
    type Err = NoRelation;
    fn from_str(word: &str) -> Result<Self, NoRelation> {
        let all = [Relation::Related, Relation::Blocks, Relation::DiscoveredFrom];
        all.into_iter().find(|relation| relation.as_str() == word).ok_or(NoRelation)
    }
}

/// A link from a memory to what it depends on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
pub struct MemoryLink {
    /// The other memory, or a bead.
    pub id: BeadId,
    /// How they belong together.
    pub kind: Relation,
}

/// One memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct MemoryEntry {
    /// The id of its row in the tracker.
    pub id: BeadId,
    /// The name that people and agents use; unique among those that are not forgotten.
    pub key: String,
    /// In which session it was stored.
    #[serde(default)]
    pub session_id: Option<String>,
    /// Which agent stored it.
    #[serde(default)]
    pub agent_id: Option<String>,
    /// What kind of thing it is.
    pub memory_type: MemoryType,
    /// One line.
    pub title: String,
    /// The text; absent until it is asked for.
    #[serde(default)]
    pub content: Option<String>,
    /// The beginning of the text on one line.
    #[serde(default)]
    pub excerpt: String,
    /// The length of the text in bytes of UTF-8.
    #[serde(default)]
    #[specta(type = u32)]
    pub bytes: u64,
    /// What was stored with it, and `beads_issue_id`, `beads_priority`, `beads_status`, `workstream`.
    #[serde(default)]
    #[specta(type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub metadata: Extra,
    /// When it was stored first.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    #[serde(default)]
    pub updated_at: Option<Timestamp>,
    /// When it was last asked for; when it last changed, where nobody has asked.
    #[serde(default)]
    pub accessed_at: Option<Timestamp>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// 1 (hardly) to 10 (always).
    pub importance: u8,
    /// Always absent: trackers know no expiry.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
    /// The first thing that it depends on.
    #[serde(default)]
    pub parent_id: Option<BeadId>,
    /// The bead that it was learned on.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// What it is linked to.
    #[serde(default)]
    pub links: Vec<MemoryLink>,
    /// Whether it was forgotten: kept for the record, shown only where it is asked for.
    #[serde(default)]
    pub forgotten: bool,
}
