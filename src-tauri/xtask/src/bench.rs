//! `cargo xtask bench`: builds the release programs and runs `bc-bench`, which measures them.

use crate::{
    command::Step,
    error::XtaskError,
    parts::{self, packages},
    project::Project,
    ui,
};
use std::process::ExitCode;

/// The measured programs, their baselines, and the measuring program.
const PACKAGES: &[&str] = &["bc-cli", "bc-sim", "beads-console-desktop", "empty-window", "bc-bench"];

/// Runs `bc-bench` with these arguments. Without arguments, it measures all rows, and the results are saved in
/// the source tree.
pub(crate) fn bench(project: &Project, args: &[String]) -> Result<ExitCode, XtaskError> {
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
        // Use the same features as the packages.
        .args(["--features", "tauri/custom-protocol"])
        .dir(project.root());
    if !build.run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let programs = project.metadata.target_directory.as_std_path().join("release");
    let program = programs.join(format!("bc-bench{}", std::env::consts::EXE_SUFFIX));
    let mut step = Step::new(program).args(args).dir(project.root());
    if args.is_empty() {
        step = step.args(["--keep"]).args([project.root()]);
    }
    // A missing program is not an error at this point; each row that needs it reports it.
    let step = parts::for_bench(project.root()).give(step, false);
    Ok(if step.run()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
