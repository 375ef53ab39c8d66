//! Unix: files get their mode at creation, folders can be synced, and a file is identified by device and
//! inode.

use rustix::fs::OFlags;
use std::{
    fs::{DirBuilder, File, FileType, Metadata, OpenOptions, Permissions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// Whether a folder with open files can be renamed.
pub(crate) const OPEN_FILES_CAN_MOVE: bool = true;

/// Creates a single folder with mode 0700.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Returns options that create a file with mode 0600.
pub(crate) fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Sets mode 0600, even if the umask has cleared the owner's bits.
pub(crate) fn make_private(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o600))
}

/// Configures a temporary file so that the umask determines its mode.
pub(crate) fn readable(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o666));
}

/// Calls the function once, because on Unix, open files can be replaced and removed.
pub(crate) fn when_free<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    call()
}

/// Renames the file, replacing an existing file.
pub(crate) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

pub(crate) fn cut(_path: &Path, file: &File, len: u64) -> io::Result<()> {
    file.set_len(len)
}

/// Opens the lock file and takes its lock. Returns `None` if the lock is already held.
pub(crate) fn open_locked(path: &Path) -> io::Result<Option<File>> {
    let mut options = private_options();
    // Refuse a link, because this program never creates its lock file as a link.
    let file = refuse_link(options.read(true).write(true).create(true).truncate(false)).open(path)?;
    Ok(try_lock(&file)?.then_some(file))
}

/// Whether the open file holds the lock of the file at this path. Locking again through the same open file
/// succeeds only if no other open file holds the lock.
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

/// Falls back to a plain sync if the full sync is not supported. On macOS, Rust's syncs flush the drive's
/// cache (`F_FULLFSYNC`), which some network and foreign file systems do not support.
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

/// Makes a creation or renaming in the folder survive a power cut.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    let folder = File::open(path)?;
    match full_or_plain(folder.sync_all(), || Ok(rustix::fs::fsync(&folder)?)) {
        // Some network and FUSE file systems cannot sync a folder. The rename alone must suffice on them.
        Err(e) if e.kind() == io::ErrorKind::InvalidInput || e.kind() == io::ErrorKind::Unsupported => Ok(()),
        other => other,
    }
}

/// Identifies a version of a file by its device, inode, and change time, which programs cannot set. Another
/// file with the same name has a different identity.
pub(crate) type Identity = (u64, u64, i64, i64);

pub(crate) fn identity(_path: &Path, file: &Metadata) -> Option<Identity> {
    Some((file.dev(), file.ino(), file.ctime(), file.ctime_nsec()))
}

/// Whether the path still refers to the open file.
pub(crate) fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(current) => Ok((open.dev(), open.ino()) == (current.dev(), current.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Whether two names refer to the same file, folder or link.
pub(crate) fn is_same_entry(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.symlink_metadata().ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

/// Returns options for reading that do not block on a named pipe without a writer.
pub(crate) fn reading_options() -> OpenOptions {
    with_flags(OFlags::NONBLOCK | OFlags::NOCTTY)
}

/// Like [`reading_options`], but opening fails if the last component is a link.
pub(crate) fn reading_options_without_link() -> OpenOptions {
    with_flags(OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW)
}

fn with_flags(flags: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

/// Adds flags that refuse a link as the last component, and that never block on a named pipe without a
/// reader.
pub(crate) fn refuse_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW).bits().cast_signed())
}

/// Returns the path of an open file as the kernel reports it, without links. Returns `None` if the path is
/// not available.
pub(crate) fn opened_path(_file: &File) -> Option<PathBuf> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use std::os::fd::AsRawFd;
        std::fs::read_link(format!("/proc/self/fd/{}", _file.as_raw_fd())).ok()
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    None
}

/// Describes the kind of a file that is not regular.
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
