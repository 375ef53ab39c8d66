//! bash, by its absolute path: a PATH that was made for something else may have none.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Where programs are in any case.
pub(crate) const SYSTEM_PATH: &[&str] =
    &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Which of the two commands is for this system.
pub(crate) fn pick<'a>(bash: Option<&'a str>, _powershell: Option<&'a str>) -> Option<&'a str> {
    bash
}

/// The shell, and its arguments before the command. It reads no start-up file.
pub(crate) fn shell() -> (PathBuf, &'static [&'static str]) {
    (PathBuf::from("/bin/bash"), &["--noprofile", "--norc", "-c"])
}

/// The path as one word of the shell; `None` where that cannot be said.
pub(crate) fn quote(path: &Path) -> Option<String> {
    path.to_str().map(|path| format!("'{}'", path.replace('\'', r"'\''")))
}

pub(crate) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}
