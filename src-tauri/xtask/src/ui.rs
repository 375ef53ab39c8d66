//! The UI's part: its packages, its build, its checks. Node is a prerequisite; npm comes with it.

use crate::{
    command::{Step, which},
    error::XtaskError,
    project::Project,
};
use std::{fs, path::PathBuf};

fn folder(project: &Project) -> PathBuf {
    project.root().join("ui")
}

fn npm(project: &Project, args: &[&str]) -> Result<bool, XtaskError> {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let Some(npm) = which(name) else {
        return Err(XtaskError::Missing {
            program: "npm".to_owned(),
            hint: "install Node 20.19 or newer, which brings it",
        });
    };
    Ok(Step::new(npm).args(args).dir(&folder(project)).run()?.success())
}

/// Installs the UI's packages as the lock file has them, unless that was done for this lock file.
pub(crate) fn install(project: &Project) -> Result<bool, XtaskError> {
    let done = folder(project).join("node_modules").join(".package-lock.json");
    let modified = |path: PathBuf| fs::metadata(path).and_then(|m| m.modified()).ok();
    if let (Some(lock), Some(done)) = (modified(folder(project).join("package-lock.json")), modified(done))
        && done >= lock
    {
        return Ok(true);
    }
    npm(project, &["ci", "--no-audit", "--no-fund"])
}

/// Builds `ui/dist`, which the programs carry in them.
pub(crate) fn build(project: &Project) -> Result<bool, XtaskError> {
    npm(project, &["run", "--silent", "build"])
}

/// Types and templates.
pub(crate) fn check(project: &Project) -> Result<bool, XtaskError> {
    npm(project, &["run", "--silent", "check"])
}

/// The command that runs the UI's own tests.
pub(crate) fn tests(project: &Project) -> Result<bool, XtaskError> {
    npm(project, &["test", "--silent"])
}

/// Writes the contract's TypeScript, or with `check` only says whether it is what is committed.
pub(crate) fn codegen(project: &Project, check: bool) -> Result<bool, XtaskError> {
    let file = folder(project).join("src").join("generated").join("api.ts");
    let step = Step::cargo()
        .args(["run", "--quiet", "--package", "bc-wire", "--features", "codegen", "--bin", "codegen", "--"])
        .args(check.then_some("--check"))
        .args([file]);
    Ok(step.dir(project.root()).run()?.success())
}
