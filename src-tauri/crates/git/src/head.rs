//! The checked-out branch and commit of a working tree.

use bc_core::ids::BranchName;

/// The checked-out branch and commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The branch; `None` if HEAD is detached.
    pub branch: Option<BranchName>,
    /// The commit's hash; `None` before the first commit.
    pub commit: Option<String>,
}
