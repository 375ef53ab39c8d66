//! Provides a git.exe for the tests that run under Wine. It is cross-compiled from Debian's source package,
//! because no package registry provides it.

use super::{
    packages,
    staging::{Staging, tail},
};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
};
use std::path::{Path, PathBuf};

/// The version of the recipe `windows_git.sh`. Increment it after each change to the recipe.
const RECIPE: u32 = 1;

/// Returns the folder of git.exe, and builds git if necessary.
pub(crate) fn provide(cache: &Path) -> Result<PathBuf, XtaskError> {
    let place = cache.join(format!("windows-git-{RECIPE}"));
    let folder = place.join("bin");
    if folder.join("git.exe").is_file() {
        return Ok(folder);
    }
    packages::provide_mingw()?;
    packages::provide_windows_git_build()?;
    let staging = Staging::new(&place)?;
    let (log, path) = staging.log()?;
    eprintln!("git for Windows: building (about 4 minutes on two cores; {})", path.display());
    let script = ["-c", include_str!("windows_git.sh"), "windows_git.sh"];
    let build = Step::new("sh").args(script).args([staging.folder()]).run_into(&log);
    build.map_err(|error| XtaskError::Part {
        part: "git for Windows",
        why: format!("{}\n{}", with_causes(&error), tail(&path)),
    })?;
    staging.finish()?;
    Ok(folder)
}
