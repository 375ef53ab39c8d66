//! The clock of the engine.

use bc_core::Timestamp;

/// The current time with the local offset.
pub(crate) fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}
