//! Windows: files in a user's profile folder are private through inherited access rules. A file is identified
//! by its volume and index. Replacing or removing a file can fail briefly while another program has it open.

use std::{
    ffi::c_void,
    fs::{File, FileType, Metadata, OpenOptions},
    io,
    os::windows::{ffi::OsStringExt, fs::OpenOptionsExt, io::AsRawHandle},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};
use windows_sys::Win32::{
    Foundation::{
        ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION, ERROR_LOCK_VIOLATION, ERROR_NOT_SUPPORTED,
        ERROR_SHARING_VIOLATION, HANDLE,
    },
    Storage::FileSystem::{
        BY_HANDLE_FILE_INFORMATION, FILE_BASIC_INFO, FILE_FLAG_BACKUP_SEMANTICS,
        FILE_FLAG_OPEN_REPARSE_POINT, FILE_ID_INFO, FILE_NAME_NORMALIZED, FILE_SHARE_DELETE, FILE_SHARE_READ,
        FileBasicInfo, FileIdInfo, GetDriveTypeW, GetFileInformationByHandle, GetFileInformationByHandleEx,
        GetFinalPathNameByHandleW,
    },
};

/// Whether a folder with open files can be renamed.
pub(crate) const OPEN_FILES_CAN_MOVE: bool = false;

/// How long to retry while another program, such as a virus scanner, keeps a file open.
const BUSY_WITHIN: Duration = Duration::from_secs(2);

/// The delay before the second attempt. It doubles after each attempt.
const TRY_SOON: Duration = Duration::from_millis(1);

pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

pub(crate) fn private_options() -> OpenOptions {
    OpenOptions::new()
}

pub(crate) fn make_private(_file: &File) -> io::Result<()> {
    Ok(())
}

pub(crate) fn readable(_builder: &mut tempfile::Builder<'_, '_>) {}

/// Retries a call while it fails because another program has the file open.
pub(crate) fn when_free<T>(call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    repeat_while(is_busy, call)
}

/// Retries a call while `passes` returns true for its error, for at most [`BUSY_WITHIN`].
fn repeat_while<T>(
    passes: impl Fn(&io::Error) -> bool,
    mut call: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    let (until, mut pause) = (Instant::now() + BUSY_WITHIN, TRY_SOON);
    loop {
        match call() {
            Err(error) if passes(&error) && Instant::now() < until => {
                thread::sleep(pause);
                pause *= 2;
            }
            other => return other,
        }
    }
}

fn is_shared_out(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_SHARING_VIOLATION.cast_signed())
}

fn is_busy(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(i32::cast_unsigned);
    // Replacing or removing an open file fails with "access denied".
    matches!(code, Some(ERROR_SHARING_VIOLATION | ERROR_LOCK_VIOLATION | ERROR_ACCESS_DENIED))
}

/// Renames the file, replacing an existing file.
pub(crate) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    // Replacing a folder with a file also fails with "access denied", so do not retry in that case.
    if to.is_dir() && !from.is_dir() {
        return std::fs::rename(from, to);
    }
    when_free(|| std::fs::rename(from, to))
}

/// Truncates the file. A handle opened for appending cannot truncate, so the path is opened again.
pub(crate) fn cut(path: &Path, _file: &File, len: u64) -> io::Result<()> {
    when_free(|| File::options().write(true).open(path))?.set_len(len)
}

/// Returns once the file's content is on disk.
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    file.sync_data()
}

/// Flushes the folder's entries, if the file system supports that.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.read(true).write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    // Retry while another program has the folder open; otherwise its entries would not be flushed.
    let opened = repeat_while(is_shared_out, || options.open(path));
    match opened.and_then(|folder| folder.sync_all()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(error) if cannot_flush(&error) => Ok(()),
        other => other,
    }
}

/// Whether the error means that this file system cannot flush folders. NTFS still writes the entry in order,
/// through its log; other file systems give no guarantee.
fn cannot_flush(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(i32::cast_unsigned);
    matches!(
        code,
        Some(ERROR_ACCESS_DENIED | ERROR_INVALID_FUNCTION | ERROR_NOT_SUPPORTED | ERROR_SHARING_VIOLATION)
    ) || matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

/// Opens the lock file and takes its lock. Returns `None` if the lock is already held.
///
/// While this handle or a copy of it is open, other programs can open the file only for reading. A child
/// process inherits this lock with the handle, whereas a `LockFileEx` lock would belong to this process
/// alone.
pub(crate) fn open_locked(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    match refuse_link(&mut options).open(path) {
        Ok(file) if file.metadata()?.is_symlink() => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "the lock file is a link"))
        }
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION.cast_signed()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the open file holds the lock of the file at this path. If it does, the system refuses to open
/// another handle.
pub(crate) fn holds_lock(file: &File, path: &Path) -> io::Result<bool> {
    Ok(is_still_at(file, path)? && open_locked(path)?.is_none())
}

