//! Makes private copies of a repository's scripts, with exactly the bytes that the user allowed.

use crate::{os, places::Places, scripts::Script};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The folder of private copies, in the user's settings folder.
const COPIES: &str = "hook-runs";

/// Writes the checked bytes of the scripts into a new private folder, each script at its path in the
/// repository.
pub(crate) fn copy_scripts(
    scripts: &BTreeMap<PathBuf, Script>,
    places: &Places,
) -> Result<TempDir, std::io::Error> {
    let config = places.config.as_deref().unwrap_or(&places.root);
    let folder = config.join(COPIES);
    bc_store::file::create_dir(&folder).map_err(std::io::Error::other)?;
    let copy = tempfile::Builder::new().prefix("run-").tempdir_in(folder)?;
    for (path, script) in scripts {
        let place = copy.path().join(path.strip_prefix(&places.boundary).unwrap_or(path));
        std::fs::create_dir_all(place.parent().unwrap_or(copy.path()))?;
        bc_store::file::replace_volatile(&place, &script.bytes).map_err(std::io::Error::other)?;
        os::make_executable(&place)?;
    }
    Ok(copy)
}

/// Removes private copies that a crash left behind. Only copies older than a day are removed, because a newer
/// copy may belong to a running hook.
pub(crate) fn sweep(config: Option<&Path>) {
    const OLD: std::time::Duration = std::time::Duration::from_secs(24 * 3600);
    let Some(entries) = config.and_then(|config| std::fs::read_dir(config.join(COPIES)).ok()) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().ok().and_then(|m| m.modified().ok()?.elapsed().ok());
        if age.is_some_and(|age| age > OLD) {
            // A failure is ignored: the next sweep tries again.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
