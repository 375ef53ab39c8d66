//! Windows: files in a user's profile folder are private through inherited access rules. Volume and index
//! identify a file. Replacing or removing a file can fail briefly while another program has it open.

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

/// The wait before the second attempt; it doubles after each attempt.
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

/// Repeats a call that fails because another program has the file open at this moment.
pub(crate) fn when_free<T>(call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    repeat_while(is_busy, call)
}

/// Repeats a call while `passes` holds for its error, for at most [`BUSY_WITHIN`].
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
    // Replacing or removing a file that is open fails with "access denied".
    matches!(code, Some(ERROR_SHARING_VIOLATION | ERROR_LOCK_VIOLATION | ERROR_ACCESS_DENIED))
}

/// Renames the file; an existing one is replaced.
pub(crate) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    // Replacing a folder also fails with "access denied": do not retry then.
    if to.is_dir() && !from.is_dir() {
        return std::fs::rename(from, to);
    }
    when_free(|| std::fs::rename(from, to))
}

/// Truncates the file. A handle opened for appending cannot do that, so the path is opened again.
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
    // Retry while another program has the folder open; otherwise its entries would stay unflushed.
    let opened = repeat_while(is_shared_out, || options.open(path));
    match opened.and_then(|folder| folder.sync_all()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(error) if cannot_flush(&error) => Ok(()),
        other => other,
    }
}

/// Whether folders cannot be flushed here. NTFS then writes the entry through its log, in order; other file systems
/// guarantee nothing.
fn cannot_flush(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(i32::cast_unsigned);
    matches!(
        code,
        Some(ERROR_ACCESS_DENIED | ERROR_INVALID_FUNCTION | ERROR_NOT_SUPPORTED | ERROR_SHARING_VIOLATION)
    ) || matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

/// Opens the lock file and takes its lock; `None` if another process holds it.
///
/// While this handle or a copy of it is open, other programs can open the file only for reading. A child process
/// inherits such a lock with the handle; a lock of `LockFileEx` would stay with this process.
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

/// Whether the open file holds the lock of the file at this path: the system then refuses another handle.
pub(crate) fn holds_lock(file: &File, path: &Path) -> io::Result<bool> {
    Ok(is_still_at(file, path)? && open_locked(path)?.is_none())
}

/// Whether the path still leads to the open file.
pub(crate) fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let mut options = OpenOptions::new();
    // Request no access, so that this works however other programs have opened the file.
    match options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path) {
        Ok(there) => Ok(index(file)? == index(&there)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The volume, and the number of the file on it.
type Index = (u64, u128);

pub(crate) fn index(file: &File) -> io::Result<Index> {
    let mut id = FILE_ID_INFO::default();
    let size = u32::try_from(size_of_val(&id)).expect("the size fits into 32 bits");
    // SAFETY: `id` has the type of this class and the given size.
    let known = unsafe {
        GetFileInformationByHandleEx(handle(file), FileIdInfo, (&raw mut id).cast::<c_void>(), size)
    };
    if known != 0 {
        return Ok((id.VolumeSerialNumber, u128::from_le_bytes(id.FileId.Identifier)));
    }
    // FAT and some network file systems only support the older call with the 64-bit index.
    let mut info = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: `info` is written on success only.
    match unsafe { GetFileInformationByHandle(handle(file), &raw mut info) } {
        0 => Err(io::Error::last_os_error()),
        _ => {
            let index = u128::from(info.nFileIndexHigh) << 32 | u128::from(info.nFileIndexLow);
            Ok((u64::from(info.dwVolumeSerialNumber), index))
        }
    }
}

/// Identifies a version of a file: its volume and index, and its change time, which programs rarely set.
pub(crate) type Identity = (Index, i64);

pub(crate) fn identity(path: &Path, _metadata: &Metadata) -> Option<Identity> {
    let file = OpenOptions::new().access_mode(0).open(path).ok()?;
    let mut times = FILE_BASIC_INFO::default();
    let size = u32::try_from(size_of_val(&times)).expect("the size fits into 32 bits");
    // SAFETY: `times` has the type of this class and the given size.
    let known = unsafe {
        GetFileInformationByHandleEx(handle(&file), FileBasicInfo, (&raw mut times).cast::<c_void>(), size)
    };
    (known != 0).then_some(())?;
    Some((index(&file).ok()?, times.ChangeTime))
}

fn handle(file: &File) -> HANDLE {
    file.as_raw_handle() as HANDLE
}

/// The network file system of a folder; `None` for a local disk.
pub(crate) fn network_file_system(folder: &Path) -> Option<String> {
    use std::path::{Component, Prefix};
    let Some(Component::Prefix(prefix)) = folder.components().next() else { return None };
    let is_remote = match prefix.kind() {
        Prefix::UNC(..) | Prefix::VerbatimUNC(..) => true,
        Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
            let root = [u16::from(letter), u16::from(b':'), u16::from(b'\\'), 0];
            // SAFETY: the text ends with NUL.
            unsafe { GetDriveTypeW(root.as_ptr()) == DRIVE_REMOTE }
        }
        _ => false,
    };
    is_remote.then(|| "Windows share".to_owned())
}

/// `DRIVE_REMOTE` of `fileapi.h`.
const DRIVE_REMOTE: u32 = 4;

/// Unused: a resolved path has the disk's spelling.
pub(crate) fn is_same_entry(_one: &Path, _other: &Path) -> bool {
    false
}

pub(crate) fn reading_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// Like [`reading_options`], but a link as the last component is opened instead of its target. The opened
/// link is not a regular file.
pub(crate) fn reading_options_without_link() -> OpenOptions {
    let mut options = reading_options();
    refuse_link(&mut options);
    options
}

/// Opens a link as the last component instead of its target, so that writing to it fails.
pub(crate) fn refuse_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
}

/// The path of an open file as the system reports it, without links; `None` if it is not available.
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
