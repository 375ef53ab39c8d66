//! The changed files of a session that the user has viewed.

use bc_core::ids::SessionId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A session's viewed files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionViewed {
    /// The viewed `content` by file name. If the file's content differs now, the file has changed since.
    pub files: BTreeMap<String, String>,
}

/// Parameters of `session.set_viewed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SetViewedParams {
    pub id: SessionId,
    /// The file, named as in `session.changes`.
    pub path: String,
    /// The viewed `content` of the file; absent to remove the mark.
    #[serde(default)]
    pub content: Option<String>,
}
