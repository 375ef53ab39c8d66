//! All system calls with which this crate changes the disk, with one function for each kind of change. Calls
//! that a signal interrupts are retried.
//!
//! In this crate's own tests on Unix, each change is also reported to the thread's recorder, which simulates
//! crashes.

use crate::os;
use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Seek, SeekFrom, Write},
    path::Path,
    thread,
};

#[cfg(all(test, unix))]
use crate::simulated::{Change, inode};

/// The name prefix of all temporary files. A crash can leave such files; code that lists a folder skips them.
pub const TEMPORARY_PREFIX: &str = ".bc-tmp-";

/// The maximum number of concurrent syncs.
const SYNCS_AT_A_TIME: usize = 8;

/// Up to this number of files, one thread syncs them in sequence, because starting another thread would take
/// longer.
const FEW: usize = 3;

/// Reports a change to the recorder, in tests only.
macro_rules! tell {
    ($change:expr) => {
        #[cfg(all(test, unix))]
        crate::simulated::tell(|| $change)
    };
}

/// Opens a file, and creates it if the options allow it.
pub(super) fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    #[cfg(all(test, unix))]
    let existed = path.exists();
    let file = options.open(path)?;
    #[cfg(all(test, unix))]
    if !existed {
        tell!(Change::Made { path: path.into(), inode: inode(&file) });
    }
    Ok(file)
}

/// Writes all bytes to the end of the file.
pub(super) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(all(test, unix))]
    let at = file.metadata()?.len();
    file.write_all(bytes)?;
    tell!(Change::Written { inode: inode(file), at, bytes: bytes.into() });
    Ok(())
}

/// Writes the bytes at an offset of a file that was not opened for appending.
pub(super) fn rewrite(mut file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)?;
    tell!(Change::Written { inode: inode(file), at, bytes: bytes.into() });
    Ok(())
}

/// Opens a lock file, creating it if it is missing, and takes its lock. Returns `None` if the lock is already
/// held.
pub(crate) fn open_locked(path: &Path) -> io::Result<Option<File>> {
    #[cfg(all(test, unix))]
    let existed = path.exists();
    let file = os::open_locked(path)?;
    #[cfg(all(test, unix))]
    if let (false, Some(file)) = (existed, &file) {
        tell!(Change::Made { path: path.into(), inode: inode(file) });
    }
    Ok(file)
}

/// Truncates a file. Some systems need the open file, others its path.
pub(super) fn cut(path: &Path, file: &File, len: u64) -> io::Result<()> {
    os::cut(path, file, len)?;
    tell!(Change::Cut { inode: inode(file), len });
    Ok(())
}

/// Returns once the file's content is on disk. Its folder entry requires a sync of the folder.
pub(super) fn sync(file: &File) -> io::Result<()> {
    os::sync_data(file)?;
    tell!(Change::Synced { inode: inode(file) });
    Ok(())
}

/// Syncs the files and returns their results in the same order. More than [`FEW`] files are synced
/// concurrently, because the syncs mostly wait for the same disk writes.
pub(super) fn sync_all(files: &[&File]) -> Vec<io::Result<()>> {
    let share = match files.len() {
        few @ ..=FEW => few.max(1),
        many => many.div_ceil(SYNCS_AT_A_TIME),
    };
    let each = |files: &[&File]| files.iter().map(|file| os::sync_data(file)).collect::<Vec<_>>();
    let mut parts = files.chunks(share);
    let own = parts.next().unwrap_or_default();
    let synced: Vec<_> = thread::scope(|scope| {
        let started = |part| (part, thread::Builder::new().spawn_scoped(scope, move || each(part)));
        let others: Vec<_> = parts.map(started).collect();
        let mut synced = each(own);
        for (part, other) in others {
            // If the other thread could not be started, sync its files on the current thread.
            let theirs = other.ok().and_then(|other| other.join().ok());
            synced.extend(theirs.unwrap_or_else(|| each(part)));
        }
        synced
    });
    #[cfg(all(test, unix))]
    for (file, _) in files.iter().zip(&synced).filter(|(_, synced)| synced.is_ok()) {
        tell!(Change::Synced { inode: inode(file) });
    }
    synced
}

/// Returns once the folder's entries are on disk. The content of its files requires separate syncs.
pub(super) fn sync_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| os::sync_dir(path))?;
    tell!(Change::SyncedDir { path: path.into() });
    Ok(())
}

/// Creates a folder with mode 0700.
pub(super) fn make_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| os::make_private_dir(path))?;
    tell!(Change::MadeDir { path: path.into() });
    Ok(())
}

/// Creates a folder. The umask determines its mode.
pub(super) fn make_open_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| fs::create_dir(path))?;
    tell!(Change::MadeDir { path: path.into() });
    Ok(())
}

