//! The one way files are written.
//!
//! State files are replaced whole: a reader sees the old content or the new one, and after a return
//! without error the new one survives a power cut. Lines are appended through one [`Appender`].
//! Everything is made with mode 0600 (folders 0700), whatever the umask; but for files of the person's own,
//! see [`replace_open`].

mod append;
mod commit;
mod door;
mod open;
mod printed;
mod shared;
mod together;

pub use crate::error::FileError;
pub use append::{Appender, Tail};
pub(crate) use door::uninterrupted;
pub use open::{create_open_dir, remove_empty_dir, replace_open};
pub use printed::{Piece, Printed, printed, remove_printed};
pub use shared::SharedLog;
pub use together::{Put, put_all};

use crate::os;
use door::Temporary;
use std::{
    ffi::OsString,
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// What the name of every temporary file starts with; a crash can leave one behind, and whoever
/// lists a folder passes over it.
pub const TEMPORARY_PREFIX: &str = ".bc-tmp-";

/// Replaces the content of a file, or makes it. On an error the old content is untouched. A crash
/// leaves the old content or the new one, and perhaps a temporary file beside it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let temporary = write_temporary(path, bytes)?;
    door::sync(temporary.file()).map_err(|source| FileError::Sync { path: path.into(), source })?;
    put_into_place(temporary, path)?;
    sync_parent(path)
}

/// Makes a file that is not there yet; `false`, and nothing is changed, where it is. A crash leaves the whole
/// file or none, and perhaps a temporary one beside it.
pub fn create(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    let temporary = write_temporary(path, bytes)?;
    door::sync(temporary.file()).map_err(|source| FileError::Sync { path: path.into(), source })?;
    match temporary.put_new(path) {
        Ok(()) => sync_parent(path).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(source) => Err(FileError::Rename { path: path.into(), source }),
    }
}

/// Makes a file in a folder that nobody reads before it has another name: whole and on disk but for its place in the folder.
pub(crate) fn write_unseen(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let create = |source| FileError::Create { path: path.into(), source };
    let file = door::open(path, os::private_options().write(true).create_new(true)).map_err(create)?;
    os::make_private(&file).map_err(create)?;
    if bytes.is_empty() {
        return Ok(());
    }
    door::write(&file, bytes).map_err(|source| FileError::Write { path: path.into(), source })?;
    door::sync(&file).map_err(|source| FileError::Sync { path: path.into(), source })
}

/// Makes a private folder that nobody reads before it has another name, which is on disk only with that.
pub(crate) fn make_unseen_dir(path: &Path) -> Result<(), FileError> {
    door::make_dir(path).map_err(|source| FileError::CreateDir { path: path.into(), source })
}

/// As [`replace`], but without waiting for the disk: readers still never see a half, but a power cut
/// may lose the content, old and new. For what is worthless after a restart of the machine.
pub fn replace_volatile(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    put_into_place(write_temporary(path, bytes)?, path)
}

/// Makes a folder and those above it that are missing, each 0700 and on disk. Folders that are there
/// keep their mode.
pub fn create_dir(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = parent_of(path);
    if parent != path {
        create_dir(&parent)?;
    }
    match door::make_dir(path) {
        Ok(()) => sync_dir(&parent),
        // Somebody else made it meanwhile.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(source) => Err(FileError::CreateDir { path: path.into(), source }),
    }
}

/// The content of a file; `None` where there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError::Read { path: path.into(), source }),
    }
}

/// Removes a file for good; that it is not there is no error.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match door::remove_file(path) {
        Ok(()) => sync_parent(path),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(FileError::Remove { path: path.into(), source }),
    }
}

/// Removes the temporary files that crashes left in a folder. Only for whoever alone writes there.
pub(crate) fn sweep_temporaries(folder: &Path) -> Result<(), FileError> {
    temporaries(folder)?.iter().try_for_each(|name| remove(&folder.join(name)))
}

