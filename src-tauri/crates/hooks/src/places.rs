//! The paths of hooks files: first the user's own file, then the files of the repository, which the settings
//! call "workspace".

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The name of the user's own hooks file, in the settings folder.
pub const USER_FILE: &str = "hooks.json";

/// The hooks files of a repository, relative to the project's root, in order of execution.
const WORKSPACE_FILES: [&str; 4] =
    [".github/hooks/hooks.json", ".github/hooks.json", "hooks.json", ".beads/hooks.json"];

/// The folders that are searched for hooks files, and the folder that links must not leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// The user's settings folder. Without one, no hook of a repository is allowed.
    pub config: Option<PathBuf>,
    /// The project's root, absolute and resolved.
    pub root: PathBuf,
    /// The folder that no link in the repository may leave: the main tree, or `root` outside git.
    pub boundary: PathBuf,
}

/// The owner of a hooks file, which decides whether the file needs a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    User,
    Workspace,
}

/// A path at which a hooks file can exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The owner of a file in this place.
    pub scope: Scope,
    /// The file's path; the file may not exist.
    pub path: PathBuf,
}

impl Places {
    /// All places, in order of execution.
    pub fn all(&self) -> Vec<Place> {
        let user =
            self.config.iter().map(|folder| Place { scope: Scope::User, path: folder.join(USER_FILE) });
        let workspace = WORKSPACE_FILES.iter();
        let workspace = workspace.map(|name| Place { scope: Scope::Workspace, path: self.root.join(name) });
        user.chain(workspace).collect()
    }
}
