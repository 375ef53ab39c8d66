//! Folders that can be set, and what is counted.

use super::size;
use std::time::{Duration, Instant};

#[test]
fn a_folder_is_counted_without_what_its_links_lead_to_and_a_giant_not_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    bc_store::file::replace(&outside.path().join("big"), &[1; 1 << 20]).unwrap();
    bc_store::file::replace(&folder.path().join("small"), &[1; 5000]).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    std::fs::hard_link(folder.path().join("small"), folder.path().join("again")).unwrap();
    let later = Instant::now() + Duration::from_secs(60);
    let (bytes, counted) = size::of(folder.path(), later);
    assert!(counted && (5000..100_000).contains(&bytes), "{bytes}");
    let (_, counted) = size::of(folder.path(), Instant::now());
    assert!(!counted);
}
