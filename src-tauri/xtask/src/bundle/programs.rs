//! Builds the release programs for packages. They contain the UI and the licence texts.

use super::places;
use crate::{
    command::Step,
    error::XtaskError,
    licences::{self, Written},
    project::Project,
    ui,
};

/// The command-line programs. The window starts them from its own folder.
pub(super) const COMMAND_LINE_PROGRAMS: &[&str] = &["beads-console", "beads-console-sim"];

/// The crates of these programs, as arguments for cargo.
const COMMAND_LINE: &[&str] = &["--package", "bc-cli", "--package", "bc-sim"];

/// Builds the command-line programs and the packages in `others`, with the UI and the licence texts, and the
/// static programs for places. Returns `None` if a build failed.
pub(super) fn build(project: &Project, others: &[&str]) -> Result<Option<Written>, XtaskError> {
    if !(ui::install(project)? && ui::build(project)?) {
        return Ok(None);
    }
    if !places::collect(project)? {
        return Ok(None);
    }
    let Some(written) = licences::write(project)? else { return Ok(None) };
    let build = Step::cargo().args(["build", "--release"]).args(COMMAND_LINE).args(others);
    let built = build.env(licences::VARIABLE, &written.text).dir(project.root()).run()?;
    Ok(built.success().then_some(written))
}
