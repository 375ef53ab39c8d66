//! `index.json`: a cache of the sessions' `meta.json` files, with exactly the keys of the specification.
//! Equal metas produce equal bytes.

use bc_core::{
    Timestamp,
    ids::{BeadId, ProjectId, SessionId},
    session::{Meta, Status},
};
use serde::{Deserialize, Serialize};

/// The content of `index.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// The sessions, sorted by `created_at` and then by id.
    pub sessions: Vec<IndexEntry>,
    /// The active session that was started or resumed most recently.
    pub active_session_id: Option<SessionId>,
}

/// A session in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    pub id: SessionId,
    pub project_id: ProjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bead_id: Option<BeadId>,
    pub status: Status,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl Index {
    /// Creates the index of these sessions, which can be in any order.
    pub fn of(metas: &[Meta]) -> Index {
        let mut sessions: Vec<_> = metas.iter().map(IndexEntry::of).collect();
        sessions.sort_by_key(|entry| (entry.created_at, entry.id));
        let active = metas
            .iter()
            .filter(|meta| meta.status == Status::Active)
            .max_by_key(|meta| (meta.last_activated_at, meta.created_at, meta.id));
        Index { sessions, active_session_id: active.map(|meta| meta.id) }
    }
}

impl IndexEntry {
    fn of(meta: &Meta) -> IndexEntry {
        IndexEntry {
            id: meta.id,
            project_id: meta.project_id.clone(),
            bead_id: meta.bead_id.clone(),
            status: meta.status,
            created_at: meta.created_at,
            closed_at: meta.closed_at,
            title: meta.title.clone(),
        }
    }
}
