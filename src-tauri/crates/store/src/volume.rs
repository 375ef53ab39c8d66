//! Properties of a folder's storage that affect locks and syncs.

use crate::{FileError, file, file::TEMPORARY_PREFIX, lock::FileLock, os};
use std::path::{Component, Path};

/// Returns the type of the folder's network file system, such as `nfs4`. Returns `None` for a local disk, or
/// if the type is unknown.
pub fn network_file_system(folder: &Path) -> Option<String> {
    os::network_file_system(folder)
}

/// Whether locks work in this folder, that is, whether a second process cannot take a held lock. Leaves no
/// file in the folder.
pub fn has_locks(folder: &Path) -> Result<bool, FileError> {
    let path = folder.join(format!("{TEMPORARY_PREFIX}lock-{}", std::process::id()));
    let held = FileLock::try_exclusive(&path)?;
    let refused = held.is_some() && FileLock::try_exclusive(&path)?.is_none();
    drop(held);
    file::remove(&path)?;
    Ok(refused)
}

/// Returns the service that syncs this folder to other machines. Recognizes the service by its usual path in
/// the home folder.
pub fn sync_service(folder: &Path, home: &Path) -> Option<&'static str> {
    let inside = bc_core::paths::inside(folder, home)?;
    let mut names = inside.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let first = names.next()?;
    // macOS keeps most sync services in one folder.
    let place = match (&*first, names.next().as_deref(), names.next()) {
        ("Library", Some("Mobile Documents"), _) => return Some("iCloud"),
        ("Library", Some("CloudStorage"), Some(service)) => service,
        _ => first,
    };
    let services = [
        ("OneDrive", "OneDrive"),
        ("Dropbox", "Dropbox"),
        ("iCloudDrive", "iCloud"),
        ("GoogleDrive", "Google Drive"),
        ("Google Drive", "Google Drive"),
        ("Nextcloud", "Nextcloud"),
    ];
    // An account name may follow, as in `OneDrive - Company` or `GoogleDrive-ana@example.org`.
    let is_of =
        |start: &str| place.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    services.into_iter().find(|(start, _)| is_of(start)).map(|(_, service)| service)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_locks_are_detected_and_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        assert!(has_locks(folder.path()).unwrap());
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        assert!(has_locks(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn folders_of_syncing_services_are_recognized_by_their_path() {
        let of = |path: &str| sync_service(Path::new(path), Path::new("/Users/ana"));
        for (path, service) in [
            ("/Users/ana/OneDrive/work", "OneDrive"),
            ("/Users/ana/OneDrive - Company/work", "OneDrive"),
            ("/Users/ana/Library/CloudStorage/OneDrive-Personal/work", "OneDrive"),
            ("/Users/ana/Library/CloudStorage/GoogleDrive-ana@example.org/My Drive/x", "Google Drive"),
            ("/Users/ana/Library/Mobile Documents/com~apple~CloudDocs/work", "iCloud"),
            ("/Users/ana/Dropbox", "Dropbox"),
        ] {
            assert_eq!(of(path), Some(service), "{path}");
        }
        for path in ["/Users/ana/work/OneDrive", "/Users/ana/Dropboxes/x", "/Users/ana", "/srv/Dropbox/x"] {
            assert_eq!(of(path), None, "{path}");
        }
    }
}
