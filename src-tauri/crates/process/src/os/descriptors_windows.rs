//! The limit of handles on Windows.

/// Windows limits handles only by memory, so this is a number that no process here reaches.
pub(crate) fn descriptor_limit() -> usize {
    1 << 20
}
