//! Reports file changes in folders: each with its path and kind. Reads are not reported, and cost nothing on
//! systems that can filter them: agents open watched files hundreds of times a second.

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

/// A report of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileChange {
    /// A path changed.
    Changed { path: PathBuf, what: What },
    /// Changes were lost.
    Missed,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A folder was created.
    Folder,
    /// A path was created, removed or renamed.
    Name,
    /// The content of a file changed.
    Content,
}

impl What {
    /// Whether a path was created, removed or renamed.
    pub(crate) fn is_name_change(self) -> bool {
        matches!(self, What::Folder | What::Name)
    }
}

/// How deep a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only its direct contents.
    One,
    /// Everything below it, including later additions.
    All,
}
