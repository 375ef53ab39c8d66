//! bd, built with Go from its module at the version of tests/tools/bd/go.mod.
//!
//! `go install module@version` asks the module proxy for a list of versions, which not every proxy
//! has; a module of our own with its sums asks for nothing but files that are known.

use super::{
    go,
    staging::{Staging, tail},
};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
};
use std::path::{Path, PathBuf};

const PART: &str = "bd";
const PACKAGE: &str = "github.com/steveyegge/beads/cmd/bd";

/// Where the program is once it is built.
pub(super) fn place(root: &Path, cache: &Path) -> Result<PathBuf, XtaskError> {
    let version = version(&manifest(root)?)?;
    Ok(cache.join(format!("bd-{version}")).join(format!("bd{}", std::env::consts::EXE_SUFFIX)))
}

/// The program, built if need be.
pub(super) fn provide(root: &Path, cache: &Path) -> Result<PathBuf, XtaskError> {
    let program = place(root, cache)?;
    if program.is_file() {
        return Ok(program);
    }
    let manifest = manifest(root)?;
    let version = version(&manifest)?;
    let staging = Staging::new(&cache.join(format!("bd-{version}")))?;
    let (log, path) = staging.log()?;
    let failed = |why: String| XtaskError::Part { part: PART, why: format!("{why}\n{}", tail(&path)) };
    let go = go::provide(cache, go::wanted(&manifest), &log).map_err(|error| failed(with_causes(&error)))?;
    eprintln!("bd: building {version} (about 5 minutes of two cores the first time; {})", path.display());
    // With this tag the regular expressions are Go's own: neither libicu nor libzstd is needed.
    let build = Step::new(go)
        .args(["build", "-o"])
        .args([staging.folder()])
        .args([PACKAGE])
        .dir(&tools(root))
        .env("CGO_ENABLED", "1")
        .env("GOFLAGS", "-mod=readonly -tags=gms_pure_go -buildvcs=false")
        .env("GOTOOLCHAIN", "local")
        .env("GOWORK", "off");
    build.run_into(&log).map_err(|error| failed(with_causes(&error)))?;
    staging.finish()?;
    match program.is_file() {
        true => Ok(program),
        false => Err(failed(format!("{} is not whole: remove that folder", program.display()))),
    }
}

fn tools(root: &Path) -> PathBuf {
    root.join("tests/tools/bd")
}

fn manifest(root: &Path) -> Result<String, XtaskError> {
    let path = tools(root).join("go.mod");
    std::fs::read_to_string(&path).map_err(|source| XtaskError::Read { path, source })
}

/// The version that the module requires.
fn version(manifest: &str) -> Result<String, XtaskError> {
    let mut required = manifest.lines().filter_map(|line| line.split_once("github.com/steveyegge/beads v"));
    let version = required.next().and_then(|(_, rest)| rest.split_whitespace().next()).map(str::to_owned);
    let why = || "tests/tools/bd/go.mod requires no version".to_owned();
    version.ok_or_else(|| XtaskError::Part { part: PART, why: why() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_that_the_module_requires() {
        assert_eq!(version("go 1.26.5\n\nrequire github.com/steveyegge/beads v1.3.0\n").unwrap(), "1.3.0");
        assert_eq!(version("\tgithub.com/steveyegge/beads v1.4.0 // indirect").unwrap(), "1.4.0");
        assert!(version("module x").is_err());
    }
}
