//! The shell of hooks is Windows PowerShell, by its absolute path.

use std::{
    io,
    path::{Path, PathBuf},
};

pub(crate) const SYSTEM_PATH: &[&str] = &[r"C:\Windows\System32", r"C:\Windows"];

/// Selects the command for this operating system from the two commands that a hook can have.
pub(crate) fn pick<'a>(_bash: Option<&'a str>, powershell: Option<&'a str>) -> Option<&'a str> {
    powershell
}

/// The shell, and the arguments before the command. The shell reads no profile.
pub(crate) fn shell() -> (PathBuf, &'static [&'static str]) {
    let root = std::env::var_os("SystemRoot").map_or_else(|| PathBuf::from(r"C:\Windows"), PathBuf::from);
    let shell = root.join(r"System32\WindowsPowerShell\v1.0\powershell.exe");
    (shell, &["-NoProfile", "-NonInteractive", "-Command"])
}

/// Always `None`, because PowerShell runs a quoted path only after an operator. So on Windows, scripts run in
/// their original place instead of in a private copy.
pub(crate) fn quote(_path: &Path) -> Option<String> {
    None
}

pub(crate) fn is_executable(_path: &Path) -> bool {
    false
}

pub(crate) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
