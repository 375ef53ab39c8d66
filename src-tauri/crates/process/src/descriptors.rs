//! The limit on this process's open files and connections.

/// Returns the maximum number of descriptors that this process can have open, capped at 2^20.
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
