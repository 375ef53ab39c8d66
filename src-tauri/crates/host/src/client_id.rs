//! Identifies a client's connection to the host.

/// A connection's number, unique while the host runs.
pub(crate) type ClientId = u64;
