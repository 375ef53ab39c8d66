//! File operations with a defined outcome after a crash.
//!
//! State files are replaced as a whole: a reader sees either the old or the new content. After a successful
//! return, the new content survives a power cut, except with [`replace_volatile`]. Lines are appended through
//! one [`Appender`]. Files are created with mode 0600 and folders with 0700, regardless of the umask; for the
//! user's own files, see [`replace_open`].

mod append;
mod batch;
mod group_commit;
mod open;
mod output_parts;
mod regular;
mod shared;
mod syscalls;

pub use crate::error::FileError;
pub use append::{Appender, Tail};
pub use batch::{Put, put_all};
pub use open::{create_open, create_open_dir, remove_empty_dir, replace_open};
pub use output_parts::{OutputParts, OutputPiece, read_output, remove_output};
pub use regular::{LINE_MAX, Refusal, open_regular, read, read_at_most, read_line};
pub(crate) use regular::{found, open_resolved};
pub use shared::SharedLog;
pub use syscalls::TEMPORARY_PREFIX;
pub(crate) use syscalls::{open_locked, uninterrupted};

use crate::os;
use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use syscalls::Temporary;

/// Returns the volume and index of an open file. The system does not give them to another file while this
/// file exists.
#[cfg(windows)]
pub fn index(file: &std::fs::File) -> io::Result<(u64, u128)> {
    os::index(file)
}

/// Replaces the content of a file, or creates the file. On an error, the old content is unchanged, unless only
/// the sync of the folder failed. A crash leaves the old or the new content, and possibly a temporary file next
/// to it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace_by(Temporary::within(&parent_of(path)), path, bytes)
}

/// Creates a file. Returns `false`, without changes, if the file already exists. A crash leaves the complete
/// file or no file, and possibly a temporary file next to it.
pub fn create(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    create_by(Temporary::within(&parent_of(path)), path, bytes)
}

/// Creates a file in a temporary folder that no reader opens before it is renamed. The file's content is on
/// disk when this function returns; its folder entry is not.
pub(crate) fn write_unseen(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let create = |source| FileError::Create { path: path.into(), source };
    let file = syscalls::open(path, os::private_options().write(true).create_new(true)).map_err(create)?;
    os::make_private(&file).map_err(create)?;
    if bytes.is_empty() {
        return Ok(());
    }
    syscalls::write(&file, bytes).map_err(|source| FileError::Write { path: path.into(), source })?;
    syscalls::sync(&file).map_err(|source| FileError::Sync { path: path.into(), source })
}

/// Creates a private temporary folder that no reader opens before it is renamed. The folder is on disk only
/// after the rename is synced.
pub(crate) fn make_unseen_dir(path: &Path) -> Result<(), FileError> {
    syscalls::make_dir(path).map_err(|source| FileError::CreateDir { path: path.into(), source })
}

/// Like [`replace`], but without waiting for the disk: readers never see a partial file, but a power cut can
/// lose both the old and the new content. Use it for data that has no value after a restart of the machine.
pub fn replace_volatile(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    put_into_place(write_temporary(path, bytes)?, path)
}

/// Creates a folder and its missing parents durably, each with mode 0700. Existing folders keep their mode.
pub fn create_dir(path: &Path) -> Result<(), FileError> {
    create_dirs(path, syscalls::make_dir)
}

/// Creates a folder and its missing parents durably, each with `make`.
fn create_dirs(path: &Path, make: fn(&Path) -> io::Result<()>) -> Result<(), FileError> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = parent_of(path);
    if parent != path {
        create_dirs(&parent, make)?;
    }
    match make(path) {
        Ok(()) => sync_dir(&parent),
        // Another process has created the folder meanwhile.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(source) => Err(FileError::CreateDir { path: path.into(), source }),
    }
}

/// Removes a file durably. A missing file is not an error.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match syscalls::remove_file(path) {
        Ok(()) => sync_parent(path),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(FileError::Remove { path: path.into(), source }),
    }
}

/// Removes the temporary files that crashes left in a folder. Only the folder's single writer may call this
/// function.
pub(crate) fn sweep_temporaries(folder: &Path) -> Result<(), FileError> {
    temporaries(folder)?.iter().try_for_each(|name| remove(&folder.join(name)))
}

/// The minimum age of temporary files that [`remove_abandoned`] removes.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

/// Removes the temporary files that killed programs left in a folder with other active writers. Returns their
/// number. Files that cannot be removed are left for the next call.
pub fn remove_abandoned(folder: &Path) -> usize {
    let is_left = |path: &Path| {
        let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let age = SystemTime::now().duration_since(metadata.modified().ok()?).ok()?;
        // Check the age, because a writer locks its new file shortly after creating it.
        (age >= ABANDONED_AFTER && syscalls::is_abandoned(&open_resolved(path).ok()?)).then_some(())
    };
    let names = temporaries(folder).unwrap_or_default().into_iter();
    let left = names.map(|name| folder.join(name)).filter(|path| is_left(path).is_some());
    left.filter(|path| remove(path).is_ok()).count()
}

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

/// Makes the creation or renaming of `path` survive a power cut.
pub(crate) fn sync_parent(path: &Path) -> Result<(), FileError> {
    sync_dir(&parent_of(path))
}

/// Makes a folder's entries survive a power cut.
pub(crate) fn sync_dir(path: &Path) -> Result<(), FileError> {
    syscalls::sync_dir(path).map_err(|source| FileError::Sync { path: path.into(), source })
}

