//! A test repository that is isolated from the machine's git settings.

use bc_git::{Git, Repo};
use bc_process::run::Program;
use std::path::PathBuf;

/// A repository in the folder `project`; its parent folder can contain files outside the repository.
pub(super) struct Sandbox {
    home: tempfile::TempDir,
}

impl Sandbox {
    pub(super) fn new() -> Sandbox {
        let sandbox = Sandbox { home: tempfile::tempdir().unwrap() };
        sandbox.write("../outside.rs", b"outside");
        sandbox.git(&["init", "-q"]);
        sandbox
    }

    pub(super) fn root(&self) -> PathBuf {
        self.home.path().join("project")
    }

    // The store's rules for writing apply to the product; a fixture creates any state that a user could.
    #[allow(clippy::disallowed_methods)]
    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.root().join(path);
        std::fs::create_dir_all(self.root()).unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    #[cfg(unix)]
    pub(super) fn link(&self, from: &str, to: &str) {
        std::os::unix::fs::symlink(to, self.root().join(from)).unwrap();
    }

    pub(super) fn git(&self, args: &[&str]) {
        let program = Program::new("git").args(args).cwd(self.root()).env("HOME", self.home.path());
        let program = program.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        let done = program.run().unwrap();
        assert!(done.ok(), "git {args:?}: {}", done.err());
    }

    pub(super) fn repo(&self) -> Repo {
        let git = Git::find().unwrap().env("HOME", self.home.path());
        let git = git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        Repo::discover_with(git, self.root()).unwrap()
    }
}
