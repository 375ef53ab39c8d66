//! `cargo xtask bundle`: packages of the desktop program, with `beads-console` and the simulated agent beside it.
//!
//! One cargo builds all of them, so that what they share is built once; Tauri's own program only packs.

use crate::{command::Step, error::XtaskError, npm, parts::packages, project::Project, ui};
use std::{fs, path::PathBuf, process::ExitCode};

/// What can be made here. (An AppImage wants a download while it is made.)
const FORMATS: &str = "deb,rpm";

/// What the window starts from its own folder.
const BESIDE: &[&str] = &["beads-console", "beads-console-sim"];

/// Builds and packs, and says where the packages are.
pub(crate) fn bundle(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    packages::provide_window()?;
    let shell = project.root().join("src-tauri");
    if !(ui::install(project)? && ui::build(project)? && npm::install(&shell)?) {
        return Ok(ExitCode::FAILURE);
    }
    let build = Step::cargo()
        .args(["build", "--release", "--package", "bc-cli", "--package", "bc-sim"])
        .args(["--package", "beads-console-desktop"])
        // As Tauri's own build has it: without, the page would be looked for at a server of development.
        .args(["--features", "tauri/custom-protocol"]);
    if !build.dir(project.root()).run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    put_beside(project)?;
    let tauri = npm::step(&shell, &["exec", "--no", "tauri", "--"])?.args([
        "bundle",
        "--bundles",
        FORMATS,
        "--config",
        "tauri.bundle.conf.json",
    ]);
    if !tauri.run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    for package in made(project)? {
        println!("{}", package.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Copies the programs to where `tauri.bundle.conf.json` names them. Tauri wants the platform in their names, and
/// packs them without.
fn put_beside(project: &Project) -> Result<(), XtaskError> {
    let triple = Step::new("rustc").args(["--print", "host-tuple"]).read()?;
    let end = std::env::consts::EXE_SUFFIX;
    let folder = project.root().join("target").join("bundled");
    fs::create_dir_all(&folder).map_err(|source| XtaskError::Write { path: folder.clone(), source })?;
    for name in BESIDE {
        let place = folder.join(format!("{name}-{}{end}", triple.trim()));
        let copied = fs::copy(project.built("release").join(format!("{name}{end}")), &place);
        copied.map_err(|source| XtaskError::Write { path: place, source })?;
    }
    Ok(())
}

/// The packages that are there.
fn made(project: &Project) -> Result<Vec<PathBuf>, XtaskError> {
    let bundles = project.built("release").join("bundle");
    let mut packages = Vec::new();
    for format in FORMATS.split(',') {
        let folder = bundles.join(format);
        let unread = |source| XtaskError::Read { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            if path.extension().is_some_and(|end| end == format) {
                packages.push(path);
            }
        }
    }
    Ok(packages)
}
