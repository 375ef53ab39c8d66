//! Paths of new worktrees, the search for moved ones, path checks, and the deletion of an unused branch.

use crate::{error::GitError, program::path_from, repo::Repo, worktree::folder_name};
use bc_core::ids::BranchName;
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// The maximum number of folder entries that are examined to find a moved worktree.
const ENTRIES_MAX: usize = 2_000;

impl Repo {
    /// The default folder for worktrees: `<repository>-worktrees` beside the main tree.
    pub fn worktree_folder(&self) -> Result<PathBuf, GitError> {
        let root = self.main_root();
        let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else {
            return Err(GitError::NoPlaceBeside { path: root.to_owned() });
        };
        let mut folder = name.to_owned();
        folder.push("-worktrees");
        Ok(parent.join(folder))
    }

    /// A free path in a folder for a worktree of this branch: the branch's name as one folder name, with `-` for
    /// `/`, followed by a number if the path is taken. Names that differ only in case count as taken, and so
    /// does a path that is, or contains, a path in `busy`. Creates nothing.
    pub fn worktree_path_in(
        &self,
        folder: &Path,
        branch: &BranchName,
        busy: &[&Path],
    ) -> Result<PathBuf, GitError> {
        let mut known: Vec<PathBuf> = self.linked_trees()?.into_iter().map(|(path, _)| path).collect();
        known.push(self.main_root().to_owned());
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let existing: Vec<String> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| lower(&entry.path())).collect(),
            Err(_) => Vec::new(),
        };
        let free = |path: &Path| {
            path.symlink_metadata().is_err()
                && known.iter().all(|tree| lower(tree) != lower(path))
                && !existing.contains(&lower(path))
                && !busy.iter().any(|place| Path::new(&lower(place)).starts_with(lower(path)))
        };
        let plain = folder_name(branch);
        let numbered = (2u32..).map(|n| format!("{plain}-{n}"));
        let path = std::iter::once(plain.clone()).chain(numbered).map(|n| folder.join(n)).find(|p| free(p));
        Ok(path.expect("a number that no folder has is found before the numbers end"))
    }

    /// The new path of a worktree that was moved from `old`: a direct subfolder of `folders` with a `.git`
    /// file that identifies the worktree.
    pub fn worktree_moved_to(&self, old: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
        let admin = self.admin_of(old)?;
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let paths = entries.take(ENTRIES_MAX).map(|entry| entry.path());
        let mut found =
            paths.filter(|path| path != old && points_to(path).is_some_and(|to| same(&to, &admin)));
        found.next()
    }

    /// The git folder of a linked worktree, whether or not its folder exists.
    pub fn admin_of(&self, tree: &Path) -> Option<PathBuf> {
        let entries = fs::read_dir(self.common_dir().join("worktrees")).ok()?;
        let mut admins = entries.flatten().map(|entry| entry.path());
        admins.find(|admin| {
            let content = fs::read(admin.join("gitdir")).unwrap_or_default();
            let file = path_from(crate::program::line(&content));
            file.parent().is_some_and(|place| place == tree || same(place, tree))
        })
    }

    /// Whether git ignores this path of the tree. The path does not have to exist. A tracked file is not
    /// ignored.
    pub fn is_ignored(&self, path: &Path) -> Result<bool, GitError> {
        // `check-ignore` has no literal mode; after a leading `./`, a name has no special meaning.
        let path = Path::new(".").join(path.strip_prefix(self.top_level()).unwrap_or(path));
        let words = ["--no-literal-pathspecs", "check-ignore", "-q", "--"].map(OsStr::new);
        self.answers_yes("check whether a file is ignored", words.into_iter().chain([path.as_os_str()]))
    }

    /// Whether git tracks the file at this path of the tree.
    pub fn is_tracked(&self, path: &Path) -> Result<bool, GitError> {
        let path = path.strip_prefix(self.top_level()).unwrap_or(path);
        let words = ["ls-files", "--error-unmatch", "--"].map(OsStr::new);
        self.answers_yes("check whether a file is tracked", words.into_iter().chain([path.as_os_str()]))
    }

    /// Deletes an unused branch. Fails if the branch is not at this commit, or is checked out.
    pub fn branch_delete_at(&self, branch: &BranchName, commit: &str) -> Result<(), GitError> {
        self.refuse_checked_out(branch)?;
        let full = format!("refs/heads/{branch}");
        self.git.execute("delete a branch", self.main_root(), ["update-ref", "-d", &full, commit])
    }
}

