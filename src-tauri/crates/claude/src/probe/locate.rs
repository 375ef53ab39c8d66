//! Finds claude: the program named by [`OVERRIDE`], or one in PATH or in the usual places, `~/.local/bin` and
//! `~/.claude/local`.

use super::other_system::{in_wsl, other_system};
use crate::paths::{Env, home};
use bc_process::find;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// The environment variable with the absolute path of the claude to use. If it is set, no other location is
/// searched.
pub const OVERRIDE: &str = "BEADS_CONSOLE_CLAUDE";

/// The program named by [`OVERRIDE`]. If the variable is not set, the first claude in PATH and the usual
/// places that does not belong to another system, or else the first claude.
///
/// # Errors
///
/// No claude was found. The error lists the usual places without the folders in PATH, or only the path in
/// [`OVERRIDE`].
pub(super) fn locate(env: &Env) -> Result<PathBuf, Vec<PathBuf>> {
    if let Some(named) = env.get(OVERRIDE).map(PathBuf::from) {
        return match named.is_absolute() && is_program(&named) {
            true => Ok(named),
            false => Err(vec![named]),
        };
    }
    let all = all(env);
    let is_own = |path: &&PathBuf| other_system(&path.to_string_lossy(), in_wsl(env)).is_none();
    all.iter().find(is_own).or(all.first()).cloned().ok_or_else(|| usual(env))
}

/// Every claude in PATH and in the usual places.
pub(super) fn all(env: &Env) -> Vec<PathBuf> {
    let dirs = env.get("PATH").into_iter().flat_map(std::env::split_paths);
    let in_path = dirs.filter_map(|dir| find::find("claude", Some(dir.as_os_str())));
    in_path.chain(usual(env).into_iter().filter(|path| is_program(path))).collect()
}

fn usual(env: &Env) -> Vec<PathBuf> {
    let name = if cfg!(windows) { "claude.exe" } else { "claude" };
    let homes = home(env).into_iter();
    homes
        .flat_map(|home| [home.join(".local/bin"), home.join(".claude/local")])
        .map(|dir| dir.join(name))
        .collect()
}

fn is_program(path: &Path) -> bool {
    find::find(&path.to_string_lossy(), None::<&OsStr>).is_some()
}
