//! Installs, tests and uninstalls the npm packages in an empty prefix, from a local registry that contains
//! only these packages.

use super::trial::Trial;
use crate::{
    command::Step,
    error::XtaskError,
    npm,
    parts::Staging,
    project::{self, Project},
};
use std::path::Path;

pub(super) fn test(project: &Project, version: &str) -> Result<(), XtaskError> {
    let packages = project.root().join("target/bundled/npm");
    let registry = project.root().join("tests/tools/npm-registry.mjs");
    // `staging` removes its folder when it is dropped.
    let staging = Staging::new(&project::cache()?.join("npm-prefix"))?;
    let (prefix, home) = (staging.folder().join("prefix"), staging.folder().join("home"));
    std::fs::create_dir_all(&home).map_err(|source| XtaskError::Write { path: home.clone(), source })?;
    let (address, _running) = Step::new("node").args([&registry, &packages]).start()?;
    if !address.starts_with("http://127.0.0.1:") {
        return Err(XtaskError::trial("npm", &format!("the registry printed {address:?}")));
    }
    let npm = |args: &[&str]| -> Result<String, XtaskError> {
        let cache = staging.folder().join("cache");
        npm::step(staging.folder(), args)?
            .args(["--global", "--no-audit", "--no-fund", "--prefix"])
            .args([&prefix])
            .args(["--registry", &address, "--cache"])
            .args([&cache])
            .env("HOME", &home)
            .read_all()
    };
    let program = prefix.join("bin/beads-console");
    npm(&["install", "beads-console"])?;
    check_is_native(&program, true)?;
    let trial = Trial::on_this_machine(&program, &home, version);
    trial.run()?;
    trial.places(&format!("{}/lib/node_modules/beads-console/lib/beads-console/places", prefix.display()))?;
    npm(&["uninstall", "beads-console"])?;
    check_nothing_left(&prefix)?;
    // Without installation scripts, the command is the launcher, which starts the program.
    npm(&["install", "beads-console", "--ignore-scripts"])?;
    check_is_native(&program, false)?;
    let printed = Step::new(&program).args(["--version"]).read()?;
    if !printed.contains(version) {
        return Err(XtaskError::trial("npm", &format!("the launcher printed {printed:?}")));
    }
    npm(&["uninstall", "beads-console"])?;
    check_nothing_left(&prefix)
}

/// Returns an error unless the command is the native program or, if `wanted` is false, the launcher.
fn check_is_native(program: &Path, wanted: bool) -> Result<(), XtaskError> {
    let bytes =
        std::fs::read(program).map_err(|source| XtaskError::Read { path: program.to_owned(), source })?;
    match bytes.starts_with(b"\x7fELF") == wanted {
        true => Ok(()),
        false => Err(XtaskError::trial(
            "npm",
            if wanted { "the launcher was not replaced" } else { "the installation script ran" },
        )),
    }
}

fn check_nothing_left(prefix: &Path) -> Result<(), XtaskError> {
    let left = Step::new("find").args([prefix]).args(["-name", "*beads-console*"]).read()?;
    match left.trim() {
        "" => Ok(()),
        left => Err(XtaskError::trial("npm", &format!("not removed: {left}"))),
    }
}
