//! The place of a bead in the index.

/// The place of a bead, valid as long as the index.
pub(crate) type Slot = u32;
