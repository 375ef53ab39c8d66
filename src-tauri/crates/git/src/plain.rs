//! Finding the repository that nearly everybody has, without running git: a `.git` folder of ours in the
//! working tree, and nothing that says otherwise. Whoever asks for a project asks this first, and a git that
//! is started for it takes longer than everything else.
//!
//! Invariant: what is answered here is what git would answer. Whatever is special (a linked worktree, a bare
//! repository, another user's, settings that move the tree, a boundary of file systems) is left to git.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Variables with which git looks elsewhere; those that name another repository are not handed to it.
const SPECIAL: &[&str] = &[
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG",
];

/// The top of the working tree that a folder lies in, with its `.git` in it; `None` where git has to be asked.
pub(crate) fn top_level(folder: &Path) -> Option<PathBuf> {
    if SPECIAL.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    let system = os::system_of(&folder)?;
    for dir in folder.ancestors() {
        if os::system_of(dir)? != system || dir.ends_with(".git") || is_git_folder(dir) {
            return None;
        }
        let git = dir.join(".git");
        match fs::symlink_metadata(&git) {
            Ok(found) if found.is_dir() && is_git_folder(&git) => {
                return (os::is_ours(&git) && os::is_ours(dir) && is_usual(&git)).then(|| dir.to_owned());
            }
            // A link, the file of a linked worktree or a submodule, or a folder that is none of git's.
            Ok(_) => return None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return None,
        }
    }
    None
}

fn is_git_folder(dir: &Path) -> bool {
    dir.join("objects").is_dir() && dir.join("refs").is_dir() && dir.join("HEAD").is_file()
}

/// Whether its settings leave the tree where the folder is. Settings that include others may say anything.
fn is_usual(git: &Path) -> bool {
    let Ok(config) = fs::read_to_string(git.join("config")) else { return false };
    let config = config.to_ascii_lowercase();
    let bare = |line: &str| {
        let line = line.trim().trim_end_matches(';');
        line.starts_with("bare") && !line.ends_with("false")
    };
    !config.contains("worktree") && !config.contains("include") && !config.lines().any(bare)
}

#[cfg(unix)]
mod os {
    use std::{fs, os::unix::fs::MetadataExt, path::Path};

    /// The file system that a folder is on.
    pub(super) fn system_of(dir: &Path) -> Option<u64> {
        fs::metadata(dir).ok().map(|found| found.dev())
    }

    /// Whether it is this user's: git wants nothing to do with others'.
    pub(super) fn is_ours(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw())
    }
}

#[cfg(not(unix))]
mod os {
    use std::path::Path;

    /// Not told here.
    pub(super) fn system_of(_dir: &Path) -> Option<u64> {
        None
    }

    /// Not told here.
    pub(super) fn is_ours(_path: &Path) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use crate::{Git, GitError, Repo, fixture::Sandbox};

    /// A git that cannot be asked.
    fn found_without_git(folder: &std::path::Path) -> bool {
        match Repo::discover_with(Git::at("/no/such/git"), folder) {
            Ok(_) => true,
            Err(GitError::GitMissing) => false,
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_plain_repository_is_found_without_git_and_as_git_finds_it() {
        let sandbox = Sandbox::with_commit();
        let below = sandbox.root().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        for folder in [sandbox.root().to_owned(), below] {
            assert!(found_without_git(&folder), "{}", folder.display());
            let found = Repo::discover_with(Git::at("/no/such/git"), &folder).unwrap();
            let top = sandbox.run_any(&["rev-parse", "--show-toplevel"]).out();
            let common = sandbox.run_any(&["rev-parse", "--path-format=absolute", "--git-common-dir"]).out();
            assert_eq!(found.top_level().to_str(), Some(top.trim_end()));
            assert_eq!(found.common_dir().to_str(), Some(common.trim_end()));
            assert_eq!(found.main_root(), found.top_level());
        }
    }

    #[test]
    fn whatever_is_special_is_left_to_git() {
        let outside = tempfile::tempdir().unwrap();
        assert!(!found_without_git(outside.path()));
        let sandbox = Sandbox::with_commit();
        assert!(!found_without_git(&sandbox.root().join(".git")));
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
        assert!(!found_without_git(&sandbox.root().join("../linked")));
        for (key, value) in [("core.worktree", ".."), ("core.bare", "true"), ("include.path", "more")] {
            sandbox.run(&["config", key, value]);
            assert!(!found_without_git(sandbox.root()), "{key}");
            let config = sandbox.root().join(".git/config").display().to_string();
            sandbox.run(&["config", "--file", &config, "--unset", key]);
            if key == "core.bare" {
                sandbox.run(&["config", "--file", &config, "core.bare", "false"]);
            }
        }
        assert!(found_without_git(sandbox.root()), "it is plain again");
    }
}
