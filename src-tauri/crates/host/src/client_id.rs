//! The type of connection numbers.

/// A connection's number, unique while the host runs.
pub(crate) type ClientId = u64;