/// The folder to which the `.git` file of a folder points.
pub(crate) fn points_to(folder: &Path) -> Option<PathBuf> {
    let file = folder.join(".git");
    // A huge file or a pipe is not a `.git` file.
    let small = file.symlink_metadata().ok().filter(|m| m.is_file() && m.len() < 8192)?;
    let bytes = fs::read(&file).ok().filter(|bytes| bytes.len() as u64 == small.len())?;
    let named = bytes.strip_prefix(b"gitdir: ")?;
    Some(folder.join(path_from(crate::program::line(named))))
}

fn same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize().map(bc_core::paths::plain), other.canonicalize().map(bc_core::paths::plain)) {
        (Ok(one), Ok(other)) => bc_core::paths::same(&one, &other),
        _ => bc_core::paths::same(one, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixture::Sandbox, worktree::WorktreeBranch};

    fn name(text: &str) -> BranchName {
        text.parse().unwrap()
    }

    #[test]
    fn a_moved_worktree_is_found_among_its_siblings() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let folder = repo.worktree_folder().unwrap();
        let path = sandbox.worktree_path(&name("a"));
        repo.worktree_add(&path, WorktreeBranch::New { name: &name("a"), base: "HEAD" }).unwrap();
        let other = sandbox.worktree_path(&name("b"));
        repo.worktree_add(&other, WorktreeBranch::New { name: &name("b"), base: "HEAD" }).unwrap();
        sandbox.write("../project-worktrees/bait/.git", "gitdir: /nowhere\n");
        let moved = folder.join("elsewhere");
        std::fs::rename(&path, &moved).unwrap();
        assert_eq!(repo.worktree_moved_to(&path, std::slice::from_ref(&folder)), Some(moved.clone()));
        repo.worktree_repair(&moved).unwrap();
        assert!(repo.worktree_list().unwrap().iter().any(|tree| tree.path == moved));
        std::fs::remove_dir_all(&other).unwrap();
        assert_eq!(repo.worktree_moved_to(&other, &[folder]), None);
    }

    #[test]
    fn ignored_paths_are_recognized_for_any_name_and_without_a_file() {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".gitignore", "trees/\n.env\n:(top)x\n");
        let ignored = |path: &str| sandbox.repo().is_ignored(Path::new(path)).unwrap();
        assert!(ignored("trees/x") && ignored(".env") && ignored("a/.env") && ignored(":(top)x"));
        assert!(
            !ignored("tree") && !ignored("*") && !ignored("-q") && !ignored(":/x") && !ignored("README.md")
        );
        let whole = sandbox.root().join(".env");
        assert!(sandbox.repo().is_ignored(&whole).unwrap());
        assert!(sandbox.repo().is_ignored(Path::new("../outside")).is_err());
    }

    #[test]
    fn branches_that_differ_only_in_case_get_distinct_folders() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let path = sandbox.worktree_path(&name("Fix"));
        repo.worktree_add(&path, WorktreeBranch::New { name: &name("Fix"), base: "HEAD" }).unwrap();
        assert!(sandbox.worktree_path(&name("fix")).ends_with("fix-2"));
    }

    #[test]
    fn a_branch_is_removed_only_if_it_is_unchanged() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let head = repo.head().unwrap().commit.unwrap();
        repo.create_branch(&name("x"), "HEAD").unwrap();
        assert!(repo.branch_delete_at(&name("x"), &"0".repeat(40).replace('0', "1")).is_err());
        assert!(repo.branch_delete_at(&name("main"), &head).is_err(), "it is checked out");
        repo.branch_delete_at(&name("x"), &head).unwrap();
        assert!(!repo.branch_exists(&name("x")).unwrap());
    }
}
