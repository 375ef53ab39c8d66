//! The licences of all third-party components that a package contains: Rust crates, the UI's npm packages,
//! and sources in this tree. The licences are checked against the list of acceptable licences, and written as
//! a single document and as an SBOM.
//!
//! Deliberately elsewhere: tools that are only used to build or test, because packages do not contain them.

mod cargo;
mod component;
mod document;
mod npm;
mod policy;
mod sbom;

use crate::{command::Step, error::XtaskError, files::save, project::Project, ui};
use component::Component;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The variable with the path of the licence text, which the build of bc-app embeds.
pub(crate) const VARIABLE: &str = "BC_LICENCES";

/// The paths of the licence text and the SBOM.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) text: PathBuf,
    pub(crate) sbom: PathBuf,
}

/// `cargo xtask licences`: checks the licences and writes both files.
pub(crate) fn licences(project: &Project) -> Result<ExitCode, XtaskError> {
    if !ui::install(project)? {
        return Ok(ExitCode::FAILURE);
    }
    match write(project)? {
        Some(written) => {
            println!("{}\n{}", written.text.display(), written.sbom.display());
            Ok(ExitCode::SUCCESS)
        }
        None => Ok(ExitCode::FAILURE),
    }
}

/// Writes both files to `target/bundled`. If a licence is not acceptable, prints the reason and returns
/// `None` without writing.
pub(crate) fn write(project: &Project) -> Result<Option<Written>, XtaskError> {
    let components = components(project)?;
    let refused = policy::refused(&components);
    for message in &refused {
        eprintln!("licences: {message}");
    }
    if !refused.is_empty() {
        return Ok(None);
    }
    let folder = project.bundled()?;
    let written = Written {
        text: folder.join("THIRD-PARTY-LICENCES.txt"),
        sbom: folder.join("beads-console.cdx.json"),
    };
    let version = project.version();
    save(&written.text, document::text(&components, &version)?)?;
    save(&written.sbom, sbom::document(&components, &version))?;
    Ok(Some(written))
}

/// Returns a message for each component without an acceptable licence, with the reason.
pub(crate) fn refused(project: &Project) -> Result<Vec<String>, XtaskError> {
    Ok(policy::refused(&components(project)?))
}

fn components(project: &Project) -> Result<Vec<Component>, XtaskError> {
    let mut components = cargo::components(project)?;
    components.extend(npm::components(project)?);
    let rustc = Step::new("rustc").args(["--version"]).read()?;
    components.extend(in_tree(project.root(), rustc.split(' ').nth(1).unwrap_or("unknown")));
    components.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(components)
}

/// Returns the third-party components that do not come from a registry.
fn in_tree(root: &Path, rustc: &str) -> Vec<Component> {
    let part = |name: &str, version: &str, licence: &str, address: &str, folder: Option<PathBuf>| Component {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: Some(licence.to_owned()),
        address: Some(address.to_owned()),
        purl: format!("pkg:generic/{}@{version}", name.to_lowercase().replace(' ', "-")),
        hash: None,
        folder,
        dependencies: Vec::new(),
    };
    let rules = root.join("src-tauri/crates/redact/gitleaks");
    let rust = "https://www.rust-lang.org";
    vec![
        part("gitleaks rules", "8", "MIT", "https://github.com/gitleaks/gitleaks", Some(rules)),
        part("Rust standard library", rustc, "MIT OR Apache-2.0", rust, None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_this_tree_has_an_acceptable_licence() {
        let project = Project::find().unwrap();
        let components = components(&project).unwrap();
        let named = |name: &str| components.iter().any(|component| component.name == name);
        for name in ["serde", "tokio", "tauri", "rusqlite", "@xterm/xterm", "svelte", "gitleaks rules"] {
            assert!(named(name), "{name} is missing");
        }
        for name in ["vitest", "eslint", "proptest", "bc-core"] {
            assert!(!named(name), "{name} is in no package");
        }
        assert_eq!(policy::refused(&components), Vec::<String>::new());
    }
}
