//! The engine's clock.

use bc_core::Timestamp;

/// The current time, with this machine's UTC offset.
pub(crate) fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}
