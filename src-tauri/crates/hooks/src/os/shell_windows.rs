//! Windows PowerShell, by its absolute path.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Where programs are in any case.
pub(crate) const SYSTEM_PATH: &[&str] = &[r"C:\Windows\System32", r"C:\Windows"];

/// Which of the two commands is for this system.
pub(crate) fn pick<'a>(_bash: Option<&'a str>, powershell: Option<&'a str>) -> Option<&'a str> {
    powershell
}

/// The shell, and its arguments before the command. It reads no profile.
pub(crate) fn shell() -> (PathBuf, &'static [&'static str]) {
    let root = std::env::var_os("SystemRoot").map_or_else(|| PathBuf::from(r"C:\Windows"), PathBuf::from);
    let shell = root.join(r"System32\WindowsPowerShell\v1.0\powershell.exe");
    (shell, &["-NoProfile", "-NonInteractive", "-Command"])
}

/// PowerShell calls a quoted path only behind an operator: what is checked is run in its place there.
pub(crate) fn quote(_path: &Path) -> Option<String> {
    None
}

pub(crate) fn is_executable(_path: &Path) -> bool {
    false
}

pub(crate) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
