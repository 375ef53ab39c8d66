//! Installs into a temporary folder, which is then renamed to its final path. An interrupted installation is
//! therefore never mistaken for a complete one, and concurrent runs do not interfere with each other.

use crate::error::XtaskError;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

/// A folder that is filled and then renamed to `place`. If the value is dropped before that, the folder is
/// removed.
#[derive(Debug)]
pub(crate) struct Staging {
    folder: PathBuf,
    place: PathBuf,
}

impl Staging {
    pub(crate) fn new(place: &Path) -> Result<Staging, XtaskError> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let folder = place.with_file_name(format!("{name}.part-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|source| XtaskError::Write { path: folder.clone(), source })?;
        Ok(Staging { folder, place: place.to_owned() })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens the log for installers' output, and also returns its path.
    pub(crate) fn log(&self) -> Result<(File, PathBuf), XtaskError> {
        let name = self.place.file_name().unwrap_or_default().to_string_lossy();
        let path = self.place.with_file_name(format!("{name}.log"));
        // The lint applies to the product's files, which only the store may write. The log is in a cache.
        #[allow(clippy::disallowed_methods)]
        let file = File::create(&path);
        Ok((file.map_err(|source| XtaskError::Write { path: path.clone(), source })?, path))
    }

    pub(crate) fn copy_in(&self, file: &Path) -> Result<(), XtaskError> {
        let to = self.folder.join(file.file_name().unwrap_or_default());
        fs::copy(file, to).map(drop).map_err(|source| XtaskError::Read { path: file.to_owned(), source })
    }

    /// Renames the folder to its final path. If another run has already created that path, keeps the other
    /// run's result.
    pub(crate) fn finish(self) -> Result<(), XtaskError> {
        match fs::rename(&self.folder, &self.place) {
            Err(source) if !self.place.is_dir() => {
                Err(XtaskError::Write { path: self.place.clone(), source })
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Ignore an error: after `finish`, the folder no longer exists. If the removal fails, unused files
        // remain in the cache.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns the last lines of a log, for the error of a failed installation.
pub(crate) fn tail(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_installation_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("part-1.0");
        let staging = Staging::new(&place).unwrap();
        fs::create_dir(staging.folder().join("half")).unwrap();
        drop(staging);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_finished_installation_is_moved_into_place_once() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("part-1.0");
        for name in ["first", "second"] {
            let staging = Staging::new(&place).unwrap();
            fs::create_dir(staging.folder().join(name)).unwrap();
            staging.finish().unwrap();
        }
        assert!(place.join("first").is_dir() && !place.join("second").exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
