//! A part of a package, as its registry describes it.

use std::path::PathBuf;

/// A third-party part of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression; none if the part does not state one.
    pub(super) licence: Option<String>,
    /// Its page or repository.
    pub(super) address: Option<String>,
    /// Its package URL, the key of the SBOM.
    pub(super) purl: String,
    /// The registry's hash of its archive: algorithm and hex digits.
    pub(super) hash: Option<(&'static str, String)>,
    /// The folder with its licence files; none if it is not installed.
    pub(super) folder: Option<PathBuf>,
    /// The package URLs of its direct dependencies.
    pub(super) dependencies: Vec<String>,
}

/// A part without files.
#[cfg(test)]
pub(super) fn component(name: &str, licence: Option<&str>) -> Component {
    Component {
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        licence: licence.map(str::to_owned),
        address: None,
        purl: format!("pkg:cargo/{name}@1.0.0"),
        hash: None,
        folder: None,
        dependencies: Vec::new(),
    }
}
