//! Unix: files get their mode at creation, folders can be synced, and device and inode identify a file.

use rustix::fs::OFlags;
use std::{
    fs::{DirBuilder, File, FileType, Metadata, OpenOptions, Permissions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// Whether a folder with open files can be renamed.
pub(crate) const OPEN_FILES_CAN_MOVE: bool = true;

/// Creates one folder with mode 0700.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Options that create a file with mode 0600.
pub(crate) fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Sets mode 0600, even if the umask has cleared the owner's bits.
pub(crate) fn make_private(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o600))
}

/// Makes a temporary file get the mode that the umask gives.
pub(crate) fn readable(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o666));
}

/// Calls the function once: on Unix, open files can be replaced and removed.
pub(crate) fn when_free<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    call()
}

/// Renames the file; an existing one is replaced.
pub(crate) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

pub(crate) fn cut(_path: &Path, file: &File, len: u64) -> io::Result<()> {
    file.set_len(len)
}

/// Opens the lock file and takes its lock; `None` if another process holds it.
pub(crate) fn open_locked(path: &Path) -> io::Result<Option<File>> {
    let mut options = private_options();
    // Refuse a lock file that is a link: it is not ours.
    let file = refuse_link(options.read(true).write(true).create(true).truncate(false)).open(path)?;
    Ok(try_lock(&file)?.then_some(file))
}

/// Whether the open file holds the lock of the file at this path. Locking again through the same open file succeeds
/// only if no other one holds the lock.
pub(crate) fn holds_lock(file: &File, path: &Path) -> io::Result<bool> {
    Ok(try_lock(file)? && is_still_at(file, path)?)
}

fn try_lock(file: &File) -> io::Result<bool> {
    loop {
        return match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(TryLockError::Error(error)) => Err(error),
        };
    }
}

/// Returns once the file's content is on disk.
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    full_or_plain(file.sync_data(), || Ok(rustix::fs::fsync(file)?))
}

/// On macOS, Rust's syncs make the drive write (`F_FULLFSYNC`), which network and foreign file systems do not support.
/// There, a plain sync does what is possible.
fn full_or_plain(full: io::Result<()>, plain: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match full {
        Err(error) if cfg!(any(target_os = "macos", test)) && is_unsupported(&error) => plain(),
        other => other,
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let codes = [Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOTTY, Errno::NOSYS];
    codes.iter().any(|code| error.raw_os_error() == Some(code.raw_os_error()))
}

/// Makes a rename or creation in the folder survive a power cut.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    let folder = File::open(path)?;
    match full_or_plain(folder.sync_all(), || Ok(rustix::fs::fsync(&folder)?)) {
        // Some network and FUSE file systems cannot sync a folder; there, the rename has to suffice.
        Err(e) if e.kind() == io::ErrorKind::InvalidInput || e.kind() == io::ErrorKind::Unsupported => Ok(()),
        other => other,
    }
}

/// Identifies a version of a file: device, inode, and change time, which programs cannot set. It is different for
/// another file with the same name.
pub(crate) type Identity = (u64, u64, i64, i64);

pub(crate) fn identity(_path: &Path, file: &Metadata) -> Option<Identity> {
    Some((file.dev(), file.ino(), file.ctime(), file.ctime_nsec()))
}

/// Whether the path still leads to the open file.
pub(crate) fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(there) => Ok((open.dev(), open.ino()) == (there.dev(), there.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Whether two names lead to the same file or folder, or link.
pub(crate) fn is_same_entry(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.symlink_metadata().ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

/// Options for reading that do not block on a named pipe without a writer.
pub(crate) fn reading_options() -> OpenOptions {
    with_flags(OFlags::NONBLOCK | OFlags::NOCTTY)
}

/// Like [`reading_options`], but a link as the last component is an error.
pub(crate) fn reading_options_without_link() -> OpenOptions {
    with_flags(OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW)
}

fn with_flags(flags: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

/// Refuses a link as the last component, and never blocks on a named pipe without a reader.
pub(crate) fn refuse_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW).bits().cast_signed())
}

/// The path of an open file as the kernel reports it, without links; `None` if it is not available.
pub(crate) fn opened_path(_file: &File) -> Option<PathBuf> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use std::os::fd::AsRawFd;
        std::fs::read_link(format!("/proc/self/fd/{}", _file.as_raw_fd())).ok()
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    None
}

/// The kind of a file that is not regular, in words.
pub(crate) fn kind(kind: FileType) -> &'static str {
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_char_device() || kind.is_block_device() => "a device",
        () if kind.is_symlink() => "a link",
        () => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn a_full_sync_that_the_file_system_does_not_support_becomes_a_plain_one() {
        for unsupported in [Errno::NOTSUP, Errno::INVAL, Errno::NOTTY] {
            full_or_plain(Err(unsupported.into()), || Ok(())).unwrap();
        }
        let failed = full_or_plain(Err(Errno::IO.into()), || Ok(())).unwrap_err();
        assert_eq!(failed.raw_os_error(), Some(Errno::IO.raw_os_error()), "other errors are not hidden");
        let failed = full_or_plain(Err(Errno::NOTSUP.into()), || Err(Errno::IO.into())).unwrap_err();
        assert_eq!(failed.raw_os_error(), Some(Errno::IO.raw_os_error()));
        let file = tempfile::tempfile().unwrap();
        sync_data(&file).unwrap();
    }
}
