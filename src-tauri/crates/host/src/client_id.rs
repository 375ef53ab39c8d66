//! Identifies a connection.

/// Unique while the host runs.
pub(crate) type ClientId = u64;
