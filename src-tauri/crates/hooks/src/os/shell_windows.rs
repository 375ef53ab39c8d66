//! Windows PowerShell, by its absolute path.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Folders that always contain programs.
pub(crate) const SYSTEM_PATH: &[&str] = &[r"C:\Windows\System32", r"C:\Windows"];

/// The command for this system.
pub(crate) fn pick<'a>(_bash: Option<&'a str>, powershell: Option<&'a str>) -> Option<&'a str> {
    powershell
}

/// The shell and its arguments before the command. It reads no profile.
pub(crate) fn shell() -> (PathBuf, &'static [&'static str]) {
    let root = std::env::var_os("SystemRoot").map_or_else(|| PathBuf::from(r"C:\Windows"), PathBuf::from);
    let shell = root.join(r"System32\WindowsPowerShell\v1.0\powershell.exe");
    (shell, &["-NoProfile", "-NonInteractive", "-Command"])
}

/// PowerShell runs a quoted path only after an operator, so the checked script runs in its original place
/// here.
pub(crate) fn quote(_path: &Path) -> Option<String> {
    None
}

pub(crate) fn is_executable(_path: &Path) -> bool {
    false
}

pub(crate) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
