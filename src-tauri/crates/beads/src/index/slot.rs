//! The position of a bead in the index.

/// The position of a bead in [`Index::slots`](super::Index); it never changes.
pub(crate) type Slot = u32;
