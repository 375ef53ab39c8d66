//! Caches the versions of programs. Otherwise, every command would run the program once more to get its
//! version.
//!
//! Invariant: if the size or modification time of the program's file differs, the cached version is not used.

use super::answer_cache::{keep, read};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// The maximum number of programs to keep in the cache; with more, the cache is emptied first.
const MOST: usize = 16;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Programs(BTreeMap<PathBuf, Known>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    size: u64,
    /// The modification time, in nanoseconds since 1970.
    modified_ns: u128,
    version: String,
}

pub(super) fn version(cache: Option<&Path>, program: &Path) -> Option<String> {
    let (program, size, modified_ns) = stamp(program)?;
    let known = read::<Programs>(&file(cache?))?.0.remove(&program)?;
    (known.size == size && known.modified_ns == modified_ns).then_some(known.version)
}

/// Stores a program's version. If that fails, the next process runs the program again.
pub(super) fn remember(cache: Option<&Path>, program: &Path, version: &str) {
    let (Some(cache), Some((program, size, modified_ns))) = (cache, stamp(program)) else { return };
    let mut programs: Programs = read(&file(cache)).unwrap_or_default();
    if programs.0.len() >= MOST {
        programs.0.clear();
    }
    programs.0.insert(program, Known { size, modified_ns, version: version.to_owned() });
    keep(&file(cache), &programs);
}

fn file(cache: &Path) -> PathBuf {
    cache.join("tracker-programs.json")
}

/// The program's path with links resolved, its size, and its modification time in nanoseconds since 1970.
/// `None` if they cannot be read.
fn stamp(program: &Path) -> Option<(PathBuf, u64, u128)> {
    let program = std::fs::canonicalize(program).ok()?;
    let metadata = std::fs::metadata(&program).ok()?;
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).duration_since(UNIX_EPOCH).ok()?;
    Some((program, metadata.len(), modified.as_nanos()))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_cached_until_the_programs_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, program) = (dir.path().join("cache/deep"), dir.path().join("bd"));
        let cache = Some(folder.as_path());
        std::fs::write(&program, "one").unwrap();
        assert_eq!(version(cache, &program), None);
        remember(cache, &program, "1.3.0");
        assert_eq!(version(cache, &program).as_deref(), Some("1.3.0"));
        assert_eq!(version(None, &program), None);
        std::fs::write(&program, "longer").unwrap();
        assert_eq!(version(cache, &program), None);
        remember(cache, &program, "1.4.0");
        let file = std::fs::File::options().append(true).open(&program).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        assert_eq!(version(cache, &program), None);
        std::fs::write(super::file(&folder), "no JSON").unwrap();
        assert_eq!(version(cache, &program), None);
    }
}
