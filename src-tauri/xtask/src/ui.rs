//! Installs, builds, checks and tests the UI, and generates the contract's TypeScript.

use crate::{command::Step, error::XtaskError, npm, project::Project};
use std::path::PathBuf;

fn folder(project: &Project) -> PathBuf {
    project.root().join("ui")
}

fn run(project: &Project, args: &[&str]) -> Result<bool, XtaskError> {
    Ok(npm::step(&folder(project), args)?.run()?.success())
}

/// Installs the UI's packages from the lock file, unless they are already up to date.
pub(crate) fn install(project: &Project) -> Result<bool, XtaskError> {
    npm::install(&folder(project))
}

/// Builds `ui/dist`, which the programs embed.
pub(crate) fn build(project: &Project) -> Result<bool, XtaskError> {
    run(project, &["run", "--silent", "build"])
}

/// Checks the formatting with prettier and the code with eslint.
pub(crate) fn lint(project: &Project) -> Result<bool, XtaskError> {
    run(project, &["run", "--silent", "lint"])
}

/// Checks types and templates.
pub(crate) fn check(project: &Project) -> Result<bool, XtaskError> {
    run(project, &["run", "--silent", "check"])
}

pub(crate) fn tests(project: &Project) -> Result<bool, XtaskError> {
    run(project, &["test", "--silent"])
}

/// Writes the contract's TypeScript. With `check`, only compares it with the committed file.
pub(crate) fn codegen(project: &Project, check: bool) -> Result<bool, XtaskError> {
    let file = folder(project).join("src").join("generated").join("api.ts");
    let cargo = if check { Step::linting_cargo() } else { Step::cargo() };
    let step = cargo
        .args(["run", "--quiet", "--package", "bc-wire", "--features", "codegen", "--bin", "codegen", "--"])
        .args(check.then_some("--check"))
        .args([file]);
    Ok(step.dir(project.root()).run()?.success())
}
