//! Where files with hooks are: the person's own first, then the workspace's.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The name of the person's own file, in the folder of their settings.
const USER_FILE: &str = "hooks.json";

/// The workspace's files, below its root, in the order in which their hooks run.
const WORKSPACE_FILES: [&str; 4] =
    [".github/hooks/hooks.json", ".github/hooks.json", "hooks.json", ".beads/hooks.json"];

/// The folders that decide which hooks there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// The folder of the person's settings; without one there is nothing that they allowed.
    pub config: Option<PathBuf>,
    /// The project's root, absolute and resolved.
    pub root: PathBuf,
    /// The folder that nothing of the workspace may lead out of: the repository's main tree, else the
    /// root.
    pub boundary: PathBuf,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The person's own: it runs.
    User,
    /// The repository's: it runs once the person allowed it.
    Workspace,
}

/// Where a file may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Whose it is.
    pub scope: Scope,
    /// Its path.
    pub path: PathBuf,
}

impl Places {
    /// Every place, in the order in which hooks are appended.
    pub fn all(&self) -> Vec<Place> {
        let user =
            self.config.iter().map(|folder| Place { scope: Scope::User, path: folder.join(USER_FILE) });
        let workspace = WORKSPACE_FILES.iter();
        let workspace = workspace.map(|name| Place { scope: Scope::Workspace, path: self.root.join(name) });
        user.chain(workspace).collect()
    }
}
