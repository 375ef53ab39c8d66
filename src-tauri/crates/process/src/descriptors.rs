//! The limit of open files and connections of this process.

/// The number of descriptors that this process may have open at the same time; 2^20 if the system sets no
/// limit.
pub fn limit() -> usize {
    crate::os::descriptor_limit()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_descriptor_limit_is_plausible() {
        assert!(super::limit() > 16);
    }
}
