//! `cargo xtask static`: builds statically linked programs for Linux. These are copied to places with a
//! different operating system or different libraries.

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
use std::{path::Path, process::ExitCode};

const PROGRAMS: [&str; 2] = ["beads-console", "beads-console-sim"];

/// Builds the programs for one target, or for all targets, into the folder in which beads-console looks for
/// them.
pub(crate) fn command(project: &Project, only: Option<&str>) -> Result<ExitCode, XtaskError> {
    let chosen: Vec<_> =
        STATIC_TARGETS.iter().filter(|(target, _)| only.is_none_or(|only| target.triple == only)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = STATIC_TARGETS.iter().map(|(target, _)| target.triple).collect();
        eprintln!("error: {} is none of the targets: {}", only.unwrap_or_default(), known.join(", "));
        return Ok(ExitCode::from(2));
    }
    packages::provide_std_source()?;
    let zig = zig::provide(&project::cache()?)?;
    if !(ui::install(project)? && ui::build(project)?) {
        return Ok(ExitCode::FAILURE);
    }
    for (target, system) in chosen {
        let (step, folder) = build(project, target, &zig)?;
        if !step.dir(project.root()).run()?.success() {
            return Ok(ExitCode::FAILURE);
        }
        for name in PROGRAMS {
            // Relative to the programs in `target/debug` and `target/release`, this is
            // `../lib/beads-console/places`.
            let program = project.root().join("target/lib/beads-console/places").join(system).join(name);
            copy(&folder.join(target.triple).join("release").join(name), &program)?;
            println!("{}", program.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn build(project: &Project, target: &Target, zig: &Path) -> Result<(Step, std::path::PathBuf), XtaskError> {
    let (step, folder) = cargo(project, target, Some(zig), "build")?;
    let suffix = target.triple.replace('-', "_").to_uppercase();
    let step = step
        .args(["--release", "--package", "bc-cli", "--package", "bc-sim"])
        // Zig provides musl's start files and libraries.
        .env(&format!("CARGO_TARGET_{suffix}_LINKER"), folder.join("tools/cc"))
        .env(&format!("CARGO_TARGET_{suffix}_RUSTFLAGS"), "-Clink-self-contained=no");
    Ok((step, folder))
}
