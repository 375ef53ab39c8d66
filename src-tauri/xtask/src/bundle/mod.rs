//! `cargo xtask bundle`: packages of the desktop program, including `beads-console` and the simulated agent.
//! `cargo xtask bundle --npm`: npm packages of `beads-console`.
//!
//! A single run of cargo builds the programs for this system, so that shared crates are built once. Tauri's
//! tool only packages them.

#[cfg(target_os = "linux")]
mod appimage;
mod documents;
mod npm_packages;
mod places;
mod programs;
mod signing;

pub(crate) use npm_packages::bundle as bundle_npm;

use crate::{command::Step, error::XtaskError, files::copy, npm, parts::packages, project::Project};
use programs::{COMMAND_LINE_PROGRAMS, build};
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The formats that Tauri's tool produces on this system.
#[cfg(target_os = "linux")]
const FORMATS: &[&str] = &["deb", "rpm"];
#[cfg(target_os = "macos")]
const FORMATS: &[&str] = &["app", "dmg"];
#[cfg(windows)]
const FORMATS: &[&str] = &["nsis", "msi"];
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
const FORMATS: &[&str] = &[];

/// The file extensions of finished packages. (An app is a folder; the dmg contains it.)
const ENDINGS: &[&str] = &["deb", "rpm", "AppImage", "dmg", "exe", "msi"];

/// Configuration for packages, merged into `tauri.conf.json`. Each system has its own locations for
/// documents.
const CONFIGURATIONS: &[&str] = match () {
    #[cfg(target_os = "macos")]
    () => &["tauri.bundle.conf.json", "tauri.bundle.macos.json"],
    #[cfg(windows)]
    () => &["tauri.bundle.conf.json", "tauri.bundle.windows.json"],
    #[cfg(not(any(target_os = "macos", windows)))]
    () => &["tauri.bundle.conf.json"],
};

/// Builds and packages all programs, and prints the paths of the packages and of the SBOM.
pub(crate) fn bundle(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide()?;
    packages::provide_window()?;
    let shell = project.root().join("src-tauri");
    if !npm::install(&shell)? {
        return Ok(ExitCode::FAILURE);
    }
    // Use the features of Tauri's own build. Otherwise, the window would look for a development server.
    let window = ["--package", "beads-console-desktop", "--features", "tauri/custom-protocol"];
    let Some(written) = build(project, &window)? else { return Ok(ExitCode::FAILURE) };
    copy_programs(project)?;
    let program = format!("beads-console{}", std::env::consts::EXE_SUFFIX);
    documents::write(project, &project.built("release").join(program))?;
    // Remove packages of earlier versions, because all packages in the folder are listed as new.
    let bundles = project.built("release").join("bundle");
    let _ = fs::remove_dir_all(&bundles);
    let configurations = CONFIGURATIONS.iter().flat_map(|file| ["--config", file]);
    let tauri = npm::step(&shell, &["exec", "--no", "tauri", "--", "bundle", "--bundles"])?
        .args([FORMATS.join(",")])
        .args(configurations)
        .args(signing::configuration());
    if !tauri.run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    #[cfg(target_os = "linux")]
    appimage::make(project, &written, &bundles.join("appimage"))?;
    for package in finished_packages(&bundles)? {
        println!("{}", package.display());
    }
    println!("{}", written.sbom.display());
    Ok(ExitCode::SUCCESS)
}

/// Copies the programs to the paths in `tauri.bundle.conf.json`. Tauri requires the platform in the programs'
/// names, and removes it in the package.
fn copy_programs(project: &Project) -> Result<(), XtaskError> {
    let triple = Step::new("rustc").args(["--print", "host-tuple"]).read()?;
    let end = std::env::consts::EXE_SUFFIX;
    let folder = project.bundled()?;
    for name in COMMAND_LINE_PROGRAMS {
        let place = folder.join(format!("{name}-{}{end}", triple.trim()));
        copy(&project.built("release").join(format!("{name}{end}")), &place)?;
    }
    Ok(())
}

/// Returns the paths of the finished packages.
pub(crate) fn finished_packages(bundles: &Path) -> Result<Vec<PathBuf>, XtaskError> {
    let mut packages = Vec::new();
    let mut folders = vec![bundles.to_owned()];
    while let Some(folder) = folders.pop() {
        let unread = |source| XtaskError::Read { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && path.parent() == Some(bundles) {
                folders.push(path);
            } else if path.is_file() && ENDINGS.contains(&ending.as_str()) {
                packages.push(path);
            }
        }
    }
    packages.sort();
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::save;

    #[test]
    fn finished_packages_are_listed_without_their_parts() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["deb/a.deb", "deb/a/data/usr/x.deb", "rpm/a.rpm", "appimage/A.AppImage", "rpm/a.log"] {
            save(&dir.path().join(name), "x").unwrap();
        }
        let found: Vec<String> = finished_packages(dir.path())
            .unwrap()
            .iter()
            .map(|path| path.strip_prefix(dir.path()).unwrap().to_string_lossy().replace('\\', "/"))
            .collect();
        assert_eq!(found, ["appimage/A.AppImage", "deb/a.deb", "rpm/a.rpm"]);
    }

    /// Collects the paths of sources in a configuration. In `resources`, the sources are keys; elsewhere,
    /// they are values.
    fn sources(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => fields.iter().for_each(|(key, value)| match value {
                serde_json::Value::Object(resources) if key == "resources" => {
                    found.extend(resources.keys().cloned());
                }
                value => sources(value, found),
            }),
            serde_json::Value::Array(items) => items.iter().for_each(|item| sources(item, found)),
            serde_json::Value::String(path) if path.contains('/') => found.push(path.clone()),
            _ => {}
        }
    }

    #[test]
    fn every_file_that_the_configurations_name_exists_or_is_generated() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        for name in ["tauri.bundle.conf.json", "tauri.bundle.macos.json", "tauri.bundle.windows.json"] {
            let text = fs::read_to_string(root.join("src-tauri").join(name)).unwrap();
            let mut found = Vec::new();
            sources(&serde_json::from_str(&text).unwrap(), &mut found);
            assert!(found.len() > 4, "{name}: {found:?}");
            for path in found.iter().filter(|path| !path.starts_with("../target/bundled/")) {
                assert!(root.join("src-tauri").join(path).exists(), "{name}: {path}");
            }
        }
    }
}
