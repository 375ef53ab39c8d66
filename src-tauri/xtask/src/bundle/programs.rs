//! The release programs of packages, with the UI and the licence texts in them.

use crate::{
    command::Step,
    error::XtaskError,
    licences::{self, Written},
    project::Project,
    ui,
};

/// The programs of the command line, which the window starts from its own folder.
pub(super) const COMMAND_LINE_PROGRAMS: &[&str] = &["beads-console", "beads-console-sim"];

/// The crates with them.
const COMMAND_LINE: &[&str] = &["--package", "bc-cli", "--package", "bc-sim"];

/// Builds the command line and these other packages with the UI and the licence texts in them.
pub(super) fn build(project: &Project, others: &[&str]) -> Result<Option<Written>, XtaskError> {
    if !(ui::install(project)? && ui::build(project)?) {
        return Ok(None);
    }
    let Some(written) = licences::write(project)? else { return Ok(None) };
    let build = Step::cargo().args(["build", "--release"]).args(COMMAND_LINE).args(others);
    let built = build.env(licences::VARIABLE, &written.text).dir(project.root()).run()?;
    Ok(built.success().then_some(written))
}
