//! Looks up a program in PATH.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Returns the first executable file called `name` in the absolute folders of the given PATH (`None`: this
/// process's PATH). A name with a path separator is treated as a path: PATH is not searched, but the file
/// must be executable.
pub fn find(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    if name.contains('/') || (cfg!(windows) && name.contains('\\')) {
        let path = PathBuf::from(name);
        return is_executable(&path).then_some(path);
    }
    let own = std::env::var_os("PATH");
    let path = path.or(own.as_deref())?;
    std::env::split_paths(path).filter(|dir| dir.is_absolute()).find_map(|dir| {
        // On Windows, a name may already have an extension.
        let endings: &[&str] = match Path::new(name).extension() {
            None if cfg!(windows) => &[".exe", ".cmd", ".bat"],
            _ if cfg!(windows) => &["", ".exe", ".cmd", ".bat"],
            _ => &[""],
        };
        endings.iter().map(|ending| dir.join(format!("{name}{ending}"))).find(|p| is_executable(p))
    })
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(windows)]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
