//! Parameters and results of commands for recovery blocks.

use bc_core::{
    ids::{BeadId, SessionId},
    recovery::Injection,
};
use serde::{Deserialize, Serialize};

/// Parameters of `recovery.show`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct RecoveryParams {
    pub bead: Option<BeadId>,
    /// The session whose bead is used if no bead is given.
    pub session: Option<SessionId>,
    /// The folder whose uncommitted files are listed; the session's or the project's by default.
    pub cwd: Option<String>,
}

/// A recovery block: text for an agent about its bead and the state of the work. Without a bead, the text is
/// a general introduction to the commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RecoveryBlock {
    /// The text, at most 2,048 bytes.
    pub text: String,
    /// The length in bytes of UTF-8.
    #[specta(type = u32)]
    pub bytes: u64,
    /// The bead; absent if the text is not about a bead.
    #[serde(default)]
    pub bead_id: Option<BeadId>,
    /// How the bead was chosen.
    pub because: Because,
}

/// How the bead of a recovery block was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// The parameters named the bead.
    Named,
    /// The session's current bead, if it has one.
    Session,
    /// The bead is the caller's latest bead in progress.
    Latest,
    /// The caller has no bead in progress.
    Nothing,
}

/// The result of `session.injections`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Injections {
    pub injections: Vec<Injection>,
    /// Unreadable data.
    #[serde(default)]
    pub warnings: Vec<String>,
}
