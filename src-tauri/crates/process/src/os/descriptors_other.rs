//! This system has no limit of descriptors that can be queried.

/// The minimum on other systems.
pub(crate) fn descriptor_limit() -> usize {
    1024
}
