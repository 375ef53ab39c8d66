//! Memory hints for a long-running process: its own code pages and the growth of its heap.

/// Releases the resident code pages of this program. Pages that are needed again are reloaded from the file on access.
/// For a process that has finished its start.
pub fn release_code_pages() {
    crate::os::release_code_pages();
}

/// Makes the heap grow in large steps. With the default small steps, each thread that reads a file stalls all other
/// threads every few kilobytes. For a program at its start whose size may grow for it.
pub fn grow_heap_in_large_steps() {
    crate::os::grow_heap_in_large_steps();
}
