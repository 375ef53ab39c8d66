//! Fingerprints files without reading them. The user's consent to lose a file applies only to its current state.

use sha2::{Digest, Sha256};
use std::{
    fs::{self, Metadata},
    path::Path,
};

/// The paths that determine the commits of a nested repository.
const TIPS: [&str; 3] = ["HEAD", "packed-refs", "refs"];

/// Hashes a path together with the current version of its file, or of every file in its folder.
pub(super) fn add(hash: &mut Sha256, path: &Path) {
    hash.update(path.as_os_str().as_encoded_bytes());
    let Ok(known) = fs::symlink_metadata(path) else {
        hash.update(b"gone");
        return;
    };
    if !known.is_dir() {
        hash.update(state(&known));
        return;
    }
    let mut inside: Vec<_> =
        fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    inside.sort();
    for path in inside {
        // Of a nested repository, hash only the tips. Its index must not count, because git writes the index
        // even for queries.
        match path.file_name().is_some_and(|name| name == ".git") && path.is_dir() {
            true => TIPS.iter().for_each(|tip| add(hash, &path.join(tip))),
            false => add(hash, &path),
        }
    }
}

/// Identifies a file's version. The time of the last status change is reliable, because programs cannot set it.
#[cfg(unix)]
fn state(known: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    let (change, nanoseconds) = (known.ctime(), known.ctime_nsec());
    format!("{} {} {} {change}.{nanoseconds}", known.ino(), known.mode(), known.len())
}

#[cfg(not(unix))]
fn state(known: &Metadata) -> String {
    format!("{} {:?}", known.len(), known.modified())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;

    fn of(path: &Path) -> Vec<u8> {
        let mut hash = Sha256::new();
        add(&mut hash, path);
        hash.finalize().to_vec()
    }

    #[test]
    fn every_change_in_a_folder_is_detected_and_the_check_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, file) = (dir.path().join("notes"), dir.path().join("notes/deep/a.txt"));
        fs::create_dir_all(folder.join("deep/.git/refs/heads")).unwrap();
        let mut seen = vec![of(&folder)];
        let mut changed = |what: &str| {
            let now = of(&folder);
            assert!(!seen.contains(&now), "{what}");
            assert_eq!(of(&folder), now, "{what}");
            seen.push(now);
        };
        fs::write(&file, "one").unwrap();
        changed("a new file");
        fs::write(&file, "two").unwrap();
        changed("as long, with other words");
        fs::write(folder.join("deep/.git/refs/heads/main"), "c0ffee").unwrap();
        changed("a commit in a nested repository");
        fs::rename(&file, folder.join("b.txt")).unwrap();
        changed("another name");
        fs::remove_file(folder.join("b.txt")).unwrap();
        changed("gone");
        fs::write(folder.join("deep/.git/index"), "asked").unwrap();
        assert_eq!(of(&folder), *seen.last().unwrap());
    }
}
