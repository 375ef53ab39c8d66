//! Commands on recovery blocks.

use bc_core::{
    ids::{BeadId, SessionId},
    recovery::Injection,
};
use serde::{Deserialize, Serialize};

/// Parameters of `recovery.show`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
pub struct RecoveryParams {
    /// Of this bead.
    #[serde(default)]
    pub bead: Option<BeadId>,
    /// Of this session's bead, where none is named.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The folder whose uncommitted files are listed; the session's or the project's unless given.
    #[serde(default)]
    pub cwd: Option<String>,
}

/// A recovery block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RecoveryBlock {
    /// It, at most 2,048 bytes.
    pub text: String,
    /// Its length in bytes of UTF-8.
    #[specta(type = u32)]
    pub bytes: u64,
    /// The bead; absent where it is the text without one.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// Why that one.
    pub because: Because,
}

/// How the bead of a recovery block was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// It was named.
    Named,
    /// It is the session's current one; or the session has none.
    Session,
    /// It is the caller's latest in progress.
    Latest,
    /// The caller has none in progress.
    Nothing,
}

/// The answer of `session.injections`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Injections {
    /// In order.
    pub injections: Vec<Injection>,
    /// What could not be read.
    #[serde(default)]
    pub warnings: Vec<String>,
}
