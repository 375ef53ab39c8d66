//! The operating system reclaims unused code pages without a hint.

pub(crate) fn release_code_pages() {}

pub(crate) fn grow_heap_in_large_steps() {}
