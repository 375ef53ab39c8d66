//! A tracker's remotes, the direction of a transfer, and the beads that one leaves out.

/// Beads that a tracker did not import, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Their ids.
    pub ids: Vec<String>,
    /// The reason.
    pub why: String,
}

/// A remote to which a tracker itself sends its beads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerRemote {
    /// Its name.
    pub name: String,
    /// Its URL.
    pub url: String,
}

/// The direction of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the remote.
    Push,
    /// From the remote.
    Pull,
}
