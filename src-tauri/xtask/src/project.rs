//! The source tree's paths, packages and version, and the folder for fetched programs.

use crate::{error::XtaskError, files};
use cargo_metadata::{Metadata, MetadataCommand};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Project {
    /// Cargo's metadata, without third-party packages.
    pub(crate) metadata: Metadata,
}

impl Project {
    /// Returns the source tree from which xtask was built.
    pub(crate) fn find() -> Result<Project, XtaskError> {
        let query = |folder: &Path| {
            let result = MetadataCommand::new().manifest_path(folder.join("Cargo.toml")).no_deps().exec();
            result.map_err(|source| XtaskError::Metadata { source: Box::new(source) })
        };
        let own = query(Path::new(env!("CARGO_MANIFEST_DIR")))?;
        // Query the workspace root, because from within a member, cargo would report only that member as the
        // default.
        Ok(Project { metadata: query(own.workspace_root.as_std_path())? })
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Returns the packages to build and test, as the arguments of one or more cargo runs: the default
    /// members and, with `window`, also the desktop shell.
    ///
    /// With the shell, xtask is built in a separate run. In a common run, the shell's dependencies would have
    /// other features than in `cargo xtask run`, and would therefore be built twice.
    pub(crate) fn selections(&self, window: bool) -> Vec<Vec<String>> {
        if !window {
            return vec![Vec::new()];
        }
        let members = self.metadata.workspace_default_packages();
        let members = members.iter().map(|package| package.name.as_str()).filter(|name| *name != "xtask");
        let package = |name: &str| ["--package".to_owned(), name.to_owned()];
        vec![members.chain(["beads-console-desktop"]).flat_map(package).collect(), package("xtask").into()]
    }

    /// Returns the common version of all our packages.
    pub(crate) fn version(&self) -> String {
        let own = self.metadata.packages.iter().find(|package| package.name.as_str() == "xtask");
        own.map(|package| package.version.to_string()).unwrap_or_default()
    }

    /// Returns the folder for all generated package contents, and creates it if it is missing.
    pub(crate) fn bundled(&self) -> Result<PathBuf, XtaskError> {
        files::created(self.root().join("target").join("bundled"))
    }

    /// Returns the path of one of this workspace's programs, in its debug build.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.built("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Returns the folder of a build profile, `debug` or `release`.
    pub(crate) fn built(&self, profile: &str) -> PathBuf {
        self.metadata.target_directory.as_std_path().join(profile)
    }
}

/// Returns the folder, outside the source tree, in which fetched programs are kept between runs.
pub(crate) fn cache() -> Result<PathBuf, XtaskError> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_CACHE_HOME")
        .or_else(|| set("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .ok_or(XtaskError::NoCache)?;
    Ok(base.join("beads-console-test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_member_is_tested_with_the_desktop_window_and_without() {
        let project = Project::find().unwrap();
        assert_eq!(project.selections(false), [Vec::<String>::new()]);
        let selected = project.selections(true).concat();
        for member in project.metadata.workspace_default_packages() {
            assert!(selected.contains(&member.name.to_string()), "{} is not tested", member.name);
        }
        for name in ["bc-cli", "bc-engine", "bc-server", "xtask", "beads-console-desktop"] {
            assert!(selected.iter().any(|selected| selected == name), "{name} is not tested");
        }
    }
}