/// Whether the path still refers to the open file.
pub(crate) fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let mut options = OpenOptions::new();
    // Request no access, so that opening succeeds no matter how other programs have opened the file.
    match options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path) {
        Ok(current) => Ok(index(file)? == index(&current)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The volume, and the file's index on that volume.
type Index = (u64, u128);

pub(crate) fn index(file: &File) -> io::Result<Index> {
    let mut id = FILE_ID_INFO::default();
    let size = u32::try_from(size_of_val(&id)).expect("the size fits into 32 bits");
    // SAFETY: `id` has the type and the size that this class requires.
    let known = unsafe {
        GetFileInformationByHandleEx(handle(file), FileIdInfo, (&raw mut id).cast::<c_void>(), size)
    };
    if known != 0 {
        return Ok((id.VolumeSerialNumber, u128::from_le_bytes(id.FileId.Identifier)));
    }
    // FAT and some network file systems support only the older call with the 64-bit index.
    let mut info = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: `info` is written only on success.
    match unsafe { GetFileInformationByHandle(handle(file), &raw mut info) } {
        0 => Err(io::Error::last_os_error()),
        _ => {
            let index = u128::from(info.nFileIndexHigh) << 32 | u128::from(info.nFileIndexLow);
            Ok((u64::from(info.dwVolumeSerialNumber), index))
        }
    }
}

/// Identifies a version of a file by its volume and index, and its change time, which programs rarely set.
pub(crate) type Identity = (Index, i64);

pub(crate) fn identity(path: &Path, _metadata: &Metadata) -> Option<Identity> {
    let file = OpenOptions::new().access_mode(0).open(path).ok()?;
    let mut times = FILE_BASIC_INFO::default();
    let size = u32::try_from(size_of_val(&times)).expect("the size fits into 32 bits");
    // SAFETY: `times` has the type and the size that this class requires.
    let known = unsafe {
        GetFileInformationByHandleEx(handle(&file), FileBasicInfo, (&raw mut times).cast::<c_void>(), size)
    };
    (known != 0).then_some(())?;
    Some((index(&file).ok()?, times.ChangeTime))
}

fn handle(file: &File) -> HANDLE {
    file.as_raw_handle() as HANDLE
}

/// Returns `"Windows share"` for a folder on a network drive, or `None` for a local disk.
pub(crate) fn network_file_system(folder: &Path) -> Option<String> {
    use std::path::{Component, Prefix};
    let Some(Component::Prefix(prefix)) = folder.components().next() else { return None };
    let is_remote = match prefix.kind() {
        Prefix::UNC(..) | Prefix::VerbatimUNC(..) => true,
        Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
            let root = [u16::from(letter), u16::from(b':'), u16::from(b'\\'), 0];
            // SAFETY: the text ends with a NUL.
            unsafe { GetDriveTypeW(root.as_ptr()) == DRIVE_REMOTE }
        }
        _ => false,
    };
    is_remote.then(|| "Windows share".to_owned())
}

/// `DRIVE_REMOTE` of `fileapi.h`.
const DRIVE_REMOTE: u32 = 4;

/// Returns `false`, because a resolved path already has the disk's spelling.
pub(crate) fn is_same_entry(_one: &Path, _other: &Path) -> bool {
    false
}

pub(crate) fn reading_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// Like [`reading_options`], but a link as the last component is opened instead of its target. The opened
/// link is not a regular file, so it is then refused.
pub(crate) fn reading_options_without_link() -> OpenOptions {
    let mut options = reading_options();
    refuse_link(&mut options);
    options
}

/// Adds a flag that opens a link itself instead of its target. The caller must then refuse the opened link.
pub(crate) fn refuse_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
}

/// Returns the path of an open file as the system reports it, without links. Returns `None` if the path is
/// not available.
pub(crate) fn opened_path(file: &File) -> Option<PathBuf> {
    let mut units = vec![0u16; 1 << 10];
    loop {
        let room = u32::try_from(units.len()).ok()?;
        // SAFETY: the buffer has the given length.
        let length = unsafe {
            GetFinalPathNameByHandleW(handle(file), units.as_mut_ptr(), room, FILE_NAME_NORMALIZED)
        };
        match length as usize {
            0 => return None,
            length if length < units.len() => {
                let path = PathBuf::from(std::ffi::OsString::from_wide(&units[..length]));
                return Some(bc_core::paths::plain(path));
            }
            length => units.resize(length + 1, 0),
        }
    }
}

pub(crate) fn kind(kind: FileType) -> &'static str {
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_symlink() => "a link",
        () => "something else",
    }
}
