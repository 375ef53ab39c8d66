//! Provides tauri-driver, with which tests control the desktop window. It is built from crates.io, and only on
//! Linux, because the window's tests support only Linux.

use super::staging::{Staging, tail};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
};
use std::path::{Path, PathBuf};

const PART: &str = "tauri-driver";
/// The version is pinned, because `cargo install` would choose an alpha version of 3.
const VERSION: &str = "2.1.0";

pub(super) fn place(cache: &Path) -> PathBuf {
    cache.join(format!("{PART}-{VERSION}")).join("bin").join(PART)
}

/// Returns the path of the program, and builds it if necessary.
pub(super) fn provide(cache: &Path) -> Result<PathBuf, XtaskError> {
    let program = place(cache);
    if program.is_file() {
        return Ok(program);
    }
    let staging = Staging::new(&cache.join(format!("{PART}-{VERSION}")))?;
    let (log, path) = staging.log()?;
    eprintln!("{PART}: building {VERSION} (half a minute on two cores the first time; {})", path.display());
    let install = Step::cargo()
        .args(["install", "--locked", "--root"])
        .args([staging.folder()])
        .args([format!("{PART}@{VERSION}")])
        // Do not run in the project's folder, where cargo would use the project's settings and could wait for
        // a lock.
        .dir(cache)
        .env_remove("CARGO_TARGET_DIR");
    let failed = |why: String| XtaskError::Part { part: PART, why: format!("{why}\n{}", tail(&path)) };
    install.run_into(&log).map_err(|error| failed(with_causes(&error)))?;
    staging.finish()?;
    match program.is_file() {
        true => Ok(program),
        false => Err(failed(format!("{} is incomplete: remove that folder", program.display()))),
    }
}
