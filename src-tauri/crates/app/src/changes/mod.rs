//! What changes in folders, as the system tells it: each change with its path and what it is of. What is only read is
//! nobody's news, and costs nothing where the system can leave it out: agents and their programs open the watched files
//! hundreds of times a second.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "other.rs"]
mod others;
#[cfg(test)]
mod tests;

#[cfg(target_os = "linux")]
pub(crate) use linux::Changes;
#[cfg(not(target_os = "linux"))]
pub(crate) use others::Changes;
use std::path::PathBuf;

/// What the system told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// Something changed there.
    Change { path: PathBuf, what: What },
    /// So much that nobody knows what.
    Missed,
}

/// What changed of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A folder was made.
    Folder,
    /// It came, went or was given another name.
    Name,
    /// What is in it.
    Content,
}

impl What {
    /// Whether something came, went or was given another name.
    pub(crate) fn is_of_names(self) -> bool {
        matches!(self, What::Folder | What::Name)
    }
}

/// How far a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What is directly in it.
    One,
    /// All that is below it, what comes later included.
    All,
}
