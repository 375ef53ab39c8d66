//! `index.json`: a cache of what the metas say, with the specification's keys and no others. The
//! same metas always give the same bytes.

use bc_core::{
    Timestamp,
    ids::{BeadId, ProjectId, SessionId},
    session::{Meta, Status},
};
use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// By `created_at`, then id.
    pub sessions: Vec<IndexEntry>,
    /// The active session last started or resumed.
    pub active_session_id: Option<SessionId>,
}

/// One session in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexEntry {
    /// Who it is.
    pub id: SessionId,
    /// Which project.
    pub project_id: ProjectId,
    /// The linked bead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bead_id: Option<BeadId>,
    /// Its state.
    pub status: Status,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl Index {
    /// The index of these sessions, in whatever order they come.
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
