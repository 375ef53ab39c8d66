//! A third-party part of a package, as its registry describes it.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression; `None` if the part states none.
    pub(super) licence: Option<String>,
    /// The address of its page or repository.
    pub(super) address: Option<String>,
    /// Its package URL, which identifies it in the SBOM.
    pub(super) purl: String,
    /// The registry's hash of its archive: the algorithm and the hex digits.
    pub(super) hash: Option<(&'static str, String)>,
    /// The folder with its licence files; `None` if the part is not installed.
    pub(super) folder: Option<PathBuf>,
    /// The package URLs of its direct dependencies.
    pub(super) dependencies: Vec<String>,
}

/// A part without a folder.
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
