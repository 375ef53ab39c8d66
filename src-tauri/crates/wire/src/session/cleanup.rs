//! Old sessions: drafts that were never started, long pauses, the trash.

use super::SessionView;
use crate::ApiError;
use bc_core::{Timestamp, ids::SessionId, session::Meta};
use serde::{Deserialize, Serialize};

/// The result of `session.stale`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct StaleSessions {
    /// Sessions paused for more than `days`, the longest pause first.
    pub sessions: Vec<SessionView>,
    /// The number of days after which a pause is long.
    pub days: u32,
}

/// The result of `session.cleanup`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct CleanedUp {
    /// Drafts older than 24 hours that were closed.
    pub closed_drafts: Vec<SessionId>,
    /// Sessions deleted permanently after at least seven days in the trash folder.
    pub removed: Vec<SessionId>,
    /// The sessions that the user should decide about.
    pub stale: StaleSessions,
    /// Failed steps.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `session.delete_many`: particular sessions, or all sessions closed in a range of dates.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct DeleteManyParams {
    /// The sessions; if empty, all sessions closed in the range of dates.
    pub ids: Vec<SessionId>,
    /// Only sessions closed before this time.
    pub before: Option<Timestamp>,
    /// Only sessions closed at or after this time.
    pub after: Option<Timestamp>,
    /// Whether to only list the sessions.
    pub dry_run: bool,
}

/// The result of `session.delete_many`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Deleted {
    /// The sessions that were moved to the trash folder, or would be.
    pub sessions: Vec<SessionView>,
    /// The sessions that were not moved, or would not be.
    #[serde(default)]
    pub refused: Vec<NotDeleted>,
}

/// A session that was not deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NotDeleted {
    pub id: SessionId,
    pub error: ApiError,
}

/// The result of `session.trash`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Trash {
    /// The sessions, last deleted first.
    pub sessions: Vec<Trashed>,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A session in the trash folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Trashed {
    pub meta: Meta,
    pub deleted_at: Timestamp,
    /// The earliest time of the session's permanent deletion. Because a clock can be wrong, the program must
    /// also have checked the trash on enough different days.
    pub removed_at: Timestamp,
}
