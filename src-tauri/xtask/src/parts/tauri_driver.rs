//! tauri-driver, with which tests control the desktop window. It is built from crates.io, and only for Linux: no test
//! needs it on Windows, and it does not support macOS.

use super::staging::{Staging, tail};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
};
use std::path::{Path, PathBuf};

const PART: &str = "tauri-driver";
/// The version is fixed, because `cargo install` would choose an alpha version of 3.
const VERSION: &str = "2.1.0";

pub(super) fn place(cache: &Path) -> PathBuf {
    cache.join(format!("{PART}-{VERSION}")).join("bin").join(PART)
}

/// The path of the program, which is built if necessary.
pub(super) fn provide(cache: &Path) -> Result<PathBuf, XtaskError> {
    let program = place(cache);
    if program.is_file() {
        return Ok(program);
    }
    let staging = Staging::new(&cache.join(format!("{PART}-{VERSION}")))?;
    let (log, path) = staging.log()?;
    eprintln!("{PART}: building {VERSION} (half a minute of two cores the first time; {})", path.display());
    let install = Step::cargo()
        .args(["install", "--locked", "--root"])
        .args([staging.folder()])
        .args([format!("{PART}@{VERSION}")])
        // Not in the project's folder, where cargo would use the project's settings and may wait for a lock.
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