/// The names of what is temporary in a folder.
pub(crate) fn temporaries(folder: &Path) -> Result<Vec<OsString>, FileError> {
    let error = |source| FileError::Read { path: folder.into(), source };
    let mut names = Vec::new();
    for entry in uninterrupted(|| std::fs::read_dir(folder)).map_err(error)? {
        let name = entry.map_err(error)?.file_name();
        if name.to_string_lossy().starts_with(TEMPORARY_PREFIX) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Makes what was made or renamed beside `path` survive a power cut.
pub(crate) fn sync_parent(path: &Path) -> Result<(), FileError> {
    sync_dir(&parent_of(path))
}

/// Makes what is in a folder survive a power cut.
pub(crate) fn sync_dir(path: &Path) -> Result<(), FileError> {
    door::sync_dir(path).map_err(|source| FileError::Sync { path: path.into(), source })
}

/// Gives a file or a folder another name, for good.
pub fn rename(from: &Path, to: &Path) -> Result<(), FileError> {
    door::rename(from, to).map_err(|source| FileError::Rename { path: to.into(), source })?;
    sync_parent(to)?;
    if parent_of(from) == parent_of(to) { Ok(()) } else { sync_parent(from) }
}

/// Removes a folder and all in it. A crash leaves any part of it: give it a name first that says so.
pub(crate) fn remove_all(path: &Path) -> Result<(), FileError> {
    door::remove_all(path).map_err(|source| FileError::Remove { path: path.into(), source })
}

/// Opens a file for locking it, made where it is missing.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    door::open(path, os::private_options().read(true).write(true).create(true).truncate(false))
}

fn write_temporary(path: &Path, bytes: &[u8]) -> Result<Temporary, FileError> {
    let temporary = Temporary::within(&parent_of(path))
        .map_err(|source| FileError::Create { path: path.into(), source })?;
    door::write(temporary.file(), bytes).map_err(|source| FileError::Write { path: path.into(), source })?;
    Ok(temporary)
}

fn put_into_place(temporary: Temporary, path: &Path) -> Result<(), FileError> {
    temporary.put(path).map_err(|source| FileError::Rename { path: path.into(), source })
}

/// The folder that a path is in; the current one for a bare name, the root for the root.
pub(crate) fn parent_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replacing_leaves_the_new_content_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meta.json");
        for content in [&b"old"[..], b"new and longer", b""] {
            replace(&path, content).unwrap();
            assert_eq!(read(&path).unwrap().as_deref(), Some(content));
        }
        replace_volatile(&path, b"beat").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some(&b"beat"[..]));
        assert_eq!(names(folder.path()), ["meta.json"]);
    }

    #[test]
    fn a_replacement_that_fails_leaves_the_old_content_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("there");
        create_dir(&path.join("a folder cannot be replaced by a file")).unwrap();
        let error = replace(&path, b"new").unwrap_err();
        assert!(matches!(error, FileError::Rename { .. }), "{error:?}");
        assert_eq!(names(folder.path()), ["there"]);
    }

    #[test]
    fn a_new_file_is_made_and_one_that_is_there_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export.md");
        assert!(create(&path, b"first").unwrap());
        assert!(!create(&path, b"second").unwrap());
        assert_eq!(read(&path).unwrap().as_deref(), Some(&b"first"[..]));
        assert_eq!(names(folder.path()), ["export.md"]);
    }

    #[test]
    fn what_is_not_there_reads_as_none_and_is_removed_already() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nothing");
        assert_eq!(read(&path).unwrap(), None);
        remove(&path).unwrap();
        assert!(matches!(read(folder.path()), Err(FileError::Read { .. })), "a folder is no file");
    }

    #[test]
    fn making_a_folder_makes_those_above_it_and_is_no_error_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c");
        create_dir(&path).unwrap();
        create_dir(&path).unwrap();
        assert!(path.is_dir());
        replace(&folder.path().join("file"), b"").unwrap();
        let error = create_dir(&folder.path().join("file/below")).unwrap_err();
        assert!(matches!(error, FileError::CreateDir { .. }), "{error:?}");
    }

    #[test]
    fn two_that_make_the_same_folder_both_succeed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x/y/z");
        std::thread::scope(|scope| {
            let made: Vec<_> = (0..8).map(|_| scope.spawn(|| create_dir(&path))).collect();
            made.into_iter().for_each(|made| made.join().unwrap().unwrap());
        });
    }

    #[test]
    fn readers_see_the_old_content_or_the_new_and_never_a_half() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meta.json");
        let contents = ["a".repeat(50_000), "b".repeat(70_000)];
        replace_volatile(&path, contents[0].as_bytes()).unwrap();
        std::thread::scope(|scope| {
            let writing = scope.spawn(|| {
                for n in 0..200 {
                    replace_volatile(&path, contents[n % 2].as_bytes()).unwrap();
                }
            });
            while !writing.is_finished() {
                let seen = String::from_utf8(read(&path).unwrap().expect("it is never absent")).unwrap();
                assert!(contents.contains(&seen), "a half of {} bytes", seen.len());
            }
        });
    }

    #[test]
    fn temporary_files_of_crashes_are_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".bc-tmp-4f", "meta.json", ".hidden"] {
            replace(&folder.path().join(name), b"x").unwrap();
        }
        sweep_temporaries(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [".hidden", "meta.json"]);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod unix_tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    #[test]
    fn everything_is_private_whatever_the_umask() {
        // Of the whole process; the other tests make nothing whose mode depends on it.
        rustix::process::umask(rustix::fs::Mode::empty());
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("a/b");
        create_dir(&made).unwrap();
        let file = |name: &str| made.join(name);
        replace(&file("replaced"), b"x").unwrap();
        replace_volatile(&file("volatile"), b"x").unwrap();
        fs::copy(file("replaced"), file("loose")).unwrap();
        fs::set_permissions(file("loose"), fs::Permissions::from_mode(0o666)).unwrap();
        replace(&file("loose"), b"x").unwrap();
        Appender::open(&file("appended")).unwrap().0.append(b"{\"torn").unwrap();
        Appender::open(&file("appended")).unwrap();
        crate::lock::FileLock::try_exclusive(&file("lock")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode(&folder.path().join("a")), mode(&made)), (0o700, 0o700));
        for entry in fs::read_dir(&made).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }

    #[test]
    fn a_folder_that_is_there_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        create_dir(&there).unwrap();
        fs::set_permissions(&there, fs::Permissions::from_mode(0o750)).unwrap();
        create_dir(&there.join("below")).unwrap();
        assert_eq!(fs::metadata(&there).unwrap().permissions().mode() & 0o777, 0o750);
    }
}
