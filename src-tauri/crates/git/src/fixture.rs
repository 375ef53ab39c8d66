//! An isolated test repository that ignores the machine's git settings.

use crate::{program::Git, repo::Repo};
use bc_core::ids::BranchName;
use bc_process::run::{Finished, Program};
use std::path::{Path, PathBuf};

/// A temporary folder with a repository in it. Dropping the value removes the folder.
pub(crate) struct Sandbox {
    home: tempfile::TempDir,
    root: PathBuf,
}

impl Sandbox {
    /// A repository without commits, on the branch `main`.
    pub(crate) fn new() -> Sandbox {
        Sandbox::named("project")
    }

    /// A repository without commits in a folder of this name.
    pub(crate) fn named(name: &str) -> Sandbox {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().map(bc_core::paths::plain).unwrap().join("in").join(name);
        std::fs::create_dir_all(&root).unwrap();
        let sandbox = Sandbox { home, root };
        sandbox.run(&["init", "-q"]);
        sandbox.run(&["symbolic-ref", "HEAD", "refs/heads/main"]);
        sandbox
    }

    /// A repository with a README in one commit.
    pub(crate) fn with_commit() -> Sandbox {
        let sandbox = Sandbox::new();
        sandbox.write("README.md", "# A project\n");
        sandbox.commit("first");
        sandbox
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The real git with the test's own settings.
    pub(crate) fn git(&self) -> Git {
        Git::find()
            .unwrap()
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", self.home.path().join(".config"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
    }

    /// The folder in which this sandbox's git looks for the user's permissions.
    pub(crate) fn settings_folder(&self) -> PathBuf {
        self.home.path().join(".config/beads-console")
    }

    pub(crate) fn repo(&self) -> Repo {
        Repo::discover_with(self.git(), &self.root).unwrap()
    }

    /// A free path for a worktree of this branch, in the default folder.
    pub(crate) fn worktree_path(&self, branch: &BranchName) -> PathBuf {
        let repo = self.repo();
        repo.worktree_path_in(&repo.worktree_folder().unwrap(), branch, &[]).unwrap()
    }

    // The rule for writing files applies to the product; a fixture imitates a user's files.
    #[allow(clippy::disallowed_methods)]
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[cfg(unix)]
    pub(crate) fn make_executable(&self, path: &str) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(self.root.join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn commit(&self, subject: &str) {
        self.run(&["add", "-A"]);
        self.run(&["commit", "-q", "--allow-empty", "-m", subject]);
    }

    /// Runs git in the repository as a user would; it must succeed.
    pub(crate) fn run(&self, args: &[&str]) {
        let done = self.run_any(args);
        assert!(done.ok(), "git {args:?}: {}", done.err());
    }

    /// Runs git in the repository as a user would.
    pub(crate) fn run_any(&self, args: &[&str]) -> Finished {
        let mut program = Program::new("git").args(args).cwd(&self.root).env("HOME", self.home.path());
        for (key, value) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "A Tester"),
            ("GIT_AUTHOR_EMAIL", "tester@example.org"),
            ("GIT_COMMITTER_NAME", "A Tester"),
            ("GIT_COMMITTER_EMAIL", "tester@example.org"),
            ("GIT_AUTHOR_DATE", "2026-01-19T10:00:00-06:00"),
            ("GIT_COMMITTER_DATE", "2026-01-19T10:00:00-06:00"),
        ] {
            program = program.env(key, value);
        }
        program.run().unwrap()
    }
}