/// Renames a file or folder, replacing an existing file.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    uninterrupted(|| os::replace(from, to))?;
    tell!(Change::Renamed { from: from.into(), to: to.into() });
    Ok(())
}

pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    uninterrupted(|| os::when_free(|| fs::remove_file(path)))?;
    tell!(Change::Removed { path: path.into() });
    Ok(())
}

/// Removes an empty folder.
pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| fs::remove_dir(path))?;
    tell!(Change::Removed { path: path.into() });
    Ok(())
}

/// Removes a folder with all its content, in an unspecified order.
pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    #[cfg(all(test, unix))]
    let inside = crate::simulated::inside(path);
    uninterrupted(|| fs::remove_dir_all(path))?;
    #[cfg(all(test, unix))]
    for path in inside {
        tell!(Change::Removed { path });
    }
    Ok(())
}

/// A file with a temporary name. Dropping it removes the file unless the file received its final name.
pub(super) struct Temporary(Option<tempfile::NamedTempFile>);

impl Temporary {
    pub(super) fn within(folder: &Path) -> io::Result<Temporary> {
        let file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
        tell!(Change::Made { path: file.path().into(), inode: inode(file.as_file()) });
        os::make_private(file.as_file())?;
        is_written(file.as_file());
        Ok(Temporary(Some(file)))
    }

    /// Creates a temporary file in a folder. Its mode is `like` if given; otherwise the umask determines it.
    pub(super) fn open_within(folder: &Path, like: Option<Permissions>) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        os::readable(builder.prefix(TEMPORARY_PREFIX));
        let file = builder.tempfile_in(folder)?;
        tell!(Change::Made { path: file.path().into(), inode: inode(file.as_file()) });
        if let Some(mode) = like {
            file.as_file().set_permissions(mode)?;
        }
        is_written(file.as_file());
        Ok(Temporary(Some(file)))
    }

    pub(super) fn file(&self) -> &File {
        self.0.as_ref().expect("only `put_by` and drop take the file").as_file()
    }

    #[cfg(test)]
    pub(super) fn file_path(&self) -> &Path {
        self.0.as_ref().expect("only `put_by` and drop take the file").path()
    }

    /// Renames the file to its final name, replacing an existing file.
    pub(super) fn put(self, place: &Path) -> io::Result<()> {
        self.put_by(place, |file| persist(file, place))
    }

    /// Renames the file to its final name. Fails if a file with that name already exists.
    pub(super) fn put_new(self, place: &Path) -> io::Result<()> {
        self.put_by(place, |file| file.persist_noclobber(place))
    }

    fn put_by(
        mut self,
        _place: &Path,
        put: impl Fn(tempfile::NamedTempFile) -> Result<File, tempfile::PersistError>,
    ) -> io::Result<()> {
        let mut file = self.0.take().expect("only `put_by` and drop take the file");
        #[cfg(all(test, unix))]
        let from = file.path().to_owned();
        loop {
            match put(file) {
                Ok(_) => break,
                Err(refused) => {
                    file = refused.file;
                    if refused.error.kind() != io::ErrorKind::Interrupted {
                        self.0 = Some(file);
                        return Err(refused.error);
                    }
                }
            }
        }
        tell!(Change::Renamed { from, to: _place.into() });
        Ok(())
    }
}

/// Renames a temporary file to its final name, as `tempfile` does, but waits if another program has the old
/// file open.
#[cfg(windows)]
fn persist(file: tempfile::NamedTempFile, place: &Path) -> Result<File, tempfile::PersistError> {
    let (file, path) = file.into_parts();
    match os::replace(&path, place) {
        Ok(()) => {
            // The file now has its final name, so prevent the temporary path from removing it.
            let _ = path.keep();
            Ok(file)
        }
        Err(error) => {
            Err(tempfile::PersistError { error, file: tempfile::NamedTempFile::from_parts(file, path) })
        }
    }
}

#[cfg(not(windows))]
fn persist(file: tempfile::NamedTempFile, place: &Path) -> Result<File, tempfile::PersistError> {
    file.persist(place)
}

/// Marks a temporary file as being written, with a lock that is released when the writer exits. On a file
/// system without locks, only the file's age shows whether it is abandoned.
fn is_written(file: &File) {
    let _ = file.try_lock();
}

/// Whether the writer of a temporary file has exited, as its released lock shows. Takes the lock.
pub(super) fn is_abandoned(file: &File) -> bool {
    file.try_lock().is_ok()
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let Some(file) = self.0.take() else { return };
        #[cfg(all(test, unix))]
        let path = file.path().to_owned();
        // If the removal fails, the next sweep of the folder removes the file.
        if file.close().is_ok() {
            tell!(Change::Removed { path });
        }
    }
}

/// Retries a call that was interrupted by a signal before it had any effect.
pub(crate) fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
