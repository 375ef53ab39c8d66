//! Detects network file systems on Linux, from the list of mounts.

use std::path::Path;

/// File systems whose storage is on another machine. `9p` is also used for Windows drives in WSL.
const NETWORK: [&str; 13] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.davfs",
    "fuse.s3fs",
    "fuse.gvfsd-fuse",
];

/// Returns the type of a folder's network file system. Returns `None` for a local disk, or if the type cannot
/// be determined.
pub(crate) fn network_file_system(folder: &Path) -> Option<String> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    network_among(&mounts, &folder.canonicalize().ok()?)
}

fn network_among(mounts: &str, folder: &Path) -> Option<String> {
    let mount = |line: &str| {
        let (before, after) = line.split_once(" - ")?;
        let place = unescaped(before.split(' ').nth(4)?);
        let kind = after.split(' ').next()?.to_owned();
        folder.starts_with(&place).then_some((place.len(), kind))
    };
    // Of several mounts at one path, only the last one is visible.
    let (_, kind) = mounts.lines().filter_map(mount).max_by_key(|(length, _)| *length)?;
    NETWORK.contains(&&*kind).then_some(kind)
}

/// Decodes the octal escapes of `mountinfo`, such as `\040` for a space.
fn unescaped(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_owned(), |text, (code, character)| text.replace(code, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /home/ana/net\\040drive rw,relatime shared:9 - nfs4 host:/export rw,vers=4.2
31 22 0:41 / /mnt/c rw,noatime - 9p C:\\134 rw,aname=drvfs
32 30 0:42 / /home/ana/net\\040drive/local rw - ext4 /dev/vdb rw
33 22 0:43 / /mnt/usb rw,relatime - fuseblk /dev/sdb1 rw
34 22 0:44 / /home/ana/far rw,nosuid - fuse.sshfs ana@host: rw
";

    #[test]
    fn the_innermost_mount_determines_the_file_system() {
        let of = |folder: &str| network_among(MOUNTS, Path::new(folder));
        assert_eq!(of("/home/ana/net drive/project").as_deref(), Some("nfs4"));
        assert_eq!(of("/mnt/c/Users/ana").as_deref(), Some("9p"));
        assert_eq!(of("/home/ana/far").as_deref(), Some("fuse.sshfs"));
        for local in ["/home/ana/work", "/home/ana/net drive/local/x", "/mnt/usb/x", "/home/ana/farther"] {
            assert_eq!(of(local), None, "{local}");
        }
        assert_eq!(network_file_system(Path::new("/nowhere")), None);
    }
}
