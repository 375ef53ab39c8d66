//! How much memory programs that are started now can have, and what one that lives for hours keeps of its own program.

use std::path::Path;

/// Free memory in MiB, as the kernel estimates it without swapping; `None` where the system does not tell.
pub fn free_mib() -> Option<u32> {
    available(&std::fs::read_to_string(Path::new("/proc/meminfo")).ok()?)
}

/// The figure in what Linux says of its memory.
fn available(text: &str) -> Option<u32> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(u32::try_from(kib / 1024).unwrap_or(u32::MAX))
}

/// Lets go of the program's code that is in memory. What only the start needed stays away, what is needed again is
/// there again at once: the system still has the file. For a process that has come to rest.
pub fn let_go_of_code() {
    crate::os::let_go_of_code();
}

/// Has the memory of this process grow in large steps. In small ones, as it is otherwise, each thread that reads a file
/// holds up all others with every few kilobytes. For a program that has only begun, and may be larger for it.
pub fn grow_in_large_steps() {
    crate::os::grow_in_large_steps();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_available_is_more_than_what_is_unused() {
        let text = "MemTotal:       16303860 kB\nMemFree:          424040 kB\nMemAvailable:   10485760 kB\n";
        assert_eq!(available(text), Some(10 * 1024));
        assert_eq!(available("MemFree: 1 kB\n"), None);
    }
}
