//! Unix: modes at creation, directories that can be synced, files known by device and inode.

use std::{
    fs::{DirBuilder, File, Metadata, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

/// Whether a folder can be renamed while files in it are open.
pub(crate) const OPEN_FILES_CAN_MOVE: bool = true;

/// Makes one folder with mode 0700.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Options that make a file with mode 0600.
pub(crate) fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Mode 0600 even under a umask that takes the owner's bits.
pub(crate) fn make_private(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o600))
}

/// A temporary file that others may read, as the umask says.
pub(crate) fn readable(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o666));
}

/// Makes a rename or a creation in the folder survive a power cut.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        // Some network and FUSE file systems cannot sync a folder; there the rename is all there is.
        Err(e) if e.kind() == io::ErrorKind::InvalidInput || e.kind() == io::ErrorKind::Unsupported => Ok(()),
        other => other,
    }
}

/// By what a file is told from another one of its name, and from itself before it was last written: device, inode, and when
/// anything of it last changed, which nobody can set.
pub(crate) type Identity = (u64, u64, i64, i64);

pub(crate) fn identity(file: &Metadata) -> Option<Identity> {
    Some((file.dev(), file.ino(), file.ctime(), file.ctime_nsec()))
}

/// Whether the open file is the one that the path leads to now.
pub(crate) fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(there) => Ok((open.dev(), open.ino()) == (there.dev(), there.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}
