//! Provides programs written in Go. Each has a module in tests/tools that pins its version.
//!
//! `go install module@version` requests a list of versions from the module proxy, which some proxies do not
//! provide. A module with checksums requests only known files.

use super::{
    go,
    staging::{Staging, tail},
};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
};
use std::path::{Path, PathBuf};

pub(super) struct GoProgram {
    /// The folder's name in tests/tools.
    name: &'static str,
    program: &'static str,
    module: &'static str,
    package: &'static str,
    flags: &'static str,
    /// The approximate duration of the first build, for the message to the user.
    takes: &'static str,
}

/// The tracker that tests run. With the build tag `gms_pure_go`, it does not need libicu or libzstd.
pub(super) const BD: GoProgram = GoProgram {
    name: "bd",
    program: "bd",
    module: "github.com/steveyegge/beads",
    package: "github.com/steveyegge/beads/cmd/bd",
    flags: "-mod=readonly -buildvcs=false -tags=gms_pure_go",
    takes: "5 minutes",
};

/// The oldest accepted version of the tracker.
pub(super) const OLDEST_BD: GoProgram = GoProgram { name: "bd-oldest", ..BD };

/// The server for bd's beads. Only long tests run it.
pub(super) const DOLT: GoProgram = GoProgram {
    name: "dolt",
    program: "dolt",
    module: "github.com/dolthub/dolt/go",
    package: "github.com/dolthub/dolt/go/cmd/dolt",
    flags: BD.flags,
    takes: "5 minutes, or a few seconds after bd",
};

/// The browser terminal with which the benchmarks compare ours.
pub(super) const GOTTY: GoProgram = GoProgram {
    name: "gotty",
    program: "gotty",
    module: "github.com/sorenisanerd/gotty",
    package: "github.com/sorenisanerd/gotty",
    flags: "-mod=readonly -buildvcs=false",
    takes: "half a minute",
};

impl GoProgram {
    pub(super) fn place(&self, root: &Path, cache: &Path) -> Result<PathBuf, XtaskError> {
        let version = self.version(&self.manifest(root)?)?;
        let program = format!("{}{}", self.program, std::env::consts::EXE_SUFFIX);
        Ok(cache.join(format!("{}-{version}", self.name)).join(program))
    }

    /// Returns the path of the program, and builds it if necessary.
    pub(super) fn provide(&self, root: &Path, cache: &Path) -> Result<PathBuf, XtaskError> {
        let program = self.place(root, cache)?;
        if program.is_file() {
            return Ok(program);
        }
        let manifest = self.manifest(root)?;
        let version = self.version(&manifest)?;
        let staging = Staging::new(&cache.join(format!("{}-{version}", self.name)))?;
        let (log, path) = staging.log()?;
        let failed =
            |why: String| XtaskError::Part { part: self.name, why: format!("{why}\n{}", tail(&path)) };
        let go =
            go::provide(cache, go::wanted(&manifest), &log).map_err(|error| failed(with_causes(&error)))?;
        let GoProgram { name, package, flags, takes, .. } = self;
        eprintln!(
            "{name}: building {version} (about {takes} on two cores the first time; {})",
            path.display()
        );
        let build = Step::new(go)
            .args(["build", "-o"])
            .args([staging.folder()])
            .args([package])
            .dir(&self.tools(root))
            .env("CGO_ENABLED", "1")
            .env("GOFLAGS", flags)
            .env("GOTOOLCHAIN", "local")
            .env("GOWORK", "off");
        build.run_into(&log).map_err(|error| failed(with_causes(&error)))?;
        staging.finish()?;
        match program.is_file() {
            true => Ok(program),
            false => Err(failed(format!("{} is incomplete: remove that folder", program.display()))),
        }
    }

    fn tools(&self, root: &Path) -> PathBuf {
        root.join("tests/tools").join(self.name)
    }

    fn manifest(&self, root: &Path) -> Result<String, XtaskError> {
        let path = self.tools(root).join("go.mod");
        std::fs::read_to_string(&path).map_err(|source| XtaskError::Read { path, source })
    }

    /// Returns the version that the module requires.
    fn version(&self, manifest: &str) -> Result<String, XtaskError> {
        let required = format!("{} v", self.module);
        let mut required = manifest.lines().filter_map(|line| line.split_once(&required));
        let version = required.next().and_then(|(_, rest)| rest.split_whitespace().next()).map(str::to_owned);
        let why = || format!("tests/tools/{}/go.mod requires no version", self.name);
        version.ok_or_else(|| XtaskError::Part { part: self.name, why: why() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_that_the_module_requires() {
        let version = |manifest| BD.version(manifest);
        assert_eq!(version("go 1.26.5\n\nrequire github.com/steveyegge/beads v1.3.0\n").unwrap(), "1.3.0");
        assert_eq!(version("\tgithub.com/steveyegge/beads v1.4.0 // indirect").unwrap(), "1.4.0");
        assert!(version("module x").is_err());
    }

    #[test]
    fn every_committed_module_pins_its_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        for program in [BD, OLDEST_BD, DOLT, GOTTY] {
            let manifest = program.manifest(root).unwrap();
            assert!(program.version(&manifest).is_ok(), "{}", program.name);
            assert!(manifest.contains(&format!("\ntool {}\n", program.package)), "{}", program.name);
        }
    }
}
