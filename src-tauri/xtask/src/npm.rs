//! Installs npm packages from a lock file. Node, which includes npm, must already be installed.

use crate::{
    command::{Step, which},
    error::XtaskError,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

pub(crate) fn step(folder: &Path, args: &[&str]) -> Result<Step, XtaskError> {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let Some(npm) = which(name) else {
        return Err(XtaskError::Missing {
            program: "npm".to_owned(),
            hint: "install Node 20.19 or newer, which includes it",
        });
    };
    Ok(Step::new(npm).args(args).dir(folder))
}

/// Installs a folder's packages from its lock file, unless they are already up to date. Returns whether the
/// packages are installed.
pub(crate) fn install(folder: &Path) -> Result<bool, XtaskError> {
    let done = folder.join("node_modules").join(".package-lock.json");
    let modified = |path: PathBuf| fs::metadata(path).and_then(|m| m.modified()).ok();
    if let (Some(lock), Some(done)) = (modified(folder.join("package-lock.json")), modified(done))
        && done >= lock
    {
        return Ok(true);
    }
    Ok(step(folder, &["ci", "--no-audit", "--no-fund"])?.run()?.success())
}
