//! Reads facts about common repositories from git's files, without running git: a git process takes longer
//! than everything else in a short command.
//!
//! Invariant: the answers equal git's. Unusual repositories, configurations and file formats are left to git.

pub(crate) mod discovery;
pub(crate) mod refs;
pub(crate) mod user_name;
