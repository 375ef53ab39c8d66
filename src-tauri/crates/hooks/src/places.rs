//! Paths of hooks files: the user's own first, then the workspace's.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The name of the user's own file in the settings folder.
const USER_FILE: &str = "hooks.json";

/// The workspace's files, relative to its root, in order of execution.
const WORKSPACE_FILES: [&str; 4] =
    [".github/hooks/hooks.json", ".github/hooks.json", "hooks.json", ".beads/hooks.json"];

/// The folders that determine the hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// The user's settings folder. Without it, nothing is allowed.
    pub config: Option<PathBuf>,
    /// The project's root, absolute and resolved.
    pub root: PathBuf,
    /// The folder that no link of the workspace may leave: the repository's main tree, or the root.
    pub boundary: PathBuf,
}

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user: its hooks run.
    User,
    /// The repository: its hooks run once the user allowed them.
    Workspace,
}

/// The possible location of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its owner.
    pub scope: Scope,
    /// Its path.
    pub path: PathBuf,
}

impl Places {
    /// All locations, in order of execution.
    pub fn all(&self) -> Vec<Place> {
        let user =
            self.config.iter().map(|folder| Place { scope: Scope::User, path: folder.join(USER_FILE) });
        let workspace = WORKSPACE_FILES.iter();
        let workspace = workspace.map(|name| Place { scope: Scope::Workspace, path: self.root.join(name) });
        user.chain(workspace).collect()
    }
}
