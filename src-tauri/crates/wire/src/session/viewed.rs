//! The changed files of a session that the user has viewed.

use bc_core::ids::SessionId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The marks of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionViewed {
    /// By file name, the `content` that was viewed. If the file has another one now, it has changed since.
    pub files: BTreeMap<String, String>,
}

/// Parameters of `session.set_viewed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SetViewedParams {
    /// Which session.
    pub id: SessionId,
    /// Which file, as `session.changes` names it.
    pub path: String,
    /// Its `content` as it was looked at; none takes the mark away.
    #[serde(default)]
    pub content: Option<String>,
}
