//! The key of a project: short, URL-safe, and derived from its folder.

use bc_wire::app::ProjectKey;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The key of the project in a folder. The path must be absolute and without symbolic links, because the key
/// is a digest of the path.
pub(crate) fn of(root: &Path) -> ProjectKey {
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    ProjectKey(digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_stable_and_differ_between_folders() {
        assert_eq!(of(Path::new("/a/b")), of(Path::new("/a/b")));
        assert_ne!(of(Path::new("/a/b")), of(Path::new("/a/c")));
        assert_eq!(of(Path::new("/a/b")).0.len(), 16);
    }
}
