//! Lists the files that git does not ignore: tracked ones, and untracked ones without an ignore rule.

use crate::{error::GitError, program::path_from, repo::Repo};
use std::{
    collections::HashSet,
    ffi::OsStr,
    path::{Path, PathBuf},
};

impl Repo {
    /// The subset of these files, relative to the tree, that git does not ignore. Folders, missing untracked
    /// files, and files in another repository (such as a submodule) or in `.git`, are left out.
    pub fn not_ignored<P: AsRef<Path>>(&self, files: &[P]) -> Result<HashSet<PathBuf>, GitError> {
        // Without a path, git would list all files.
        if files.is_empty() {
            return Ok(HashSet::new());
        }
        let named: HashSet<&Path> = files.iter().map(AsRef::as_ref).collect();
        let args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--"].map(OsStr::new);
        let args = args.into_iter().chain(named.iter().map(|file| file.as_os_str()));
        let done = self.git.read("list the files that it does not ignore", self.top_level(), args)?;
        let listed = done.stdout.split(|&b| b == 0).filter(|path| !path.is_empty()).map(path_from);
        // For a named folder, git lists the folder's content, which the caller did not request. Git writes
        // `/` on every system; `Path` treats it as a separator.
        Ok(listed.filter(|path| named.contains(path.as_path())).collect())
    }

    /// Every file in this folder of the tree that git does not ignore, relative to the folder, sorted by
    /// name. Includes deleted files whose deletion is not staged. Paths that are not UTF-8 are left out.
    pub fn files(&self, folder: &Path) -> Result<Vec<String>, GitError> {
        let args = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z"];
        let done = self.git.read("list the files", folder, args)?;
        let names = done.stdout.split(|&b| b == 0).filter(|name| !name.is_empty());
        let mut names: Vec<String> =
            names.filter_map(|name| std::str::from_utf8(name).ok().map(str::to_owned)).collect();
        names.sort_unstable();
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    fn check(sandbox: &Sandbox, files: &[&str], expect: &[&str]) {
        let expect: HashSet<PathBuf> = expect.iter().map(PathBuf::from).collect();
        assert_eq!(sandbox.repo().not_ignored(files).unwrap(), expect, "{files:?}");
    }

    #[test]
    fn the_files_of_a_folder_are_named_from_it() {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".gitignore", "secret\n");
        for file in ["secret", "src/a b.rs", "src/ü.rs", "src/secret"] {
            sandbox.write(file, "x");
        }
        let repo = sandbox.repo();
        assert_eq!(
            repo.files(repo.top_level()).unwrap(),
            [".gitignore", "README.md", "src/a b.rs", "src/ü.rs"]
        );
        assert_eq!(repo.files(&repo.top_level().join("src")).unwrap(), ["a b.rs", "ü.rs"]);
    }

    #[test]
    fn ignored_files_are_distinguished_from_tracked_and_new_ones() {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".gitignore", "secret\nbuild/\n*.log\n");
        sandbox.write("kept.log", "tracked anyway");
        sandbox.run(&["add", "-f", "kept.log"]);
        for file in ["secret", "build/out", "a.log", "new/file", "sp ace"] {
            sandbox.write(file, "x");
        }
        check(
            &sandbox,
            &["README.md", "secret", "build/out", "a.log", "kept.log", "new/file", "sp ace", "missing"],
            &["README.md", "kept.log", "new/file", "sp ace"],
        );
    }

    #[test]
    fn paths_are_literal_and_folders_are_not_files() {
        let sandbox = Sandbox::with_commit();
        sandbox.write("a.c", "x");
        sandbox.write("new/file", "x");
        check(&sandbox, &["*.c", ":(glob)**", "new", "."], &[]);
        check(&sandbox, &[], &[]);
    }

    #[test]
    fn the_files_of_git_itself_and_of_another_repository_are_not_shown() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["init", "-q", "inner"]);
        sandbox.write("inner/file", "x");
        check(&sandbox, &[".git/HEAD", "inner/file"], &[]);
    }
}
