//! Old sessions: drafts that were never started, long pauses, the trash.

use super::SessionView;
use crate::ApiError;
use bc_core::{Timestamp, ids::SessionId, session::Meta};
use serde::{Deserialize, Serialize};

/// The answer of `session.stale`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct StaleSessions {
    /// Paused longer than `days`, the longest first: to be closed or resumed.
    pub sessions: Vec<SessionView>,
    /// After how many days a pause is a long one.
    pub days: u32,
}

/// The answer of `session.cleanup`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct CleanedUp {
    /// Drafts older than 24 hours that were closed.
    pub closed_drafts: Vec<SessionId>,
    /// Sessions that were in the trash folder for longer than seven days and are gone now.
    pub removed: Vec<SessionId>,
    /// The sessions that the user should decide about.
    pub stale: StaleSessions,
    /// What could not be done.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Parameters of `session.delete_many`: these sessions, or all closed ones of a range of dates.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct DeleteManyParams {
    /// These; empty means by date.
    #[serde(default)]
    pub ids: Vec<SessionId>,
    /// Only those that were closed before this moment.
    #[serde(default)]
    pub before: Option<Timestamp>,
    /// Only those that were closed at this moment or later.
    #[serde(default)]
    pub after: Option<Timestamp>,
    /// Only says which they are.
    #[serde(default)]
    pub dry_run: bool,
}

/// The answer of `session.delete_many`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Deleted {
    /// Those that are in the trash folder now, or would be.
    pub sessions: Vec<SessionView>,
    /// Those that are not.
    #[serde(default)]
    pub refused: Vec<NotDeleted>,
}

/// A session that was not deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct NotDeleted {
    /// Which.
    pub id: SessionId,
    /// Why.
    pub error: ApiError,
}

/// The answer of `session.trash`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Trash {
    /// The last deleted first.
    pub sessions: Vec<Trashed>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// A session in the trash folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Trashed {
    /// Its record.
    pub meta: Meta,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    /// When it is removed for good at the earliest: it must have been seen there on seven days, too.
    pub removed_at: Timestamp,
}