/// Renames a file or folder durably.
pub fn rename(from: &Path, to: &Path) -> Result<(), FileError> {
    syscalls::rename(from, to).map_err(|source| FileError::Rename { path: to.into(), source })?;
    sync_parent(to)?;
    if parent_of(from) == parent_of(to) { Ok(()) } else { sync_parent(from) }
}

/// Removes a folder and its content. A crash can leave any part of the content, so rename the folder to a
/// temporary name first.
pub fn remove_all(path: &Path) -> Result<(), FileError> {
    syscalls::remove_all(path).map_err(|source| FileError::Remove { path: path.into(), source })
}

/// Replaces a file by a new temporary file.
fn replace_by(temporary: io::Result<Temporary>, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    put_into_place(fill_and_sync(temporary, path, bytes)?, path)?;
    sync_parent(path)
}

/// Creates a file from a new temporary file. Returns `false` if the file already exists.
fn create_by(temporary: io::Result<Temporary>, path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    match fill_and_sync(temporary, path, bytes)?.put_new(path) {
        Ok(()) => sync_parent(path).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(source) => Err(FileError::Rename { path: path.into(), source }),
    }
}

fn write_temporary(path: &Path, bytes: &[u8]) -> Result<Temporary, FileError> {
    fill(Temporary::within(&parent_of(path)), path, bytes)
}

/// Writes the bytes to a new temporary file for `path`.
fn fill(temporary: io::Result<Temporary>, path: &Path, bytes: &[u8]) -> Result<Temporary, FileError> {
    let temporary = temporary.map_err(|source| FileError::Create { path: path.into(), source })?;
    syscalls::write(temporary.file(), bytes)
        .map_err(|source| FileError::Write { path: path.into(), source })?;
    Ok(temporary)
}

fn fill_and_sync(
    temporary: io::Result<Temporary>,
    path: &Path,
    bytes: &[u8],
) -> Result<Temporary, FileError> {
    let temporary = fill(temporary, path, bytes)?;
    syscalls::sync(temporary.file()).map_err(|source| FileError::Sync { path: path.into(), source })?;
    Ok(temporary)
}

fn put_into_place(temporary: Temporary, path: &Path) -> Result<(), FileError> {
    temporary.put(path).map_err(|source| FileError::Rename { path: path.into(), source })
}

/// Returns a path's parent folder: `.` for a bare name, and the root itself for the root.
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
    fn new_files_are_created_and_existing_ones_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export.md");
        assert!(create(&path, b"first").unwrap());
        assert!(!create(&path, b"second").unwrap());
        assert_eq!(read(&path).unwrap().as_deref(), Some(&b"first"[..]));
        assert_eq!(names(folder.path()), ["export.md"]);
    }

    #[test]
    fn reading_or_removing_a_missing_file_is_not_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nothing");
        assert_eq!(read(&path).unwrap(), None);
        remove(&path).unwrap();
        assert!(matches!(read(folder.path()), Err(FileError::Read { .. })), "a folder is not a file");
    }

    #[test]
    fn creating_a_folder_creates_its_parents_and_can_be_repeated() {
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
    fn concurrent_creation_of_a_folder_succeeds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x/y/z");
        std::thread::scope(|scope| {
            let made: Vec<_> = (0..8).map(|_| scope.spawn(|| create_dir(&path))).collect();
            made.into_iter().for_each(|made| made.join().unwrap().unwrap());
        });
    }

    #[test]
    fn readers_see_the_old_or_the_new_content_and_never_a_mix() {
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
                let seen = String::from_utf8(read(&path).unwrap().expect("the file always exists")).unwrap();
                assert!(contents.contains(&seen), "a mix of {} bytes", seen.len());
            }
        });
    }

    #[test]
    fn only_temporary_files_of_crashes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".bc-tmp-4f", "meta.json", ".hidden"] {
            replace(&folder.path().join(name), b"x").unwrap();
        }
        sweep_temporaries(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [".hidden", "meta.json"]);
    }
}

#[cfg(test)]
mod abandoned_tests {
    use super::*;

    fn aged(path: &Path) {
        let file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - ABANDONED_AFTER * 2).unwrap();
    }

    #[test]
    fn only_abandoned_temporary_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let live = Temporary::within(folder.path()).unwrap();
        aged(live.file_path());
        for name in [".bc-tmp-left", ".bc-tmp-new", "kept"] {
            replace(&folder.path().join(name), b"x").unwrap();
        }
        aged(&folder.path().join(".bc-tmp-left"));
        aged(&folder.path().join("kept"));
        std::fs::create_dir(folder.path().join(".bc-tmp-folder")).unwrap();
        assert_eq!(remove_abandoned(folder.path()), 1);
        assert!(!folder.path().join(".bc-tmp-left").exists());
        live.put(&folder.path().join("written")).unwrap();
        assert!(folder.path().join("written").exists() && folder.path().join(".bc-tmp-new").exists());
        assert_eq!(remove_abandoned(Path::new("/nowhere")), 0);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod unix_tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    #[test]
    fn files_are_private_for_any_umask() {
        // The umask applies to the whole process; no other test creates files whose mode depends on it.
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
    fn an_existing_folder_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let existing = folder.path().join("there");
        create_dir(&existing).unwrap();
        fs::set_permissions(&existing, fs::Permissions::from_mode(0o750)).unwrap();
        create_dir(&existing.join("below")).unwrap();
        assert_eq!(fs::metadata(&existing).unwrap().permissions().mode() & 0o777, 0o750);
    }
}
