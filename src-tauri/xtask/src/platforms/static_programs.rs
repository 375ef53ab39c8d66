//! `cargo xtask static`: builds statically linked programs for Linux. They are copied to places on Linux. The
//! processor and the libraries of a place can differ from this machine's.

use super::{
    cargo,
    target::{STATIC_TARGETS, Target},
};
use crate::{
    command::Step,
    error::XtaskError,
    files::copy,
    parts::{packages, zig},
    project::{self, Project},
    ui,
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const PROGRAMS: [&str; 2] = ["beads-console", "beads-console-sim"];

/// The licence of the C library in the static programs.
const MUSL_LICENCE: &str = "LICENSE-musl";

/// Builds the programs for one target, or for all targets, into the folder in which beads-console looks for
/// them.
pub(crate) fn command(project: &Project, only: Option<&str>) -> Result<ExitCode, XtaskError> {
    let chosen: Vec<&(Target, &str)> =
        STATIC_TARGETS.iter().filter(|(target, _)| only.is_none_or(|only| target.triple == only)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = STATIC_TARGETS.iter().map(|(target, _)| target.triple).collect();
        eprintln!("error: {} is not one of the targets: {}", only.unwrap_or_default(), known.join(", "));
        return Ok(ExitCode::from(2));
    }
    Ok(if build_all(project, &chosen)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder in which the programs in `target/debug` and `target/release` look for static programs.
fn places(project: &Project) -> PathBuf {
    project.root().join("target/lib/beads-console/places")
}

/// Builds the programs for all targets. Returns their folder; `None` if a build failed.
pub(crate) fn build_static_programs(project: &Project) -> Result<Option<PathBuf>, XtaskError> {
    let targets: Vec<_> = STATIC_TARGETS.iter().collect();
    Ok(build_all(project, &targets)?.then(|| places(project)))
}

/// Builds the programs for these targets. Returns false if a build failed.
fn build_all(project: &Project, targets: &[&(Target, &str)]) -> Result<bool, XtaskError> {
    packages::provide_std_source()?;
    let zig = zig::provide(&project::cache()?)?;
    if !(ui::install(project)? && ui::build(project)?) {
        return Ok(false);
    }
    copy(&zig.with_file_name("lib/libc/musl/COPYRIGHT"), &places(project).join(MUSL_LICENCE))?;
    for (target, system) in targets {
        let (step, folder) = build(project, target, &zig)?;
        if !step.dir(project.root()).run()?.success() {
            return Ok(false);
        }
        for name in PROGRAMS {
            let program = places(project).join(system).join(name);
            copy(&folder.join(target.triple).join("release").join(name), &program)?;
            println!("{}", program.display());
        }
    }
    Ok(true)
}

fn build(project: &Project, target: &Target, zig: &Path) -> Result<(Step, PathBuf), XtaskError> {
    let (step, folder) = cargo(project, target, Some(zig), "build")?;
    let suffix = target.triple.replace('-', "_").to_uppercase();
    let step = step
        .args(["--release", "--package", "bc-cli", "--package", "bc-sim"])
        // Zig provides musl's start files and libraries.
        .env(&format!("CARGO_TARGET_{suffix}_LINKER"), folder.join("tools/cc"))
        .env(&format!("CARGO_TARGET_{suffix}_RUSTFLAGS"), "-Clink-self-contained=no");
    Ok((step, folder))
}
