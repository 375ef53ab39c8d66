//! `cargo xtask run`: from a fresh clone to the running program.

use crate::{command::Step, error::XtaskError, parts::packages, project::Project};
use std::process::ExitCode;

/// Sees that what is needed is there, builds, and runs `beads-console` with these arguments. The
/// simulated agent is built with it, for it is looked for beside it.
pub(crate) fn run(project: &Project, args: &[String]) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    let build =
        Step::cargo().args(["build", "--package", "bc-cli", "--package", "bc-sim"]).dir(project.root());
    if !build.run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
    let help = ["--help".to_owned()];
    let args = if args.is_empty() { &help } else { args };
    let status = Step::new(project.program("beads-console")).args(args).run()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
