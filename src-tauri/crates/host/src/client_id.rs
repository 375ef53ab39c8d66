//! The number of a connection.

/// A connection's number, unique while the host runs.
pub(crate) type ClientId = u64;
