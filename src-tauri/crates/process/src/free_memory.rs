//! The memory available to new programs.

#[cfg(windows)]
pub use crate::os::free_mib;

/// Returns the kernel's estimate of the memory available without swapping, in MiB. Returns `None` if the
/// system does not report it.
#[cfg(not(windows))]
pub fn free_mib() -> Option<u32> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

#[cfg(not(windows))]
fn available(text: &str) -> Option<u32> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(u32::try_from(kib / 1024).unwrap_or(u32::MAX))
}

#[cfg(test)]
#[cfg(not(windows))]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_from_meminfo() {
        let text = "MemTotal:       16303860 kB\nMemFree:          424040 kB\nMemAvailable:   10485760 kB\n";
        assert_eq!(available(text), Some(10 * 1024));
        assert_eq!(available("MemFree: 1 kB\n"), None);
    }
}
