//! `cargo xtask bench`: builds the release programs and lets `bc-bench` measure them.

use crate::{
    command::Step,
    error::XtaskError,
    parts::{self, packages},
    project::Project,
    ui,
};
use std::process::ExitCode;

/// What is measured, what it is measured beside, and what measures.
const PACKAGES: &[&str] = &["bc-cli", "bc-sim", "beads-console-desktop", "empty-window", "bc-bench"];

/// Measures the rows that `words` name, or all. A whole run is kept in the source tree.
pub(crate) fn bench(project: &Project, words: &[String]) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    packages::provide_window()?;
    packages::provide_bench()?;
    if !ui::install(project)? || !ui::build(project)? {
        return Ok(ExitCode::FAILURE);
    }
    let wanted = PACKAGES.iter().flat_map(|package| ["--package", package]);
    let build = Step::cargo()
        .args(["build", "--release"])
        .args(wanted)
        // As they are packed.
        .args(["--features", "tauri/custom-protocol"])
        .dir(project.root());
    if !build.run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let programs = project.metadata.target_directory.as_std_path().join("release");
    let program = programs.join(format!("bc-bench{}", std::env::consts::EXE_SUFFIX));
    let mut step = Step::new(program).args(words).dir(project.root());
    if words.is_empty() {
        step = step.args(["--keep"]).args([project.root()]);
    }
    // The real bd, where there is one, is measured for information.
    let step = parts::present(project.root()).give(step, false);
    Ok(if step.run()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
