//! The limit on open handles on Windows.

/// Windows limits handles only by memory, so this returns a number that no process of this program reaches.
pub(crate) fn descriptor_limit() -> usize {
    1 << 20
}
