//! Types of transfers: a tracker's remotes, the direction, and the beads that were left out.

/// Beads that an import leaves out, all for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub ids: Vec<String>,
    pub why: String,
}

/// A remote to which a tracker's own program transfers its beads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerRemote {
    /// The name in the tracker's configuration.
    pub name: String,
    pub url: String,
}

/// The direction of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Push,
    Pull,
}
