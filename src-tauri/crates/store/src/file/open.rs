//! Files and folders that other users may read, such as those in a repository. An existing file keeps its
//! mode; the umask determines the mode of a new file or folder.

use super::{
    FileError, create_by, create_dirs, parent_of, replace_by, sync_parent,
    syscalls::{self, Temporary},
};
use std::{io, path::Path};

/// Like [`super::replace`], but an existing file keeps its mode, and the umask determines the mode of a new
/// file.
///
/// # Errors
///
/// The file is read-only, or a system call failed. The old content is unchanged, unless only the sync of the
/// folder failed.
pub fn replace_open(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mode = match std::fs::metadata(path) {
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(FileError::Read { path: path.into(), source }),
    };
    // A rename would bypass the read-only attribute, which was set on purpose.
    if mode.as_ref().is_some_and(std::fs::Permissions::readonly) {
        let source = io::ErrorKind::PermissionDenied.into();
        return Err(FileError::Write { path: path.into(), source });
    }
    replace_by(Temporary::open_within(&parent_of(path), mode), path, bytes)
}

/// Like [`super::create`], but the umask determines the mode.
///
/// # Errors
///
/// Writing or syncing failed. An existing file is not an error.
pub fn create_open(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    create_by(Temporary::open_within(&parent_of(path), None), path, bytes)
}

/// Like [`super::create_dir`], but the umask determines the mode.
///
/// # Errors
///
/// The folder or one of its parents cannot be created or synced.
pub fn create_open_dir(path: &Path) -> Result<(), FileError> {
    create_dirs(path, syscalls::make_open_dir)
}

/// Removes a folder if it is empty. Returns `false` if the folder is missing or not empty.
///
/// # Errors
///
/// The system refused the removal for another reason, or syncing the parent folder failed.
pub fn remove_empty_dir(path: &Path) -> Result<bool, FileError> {
    match syscalls::remove_dir(path) {
        Ok(()) => sync_parent(path).map(|()| true),
        Err(error) if matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound) => {
            Ok(false)
        }
        Err(source) => Err(FileError::Remove { path: path.into(), source }),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{
        fs::{self, Permissions},
        os::unix::fs::PermissionsExt,
    };

    #[test]
    fn existing_files_keep_their_mode_and_new_files_follow_the_umask() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let at = |name: &str| folder.path().join(name);
        let by_hand = |name: &str, mode: u32| {
            fs::File::options().create(true).append(true).open(at(name)).unwrap();
            fs::set_permissions(at(name), Permissions::from_mode(mode)).unwrap();
        };
        by_hand("script", 0o751);
        replace_open(&at("script"), b"new").unwrap();
        assert_eq!((mode(&at("script")), fs::read(at("script")).unwrap()), (0o751, b"new".to_vec()));
        replace_open(&at("made"), b"x").unwrap();
        create_open_dir(&at("a/b")).unwrap();
        assert_eq!(mode(&at("made")) & 0o711, 0o600, "owner access, not executable");
        assert_eq!(mode(&at("a")), mode(&at("a/b")));
        by_hand("kept", 0o444);
        let error = replace_open(&at("kept"), b"new").unwrap_err();
        assert!(error.is_read_only(), "{error}");
        assert_eq!(fs::read(at("kept")).unwrap(), b"");
    }

    #[test]
    fn only_an_empty_folder_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let outer = folder.path().join("a");
        create_open_dir(&outer.join("b")).unwrap();
        assert!(!remove_empty_dir(&outer).unwrap());
        assert!(remove_empty_dir(&outer.join("b")).unwrap() && remove_empty_dir(&outer).unwrap());
        assert!(!remove_empty_dir(&outer).unwrap());
    }
}
