//! Hooks run in bash. Its path is absolute, because an inherited PATH may lead to another bash.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

pub(crate) const SYSTEM_PATH: &[&str] =
    &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Selects the command for this operating system from the two commands that a hook can have.
pub(crate) fn pick<'a>(bash: Option<&'a str>, _powershell: Option<&'a str>) -> Option<&'a str> {
    bash
}

/// The shell, and the arguments before the command. The shell reads no startup file.
pub(crate) fn shell() -> (PathBuf, &'static [&'static str]) {
    (PathBuf::from("/bin/bash"), &["--noprofile", "--norc", "-c"])
}

/// The path as one shell word; `None` if it is not UTF-8.
pub(crate) fn quote(path: &Path) -> Option<String> {
    path.to_str().map(|path| format!("'{}'", path.replace('\'', r"'\''")))
}

pub(crate) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}
