//! The static programs in packages, which beads-console copies to places.

#[cfg(target_os = "linux")]
use crate::platforms;
use crate::{
    error::XtaskError,
    files::{copy_all, emptied, save},
    project::Project,
};
use std::path::{Path, PathBuf};

/// The variable with the folder of programs that `cargo xtask static` built on another machine.
const BUILT: &str = "BC_STATIC_PROGRAMS";

const README: &str = "\
Beads Console copies these programs to a place that lacks them: an ssh host, a container or a pod with Linux.
LICENSE-musl is the licence of the C library in them.
";

/// Copies the programs to `target/bundled/places`. On Linux, builds them first unless [`BUILT`] is set. Returns
/// false if a build failed.
pub(super) fn collect(project: &Project) -> Result<bool, XtaskError> {
    let bundled = bundled(project)?;
    emptied(bundled.clone())?;
    save(&bundled.join("README.txt"), README)?;
    let built = match std::env::var_os(BUILT).filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => build(project)?,
    };
    match built {
        Some(folder) => copy_all(&folder, &bundled)?,
        None if cfg!(target_os = "linux") => return Ok(false),
        None => eprintln!(
            "warning: the packages have no programs for places with Linux; build them with `cargo xtask static` \
             on Linux, and set {BUILT} to their folder"
        ),
    }
    Ok(true)
}

/// Copies the collected programs to where a program in `root/bin` looks for them.
pub(super) fn copy_into(project: &Project, root: &Path) -> Result<(), XtaskError> {
    copy_all(&bundled(project)?, &root.join("lib/beads-console/places"))
}

fn bundled(project: &Project) -> Result<PathBuf, XtaskError> {
    Ok(project.bundled()?.join("places"))
}

#[cfg(target_os = "linux")]
fn build(project: &Project) -> Result<Option<PathBuf>, XtaskError> {
    platforms::build_static_programs(project)
}

/// Returns `None`, because only Linux can build the static programs.
#[cfg(not(target_os = "linux"))]
fn build(_: &Project) -> Result<Option<PathBuf>, XtaskError> {
    Ok(None)
}
