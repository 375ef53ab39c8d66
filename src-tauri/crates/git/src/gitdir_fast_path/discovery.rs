//! Finds common repositories without running git: those with a `.git` folder that this user owns in the working
//! tree, and their linked worktrees, without special settings. Every command looks up the project first, and a git
//! process takes longer than the rest of the lookup.
//!
//! Invariant: the answers equal git's. Special cases are left to git: submodules, bare repositories, other
//! owners, settings that move the tree, file system boundaries.

use crate::{
    gitdir_fast_path::refs::GitdirState,
    program::{line, path_from},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Variables that change where git looks for a repository or for settings; if one is set, git is run.
/// Variables that name another repository are not listed, because our git runs do not inherit them.
const SPECIAL: &[&str] = &[
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG",
];

/// A repository that was found without git.
pub(crate) struct DiscoveredRepo {
    /// The top of the working tree that contains the folder.
    pub(crate) top_level: PathBuf,
    /// The main working tree.
    pub(crate) main_root: PathBuf,
    pub(crate) files: GitdirState,
}

/// The repository that contains a folder; `None` if git must be run.
pub(crate) fn find(folder: &Path) -> Option<DiscoveredRepo> {
    if SPECIAL.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let folder = folder.canonicalize().map(bc_core::paths::plain).ok()?;
    let system = os::system_of(&folder)?;
    for dir in folder.ancestors() {
        if os::system_of(dir)? != system || dir.ends_with(".git") || is_git_folder(dir) {
            return None;
        }
        let git = dir.join(".git");
        match fs::symlink_metadata(&git) {
            Ok(found) if found.is_dir() && is_git_folder(&git) => return main(dir),
            Ok(found) if found.is_file() => return linked(dir, &git),
            // `.git` is a link, or a folder without git's content.
            Ok(_) => return None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return None,
        }
    }
    None
}

/// The repository with this folder as its main tree.
fn main(dir: &Path) -> Option<DiscoveredRepo> {
    let git = dir.join(".git");
    if !os::is_ours(&git) || !os::is_ours(dir) {
        return None;
    }
    let files = GitdirState::of(usual_config(&git)?, git.clone(), git);
    Some(DiscoveredRepo { top_level: dir.to_owned(), main_root: dir.to_owned(), files })
}

/// The repository of this linked worktree, if its main tree can also be found without git.
fn linked(dir: &Path, file: &Path) -> Option<DiscoveredRepo> {
    let content = fs::read(file).ok()?;
    let own = path_from(line(content.strip_prefix(b"gitdir: ")?));
    let trees = own.parent()?;
    let common = trees.parent()?;
    let up = fs::read(own.join("commondir")).ok()?;
    let is_usual = own.is_absolute()
        && trees.ends_with("worktrees")
        && common.ends_with(".git")
        && line(&up) == b"../.."
        && own.join("HEAD").is_file()
        && own.canonicalize().map(bc_core::paths::plain).ok()? == own
        && [file, dir, &own].into_iter().all(os::is_ours);
    if !is_usual || !common.is_dir() || !is_git_folder(common) {
        return None;
    }
    let main = main(common.parent()?)?;
    let files = main.files.of_tree(own);
    Some(DiscoveredRepo { top_level: dir.to_owned(), main_root: main.main_root, files })
}

fn is_git_folder(dir: &Path) -> bool {
    dir.join("objects").is_dir() && dir.join("refs").is_dir() && dir.join("HEAD").is_file()
}

/// The repository's configuration in lower case. `None` if the repository may be bare, or if a setting or an
/// included file may move the working tree.
fn usual_config(git: &Path) -> Option<String> {
    let config = fs::read_to_string(git.join("config")).ok()?.to_ascii_lowercase();
    let bare = |line: &str| {
        let line = line.trim().trim_end_matches(';');
        line.starts_with("bare") && !line.ends_with("false")
    };
    let usual = !config.contains("worktree") && !config.contains("include") && !config.lines().any(bare);
    usual.then_some(config)
}

#[cfg(unix)]
mod os {
    use std::{fs, os::unix::fs::MetadataExt, path::Path};

    /// The id of a folder's file system.
    pub(super) fn system_of(dir: &Path) -> Option<u64> {
        fs::metadata(dir).ok().map(|found| found.dev())
    }

    /// Whether this user owns the file: git refuses repositories of other users.
    pub(super) fn is_ours(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw())
    }
}

#[cfg(not(unix))]
mod os {
    use std::path::Path;

    /// Not available on this system.
    pub(super) fn system_of(_dir: &Path) -> Option<u64> {
        None
    }

    /// Not available on this system.
    pub(super) fn is_ours(_path: &Path) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use crate::{Git, GitError, Repo, fixture::Sandbox};

    /// Whether the repository is found although git cannot run.
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
    fn a_linked_worktree_is_found_without_git_and_as_git_finds_it() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
        let tree = sandbox.root().join("../linked").canonicalize().map(bc_core::paths::plain).unwrap();
        let below = tree.join("a");
        std::fs::create_dir(&below).unwrap();
        assert!(found_without_git(&below));
        let found = Repo::discover_with(Git::at("/no/such/git"), &below).unwrap();
        let asked = sandbox.git().ask("ask", &below, ["rev-parse", "--show-toplevel"]).unwrap().out();
        assert_eq!(found.top_level().to_str(), Some(asked.trim_end()));
        assert_eq!(found.common_dir(), sandbox.root().join(".git"));
        assert_eq!(found.main_root(), sandbox.root());
        assert!(found.is_linked());
        // The main tree's settings apply to all of its worktrees.
        sandbox.run(&["config", "extensions.worktreeConfig", "true"]);
        assert!(!found_without_git(&tree));
        sandbox.run(&["config", "--unset", "extensions.worktreeConfig"]);
        sandbox.write("../linked/.git", "gitdir: ../in/project/.git/worktrees/linked\n");
        assert!(!found_without_git(&tree), "only git resolves a relative path");
    }

    #[test]
    fn special_repositories_are_left_to_git() {
        let outside = tempfile::tempdir().unwrap();
        assert!(!found_without_git(outside.path()));
        let sandbox = Sandbox::with_commit();
        assert!(!found_without_git(&sandbox.root().join(".git")));
        sandbox.run(&["init", "-q", "--separate-git-dir", "../apart-git", "../apart"]);
        assert!(!found_without_git(&sandbox.root().join("../apart")));
        for (key, value) in [("core.worktree", ".."), ("core.bare", "true"), ("include.path", "more")] {
            sandbox.run(&["config", key, value]);
            assert!(!found_without_git(sandbox.root()), "{key}");
            let config = sandbox.root().join(".git/config").display().to_string();
            sandbox.run(&["config", "--file", &config, "--unset", key]);
            if key == "core.bare" {
                sandbox.run(&["config", "--file", &config, "core.bare", "false"]);
            }
        }
        assert!(found_without_git(sandbox.root()), "it is a common repository again");
    }
}
