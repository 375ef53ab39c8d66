//! `cargo xtask bundle`: packages of the desktop program, including `beads-console` and the simulated agent.
//!
//! A single cargo run builds all of them, so that shared crates are built once; Tauri's tool only packages.

use crate::{command::Step, error::XtaskError, npm, parts::packages, project::Project, ui};
use std::{fs, path::PathBuf, process::ExitCode};

/// The supported formats. (An AppImage would need a download during packaging.)
const FORMATS: &str = "deb,rpm";

/// Programs that the window starts from its own folder.
const BESIDE: &[&str] = &["beads-console", "beads-console-sim"];

/// Builds, packages and prints the packages' paths.
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
        // As in Tauri's own build: otherwise the window would look for a development server.
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

/// Copies the programs to the paths in `tauri.bundle.conf.json`. Tauri requires the platform in these names
/// and removes it in the package.
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

/// The existing packages.
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
