//! The door to the file system: whatever this crate changes on disk it changes here, one function for
//! each kind of change and nothing in it but the system's call, tried again where a signal cut it off.
//!
//! In this crate's own tests each change is also told to whoever records on the thread: that is what
//! crashes are simulated from. Nothing of that is in a build for use.

use super::TEMPORARY_PREFIX;
use crate::os;
use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Seek, SeekFrom, Write},
    path::Path,
    thread,
};

#[cfg(all(test, unix))]
use crate::simulated::{Change, inode};

/// So many files are synced at a time.
const SYNCS_AT_A_TIME: usize = 8;

/// So few are synced one after the other: a thread costs more than the wait.
const FEW: usize = 3;

/// Tells a change that was made, in tests only.
macro_rules! tell {
    ($change:expr) => {
        #[cfg(all(test, unix))]
        crate::simulated::tell(|| $change)
    };
}

/// Opens a file, which makes it where the options say so.
pub(super) fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    #[cfg(all(test, unix))]
    let there = path.exists();
    let file = options.open(path)?;
    #[cfg(all(test, unix))]
    if !there {
        tell!(Change::Made { path: path.into(), inode: inode(&file) });
    }
    Ok(file)
}

/// Writes all of the bytes at the end of the file.
pub(super) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(all(test, unix))]
    let at = file.metadata()?.len();
    file.write_all(bytes)?;
    tell!(Change::Written { inode: inode(file), at, bytes: bytes.into() });
    Ok(())
}

/// Writes the bytes to their place in a file that was not opened for appending.
pub(super) fn rewrite(mut file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)?;
    tell!(Change::Written { inode: inode(file), at, bytes: bytes.into() });
    Ok(())
}

/// Cuts the end of the file off.
pub(super) fn cut(file: &File, len: u64) -> io::Result<()> {
    file.set_len(len)?;
    tell!(Change::Cut { inode: inode(file), len });
    Ok(())
}

/// Returns once the file's content is on disk; whether it can be found is its folder's to say.
pub(super) fn sync(file: &File) -> io::Result<()> {
    file.sync_data()?;
    tell!(Change::Synced { inode: inode(file) });
    Ok(())
}

/// As [`sync`] for each, at a time: what they wait for is mostly the same.
pub(super) fn sync_all(files: &[&File]) -> Vec<io::Result<()>> {
    let share = match files.len() {
        few @ ..=FEW => few.max(1),
        many => many.div_ceil(SYNCS_AT_A_TIME),
    };
    let each = |files: &[&File]| files.iter().map(|file| file.sync_data()).collect::<Vec<_>>();
    let mut parts = files.chunks(share);
    let own = parts.next().unwrap_or_default();
    let synced: Vec<_> = thread::scope(|scope| {
        let started = |part| (part, thread::Builder::new().spawn_scoped(scope, move || each(part)));
        let others: Vec<_> = parts.map(started).collect();
        let mut synced = each(own);
        for (part, other) in others {
            // Where no thread can be had this one does it.
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

/// Returns once what the folder has is on disk; what that has in it is another matter.
pub(super) fn sync_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| os::sync_dir(path))?;
    tell!(Change::SyncedDir { path: path.into() });
    Ok(())
}

/// Makes a folder, private.
pub(super) fn make_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| os::make_private_dir(path))?;
    tell!(Change::MadeDir { path: path.into() });
    Ok(())
}

/// Makes a folder that others may look into, as the umask says.
pub(super) fn make_open_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| fs::create_dir(path))?;
    tell!(Change::MadeDir { path: path.into() });
    Ok(())
}

/// Gives a file or a folder another name; a file that has it is replaced.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    uninterrupted(|| fs::rename(from, to))?;
    tell!(Change::Renamed { from: from.into(), to: to.into() });
    Ok(())
}

/// Removes a file.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    uninterrupted(|| fs::remove_file(path))?;
    tell!(Change::Removed { path: path.into() });
    Ok(())
}

/// Removes a folder that has nothing in it.
pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    uninterrupted(|| fs::remove_dir(path))?;
    tell!(Change::Removed { path: path.into() });
    Ok(())
}

/// Removes a folder with all that is in it, in no order.
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

/// A file under a name of its own, private, that goes again unless it is put into a place.
pub(super) struct Temporary(Option<tempfile::NamedTempFile>);

impl Temporary {
    /// Makes one in a folder.
    pub(super) fn within(folder: &Path) -> io::Result<Temporary> {
        let file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
        tell!(Change::Made { path: file.path().into(), inode: inode(file.as_file()) });
        os::make_private(file.as_file())?;
        Ok(Temporary(Some(file)))
    }

    /// Makes one in a folder, with the mode of `like`, else as the umask says.
    pub(super) fn open_within(folder: &Path, like: Option<Permissions>) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        os::readable(builder.prefix(TEMPORARY_PREFIX));
        let file = builder.tempfile_in(folder)?;
        tell!(Change::Made { path: file.path().into(), inode: inode(file.as_file()) });
        if let Some(mode) = like {
            file.as_file().set_permissions(mode)?;
        }
        Ok(Temporary(Some(file)))
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        self.0.as_ref().expect("it goes only with this").as_file()
    }

    /// Gives it its name; a file that has it is replaced.
    pub(super) fn put(self, place: &Path) -> io::Result<()> {
        self.put_by(place, |file| file.persist(place))
    }

    /// Gives it its name where no file has it.
    pub(super) fn put_new(self, place: &Path) -> io::Result<()> {
        self.put_by(place, |file| file.persist_noclobber(place))
    }

    fn put_by(
        mut self,
        _place: &Path,
        put: impl Fn(tempfile::NamedTempFile) -> Result<File, tempfile::PersistError>,
    ) -> io::Result<()> {
        let mut file = self.0.take().expect("it goes only with this");
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

impl Drop for Temporary {
    fn drop(&mut self) {
        let Some(file) = self.0.take() else { return };
        #[cfg(all(test, unix))]
        let path = file.path().to_owned();
        // What cannot be removed is swept by whoever takes the folder's lock next.
        if file.close().is_ok() {
            tell!(Change::Removed { path });
        }
    }
}

/// A signal may cut a call off before it did anything.
pub(crate) fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
