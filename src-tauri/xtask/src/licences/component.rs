//! A third-party component of a package, as described by its registry.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) version: String,
    /// The licence as an SPDX expression; `None` if the component states none.
    pub(super) licence: Option<String>,
    /// The URL of the component's website or repository.
    pub(super) address: Option<String>,
    /// The package URL, which identifies the component in the SBOM.
    pub(super) purl: String,
    /// The registry's hash of the component's archive: the algorithm and the hex digits.
    pub(super) hash: Option<(&'static str, String)>,
    /// The folder with the licence files; `None` if the component is not installed.
    pub(super) folder: Option<PathBuf>,
    /// The package URLs of the direct dependencies.
    pub(super) dependencies: Vec<String>,
}

/// Creates a component without a folder.
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
