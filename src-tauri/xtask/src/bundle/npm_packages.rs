//! npm packages of the command line: `beads-console`, and one package per system with the programs. npm
//! installs the one for the user's system. Claude Code's own packages have the same structure.
//!
//! Each machine builds only the package for its own system; the main package names the packages of all
//! systems.

use super::{
    documents, places,
    programs::{COMMAND_LINE_PROGRAMS, build},
};
use crate::{
    error::XtaskError,
    files::{copy, emptied, save},
    licences::Written,
    npm,
    parts::packages,
    project::Project,
};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const NAME: &str = "beads-console";

/// The systems with a package, by npm's names.
const SYSTEMS: &[(&str, &str)] =
    &[("linux", "x64"), ("linux", "arm64"), ("darwin", "arm64"), ("darwin", "x64"), ("win32", "x64")];

/// The files of the main package, besides its package.json: each file's source and its path in the package.
const MAIN: &[(&str, &str)] = &[
    ("launcher.cjs", "bin/beads-console"),
    ("install.cjs", "install.cjs"),
    ("platform.cjs", "platform.cjs"),
    ("README.md", "README.md"),
];

/// Builds and packs the main package and the package for this system, and prints their paths.
pub(crate) fn bundle(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    let Some(written) = build(project, &[])? else { return Ok(ExitCode::FAILURE) };
    let program = project.built("release").join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX));
    documents::write(project, &program)?;
    for package in pack(project, &written)? {
        println!("{}", package.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Packs the built programs into `target/bundled/npm`.
fn pack(project: &Project, written: &Written) -> Result<Vec<PathBuf>, XtaskError> {
    let root = emptied(project.bundled()?.join("npm"))?;
    let version = project.version();
    let (system, processor) = this_system();
    let own = root.join(package_name(system, processor));
    for name in COMMAND_LINE_PROGRAMS {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        copy(&project.built("release").join(&file), &own.join("bin").join(&file))?;
    }
    places::copy_into(project, &own)?;
    documents::copy_into(project, written, &own.join("share"))?;
    save(&own.join("package.json"), pretty(&system_manifest(&version, system, processor)))?;

    let main = root.join(NAME);
    for (from, to) in MAIN {
        copy(&project.root().join("src-tauri/packages/npm").join(from), &main.join(to))?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&project.root().join(name), &main.join(name))?;
        copy(&project.root().join(name), &own.join(name))?;
    }
    save(&main.join("package.json"), pretty(&main_manifest(&version)))?;
    [own, main].iter().map(|package| tarball(package, &root)).collect()
}

fn tarball(package: &Path, into: &Path) -> Result<PathBuf, XtaskError> {
    let step = npm::step(package, &["pack", "--silent", "--pack-destination"])?.args([into]);
    Ok(into.join(step.read()?.trim()))
}

/// Returns npm's names for this system and processor.
fn this_system() -> (&'static str, &'static str) {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    (system, processor)
}

fn package_name(system: &str, processor: &str) -> String {
    format!("{NAME}-{system}-{processor}")
}

fn system_manifest(version: &str, system: &str, processor: &str) -> Value {
    let mut manifest = json!({
        "name": package_name(system, processor),
        "version": version,
        "description": format!("The programs of {NAME} for {system} on {processor}."),
        "license": "MIT OR Apache-2.0",
        "os": [system],
        "cpu": [processor],
        "preferUnplugged": true,
    });
    if system == "linux" {
        manifest["libc"] = json!(["glibc"]);
    }
    manifest
}

fn main_manifest(version: &str) -> Value {
    let systems = SYSTEMS.iter().map(|(system, processor)| (package_name(system, processor), version.into()));
    json!({
        "name": NAME,
        "version": version,
        "description": "Work on beads with Claude Code in recorded sessions.",
        "license": "MIT OR Apache-2.0",
        "bin": { NAME: "bin/beads-console" },
        "scripts": { "postinstall": "node install.cjs" },
        "engines": { "node": ">=18" },
        "optionalDependencies": systems.collect::<serde_json::Map<String, Value>>(),
    })
}

fn pretty(manifest: &Value) -> String {
    format!("{manifest:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_package_needs_the_package_of_every_system_at_its_own_version() {
        let main = main_manifest("1.2.3");
        for (system, processor) in SYSTEMS {
            let own = system_manifest("1.2.3", system, processor);
            let name = own["name"].as_str().unwrap();
            assert_eq!(main["optionalDependencies"][name], "1.2.3");
            assert_eq!((own["os"][0].as_str(), own["cpu"][0].as_str()), (Some(*system), Some(*processor)));
        }
    }

    #[test]
    fn this_system_has_a_package() {
        assert!(SYSTEMS.contains(&this_system()), "{:?}", this_system());
    }

    #[test]
    fn files_of_the_main_package_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("packages/npm");
        for (from, _) in MAIN {
            assert!(std::fs::metadata(folder.join(from)).unwrap().len() > 0, "{from}");
        }
    }
}
