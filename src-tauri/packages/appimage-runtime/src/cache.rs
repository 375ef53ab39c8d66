//! The unpacked programs in the user's cache, one folder per version.

use crate::payload::Payload;
use std::{
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// The folder of all unpacked versions. `None` if neither `XDG_CACHE_HOME` nor `HOME` is an absolute path.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("beads-console").join("appimage"))
}

/// Returns the folder of this version. If it does not exist yet, unpacks this version and removes the other
/// versions that no process uses.
pub(crate) fn unpacked(caches: &Path, payload: &Payload) -> io::Result<PathBuf> {
    let place = caches.join(payload.id());
    if place.is_dir() {
        return Ok(place);
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(caches)?;
    // Unpack under a temporary name and rename the folder at the end, so that no start finds a partly
    // unpacked program.
    let part = caches.join(format!("{}.part-{}", payload.id(), std::process::id()));
    let unpacked = payload.unpack(&part).and_then(|()| fs::rename(&part, &place));
    if let Err(error) = unpacked {
        // If the removal fails, the leftover folder is harmless. Once this process has ended, the next unpacking
        // removes it.
        let _ = fs::remove_dir_all(&part);
        // If the folder exists, a concurrent start has unpacked it.
        if !place.is_dir() {
            return Err(error);
        }
    }
    remove_others(caches, &place, &programs());
    Ok(place)
}

/// Removes the folders of other versions, except those that a running process uses or unpacks. Session hosts
/// of an older version may still run. A failure is ignored.
fn remove_others(caches: &Path, place: &Path, programs: &[PathBuf]) {
    for entry in fs::read_dir(caches).into_iter().flatten().flatten() {
        let other = entry.path();
        let used = programs.iter().any(|program| program.starts_with(&other));
        let unpacking = other.to_string_lossy().rsplit_once(".part-").is_some_and(|(_, pid)| is_running(pid));
        if other != place && !used && !unpacking {
            let _ = fs::remove_dir_all(&other);
        }
    }
}

/// Returns the program paths of the processes that this user can inspect.
fn programs() -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(|entry| fs::read_link(entry.path().join("exe")).ok()).collect()
}

fn is_running(pid: &str) -> bool {
    Path::new("/proc").join(pid).is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::tests::appimage;

    #[test]
    fn program_is_unpacked_once_per_version() {
        let dir = tempfile::tempdir().unwrap();
        let caches = dir.path().join("cache");
        let first = Payload::open(&appimage(dir.path(), &[("AppRun", "one")])).unwrap();
        let place = unpacked(&caches, &first).unwrap();
        fs::remove_file(place.join("AppRun")).unwrap();
        assert_eq!(unpacked(&caches, &first).unwrap(), place);
        assert!(!place.join("AppRun").exists(), "it was unpacked a second time");
        let second = Payload::open(&appimage(dir.path(), &[("AppRun", "the second one")])).unwrap();
        let next = unpacked(&caches, &second).unwrap();
        assert!(next.join("AppRun").is_file() && next != place);
        assert!(!place.exists(), "the unused version stayed");
    }

    #[test]
    fn version_in_use_stays() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["0.1.0", "0.2.0", "0.3.0", "0.2.5.part-1", "0.2.6.part-999999999"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let running = [dir.path().join("0.1.0/usr/bin/beads-console")];
        remove_others(dir.path(), &dir.path().join("0.3.0"), &running);
        let mut left: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["0.1.0", "0.2.5.part-1", "0.3.0"]);
    }

    #[test]
    fn damaged_payload_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = appimage(dir.path(), &[("AppRun", "one")]);
        let payload = Payload::open(&path).unwrap();
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(170).unwrap();
        let caches = dir.path().join("cache");
        assert!(unpacked(&caches, &payload).is_err());
        assert_eq!(fs::read_dir(&caches).unwrap().count(), 0);
    }
}
