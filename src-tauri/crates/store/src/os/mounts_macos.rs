//! Detects network file systems on macOS, from the flags of a folder's mount.

use std::path::Path;

/// `MNT_LOCAL` of `sys/mount.h`: the file system is stored on this machine.
const LOCAL: u32 = 0x1000;

/// Returns the type of a folder's network file system. Returns `None` for a local disk, or if the type cannot
/// be determined.
pub(crate) fn network_file_system(folder: &Path) -> Option<String> {
    let mount = rustix::fs::statfs(folder).ok().filter(|mount| mount.f_flags & LOCAL == 0)?;
    let bytes: Vec<u8> =
        mount.f_fstypename.iter().map(|&byte| byte.cast_unsigned()).take_while(|&byte| byte != 0).collect();
    String::from_utf8(bytes).ok()
}
