//! Linked worktrees: further working trees of the repository, by default in a folder next to it.

use crate::{
    error::GitError,
    gitdir_fast_path::refs::GitdirState,
    program::{path_from, refusal},
    repo::Repo,
};
use bc_core::ids::BranchName;
use bc_process::run::Finished;
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// The maximum length of a folder name in bytes. File systems allow 255.
const NAME_BYTES: usize = 120;

/// One working tree of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    pub path: PathBuf,
    /// Whether it is the main tree.
    pub main: bool,
    /// Its branch; `None` if HEAD is detached, or if our rules refuse the branch name.
    pub branch: Option<BranchName>,
    /// Its commit; `None` before the first commit.
    pub commit: Option<String>,
    /// Whether the user locked it against removal.
    pub locked: bool,
}

/// The branch that a new worktree checks out.
#[derive(Debug, Clone, Copy)]
pub enum WorktreeBranch<'a> {
    Existing(&'a BranchName),
    /// A branch that was just created for the worktree.
    Made(&'a BranchName),
    New {
        name: &'a BranchName,
        /// The revision from which the branch starts.
        base: &'a str,
    },
}

/// Number and interval of attempts while another git process creates or removes a worktree.
const TRIES: u32 = 100;
const AGAIN: Duration = Duration::from_millis(10);

/// Whether git failed on incomplete worktree data. Another process may still be writing or removing it, so
/// the caller retries.
fn is_half_made(done: &Finished) -> bool {
    done.code != Some(0) && done.err().contains("failed to read ") && done.err().contains("worktrees/")
}

impl Repo {
    /// All working trees, the main one first, including those whose folder no longer exists.
    pub fn worktree_list(&self) -> Result<Vec<Worktree>, GitError> {
        const DOING: &str = "list worktrees";
        let list = ["worktree", "list", "--porcelain"];
        let mut tries = 0;
        let done = loop {
            let done = self.git.ask(DOING, self.main_root(), list.into_iter().chain(["-z"]))?;
            tries += 1;
            if tries == TRIES || !is_half_made(&done) {
                break done;
            }
            thread::sleep(AGAIN);
        };
        // Git before 2.36 does not support `-z` for this command (exit code 129: usage).
        let (bytes, end) = match done.code {
            Some(0) => (done.stdout, 0),
            Some(129) => (self.git.read(DOING, self.main_root(), list)?.stdout, b'\n'),
            _ => return Err(refusal(DOING, self.main_root(), &done)),
        };
        let mut trees = parse(&bytes, end);
        // For a submodule, or a repository with a separate git folder, git lists the git folder as the main
        // tree.
        if let Some(main) = trees.first_mut().filter(|tree| tree.main && !tree.path.join(".git").exists()) {
            main.path = self.main_root().to_owned();
        }
        Ok(trees)
    }

    /// The folder of the linked worktree that has this branch checked out, even if the folder no longer
    /// exists.
    pub fn worktree_of(&self, branch: &BranchName) -> Result<Option<PathBuf>, GitError> {
        let has = |(_, found): &(PathBuf, Option<String>)| found.as_deref() == Some(branch.as_str());
        Ok(self.linked_trees()?.into_iter().find(has).map(|(path, _)| path))
    }

    /// The linked worktrees' folders and branches.
    pub(crate) fn linked_trees(&self) -> Result<Vec<(PathBuf, Option<String>)>, GitError> {
        if let Some(trees) = self.fast_path().and_then(GitdirState::linked) {
            return Ok(trees);
        }
        let linked = self.worktree_list()?.into_iter().filter(|tree| !tree.main);
        Ok(linked.map(|tree| (tree.path, tree.branch.map(String::from))).collect())
    }

    /// Creates a worktree in a new folder. Hooks do not run; submodules are not initialized.
    pub fn worktree_add(&self, path: &Path, branch: WorktreeBranch<'_>) -> Result<(), GitError> {
        const DOING: &str = "add a worktree";
        let path = self.main_root().join(path);
        if path.symlink_metadata().is_ok() {
            return Err(GitError::PathTaken { path });
        }
        let mut args: Vec<OsString> = vec!["worktree".into(), "add".into()];
        match branch {
            WorktreeBranch::Existing(name) => {
                if !self.branch_exists(name)? {
                    let path = self.main_root().to_owned();
                    return Err(GitError::NoSuchBranch { branch: name.clone(), path });
                }
                self.refuse_checked_out(name)?;
                args.extend(["--".into(), path.as_os_str().to_owned(), name.as_str().into()]);
            }
            // The branch was just created, so our own checks are skipped. Git still refuses a branch that is
            // checked out elsewhere.
            WorktreeBranch::Made(name) => {
                args.extend(["--".into(), path.as_os_str().to_owned(), name.as_str().into()]);
            }
            WorktreeBranch::New { name, base } => {
                let base = self.commit(base)?;
                args.extend(["-b".into(), name.as_str().into(), "--".into()]);
                args.extend([path.as_os_str().to_owned(), base.into()]);
            }
        }
        let done = self.git.change(DOING, self.main_root(), args)?;
        if done.ok() {
            return Ok(());
        }
        // If the branch name is taken, git created nothing. Our error names the conflicting branch.
        let taken = ["a branch named", "cannot lock ref"].iter().any(|words| done.err().contains(words));
        if let WorktreeBranch::New { name, .. } = branch
            && taken
        {
            self.refuse_taken(name)?;
        }
        Err(refusal(DOING, self.main_root(), &done))
    }

    /// Recreates the missing folder of a worktree that the repository still lists. Fails if the folder exists, if the
    /// worktree is locked, or if another worktree has the branch checked out.
    pub fn worktree_add_again(&self, path: &Path, branch: &BranchName) -> Result<(), GitError> {
        let path = self.main_root().join(path);
        let known = self.worktree_list()?;
        let Some(tree) = known.iter().find(|t| !t.main && t.path == path) else {
            return Err(self.not_a_worktree(&path));
        };
        if path.symlink_metadata().is_ok() {
            return Err(GitError::PathTaken { path });
        }
        if tree.locked {
            return Err(GitError::WorktreeLocked { path });
        }
        // `-f` lets git use the known path, but also skips git's check of the branch, so check the branch
        // first.
        if tree.branch.as_ref() != Some(branch) {
            self.refuse_checked_out(branch)?;
        }
        let args = ["worktree", "add", "-f", "--"].map(OsStr::new);
        let args = args.into_iter().chain([path.as_os_str(), branch.as_str().as_ref()]);
        self.git.execute("recreate a worktree", self.main_root(), args)
    }

    /// Reconnects a linked worktree with its repository after one of them was moved.
    pub fn worktree_repair(&self, path: &Path) -> Result<(), GitError> {
        let args = ["worktree", "repair", "--"].map(OsStr::new).into_iter().chain([path.as_os_str()]);
        self.git.execute("reconnect a worktree", self.main_root(), args)
    }

    /// Removes a linked worktree and its folder. Refused while it is locked or has uncommitted or untracked
    /// files (the tracker's included); ignored files are deleted. Its branch is kept.
    pub fn worktree_remove(&self, path: &Path) -> Result<(), GitError> {
        const DOING: &str = "remove a worktree";
        let tree = self.linked(path)?;
        let args = ["worktree", "remove", "--"].map(OsStr::new).into_iter().chain([tree.path.as_os_str()]);
        let done = self.git.change(DOING, self.main_root(), args)?;
        if done.ok() {
            return Ok(());
        }
        if done.err().contains("contains modified or untracked files") {
            let status = self.at(&tree.path)?.status()?;
            let changed = status.changed.into_iter().map(|file| file.path);
            let files: Vec<_> = changed.chain(status.untracked).collect();
            let files = if files.is_empty() { vec![".beads".into()] } else { files };
            return Err(GitError::WorktreeNotClean { path: tree.path, files });
        }
        Err(refusal(DOING, self.main_root(), &done))
    }

    /// Removes a linked worktree with all its content, without checks for changes; the caller is responsible
    /// for the user's consent. Fails if the worktree is locked.
    pub fn worktree_remove_whole(&self, path: &Path) -> Result<(), GitError> {
        let tree = self.linked(path)?;
        let args = ["worktree", "remove", "--force", "--"].map(OsStr::new);
        let args = args.into_iter().chain([tree.path.as_os_str()]);
        self.git.execute("remove a worktree", self.main_root(), args)
    }

    /// The linked worktree at this path, unless the user locked it.
    fn linked(&self, path: &Path) -> Result<Worktree, GitError> {
        let path = self.main_root().join(path);
        let real = path.canonicalize().map(bc_core::paths::plain).unwrap_or_else(|_| path.clone());
        let known = self.worktree_list()?;
        let found = known.into_iter().find(|t| !t.main && (t.path == path || t.path == real));
        match found {
            None => Err(self.not_a_worktree(&path)),
            Some(tree) if tree.locked => Err(GitError::WorktreeLocked { path }),
            Some(tree) => Ok(tree),
        }
    }
}

/// Converts a branch name to one folder name that is valid on every file system.
pub(crate) fn folder_name(branch: &BranchName) -> String {
    let mut name: String = branch
        .as_str()
        .chars()
        .map(|c| if matches!(c, '/' | '<' | '>' | '"' | '|' | '\'' | '`' | '$') { '-' } else { c })
        .collect();
    let end = (0..=NAME_BYTES.min(name.len())).rev().find(|&i| name.is_char_boundary(i)).unwrap_or(0);
    name.truncate(end);
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    if bc_core::paths::is_reserved(&name) { format!("branch-{name}") } else { name }
}

/// Parses git's list: `key value` lines that each end with the byte `end`, and an empty line after each tree.
fn parse(bytes: &[u8], end: u8) -> Vec<Worktree> {
    let mut trees: Vec<Worktree> = Vec::new();
    let mut bare = false;
    for line in bytes.split(|&b| b == end) {
        if let Some(path) = line.strip_prefix(b"worktree ") {
            let main = trees.is_empty() && !bare;
            trees.push(Worktree { path: path_from(path), main, branch: None, commit: None, locked: false });
            continue;
        }
        let Some(tree) = trees.last_mut() else { continue };
        let text = String::from_utf8_lossy(line);
        if let Some(hash) = text.strip_prefix("HEAD ") {
            tree.commit = Some(hash.to_owned()).filter(|hash| hash.bytes().any(|b| b != b'0'));
        } else if let Some(full) = text.strip_prefix("branch ") {
            tree.branch = full.strip_prefix("refs/heads/").and_then(|name| name.parse().ok());
        } else if text == "locked" || text.starts_with("locked ") {
            tree.locked = true;
        } else if text == "bare" {
            // A bare repository has no main tree.
            trees.pop();
            bare = true;
        }
    }
    trees
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    fn name(text: &str) -> BranchName {
        text.parse().unwrap()
    }

    #[test]
    fn a_taken_name_is_reported_and_nothing_is_created() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["branch", "feat/x"]);
        let add = |branch: &str| {
            let name = branch.parse().unwrap();
            let new = WorktreeBranch::New { name: &name, base: "HEAD" };
            sandbox.repo().worktree_add(Path::new("../linked"), new).unwrap_err()
        };
        assert!(matches!(add("feat/x"), GitError::BranchExists { .. }));
        for in_the_way in ["feat", "feat/x/y"] {
            let error = add(in_the_way);
            assert!(
                matches!(&error, GitError::BranchConflict { existing, .. } if existing == "feat/x"),
                "{error}"
            );
        }
        assert!(!sandbox.root().join("../linked").exists());
        assert_eq!(sandbox.repo().worktree_list().unwrap().len(), 1);
    }

    #[test]
    fn an_unfinished_worktree_is_waited_for_and_a_broken_one_reported() {
        let sandbox = Sandbox::with_commit();
        let (repo, branch) = (sandbox.repo(), name("x"));
        let path = sandbox.worktree_path(&branch);
        repo.worktree_add(&path, WorktreeBranch::New { name: &branch, base: "HEAD" }).unwrap();
        let half = ".git/worktrees/x/commondir";
        sandbox.write(half, "");
        let error = repo.worktree_list().unwrap_err();
        assert!(error.to_string().contains("commondir"), "{error}");
        let trees = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(AGAIN * 3);
                sandbox.write(half, "../..\n");
            });
            repo.worktree_list()
        });
        assert_eq!(trees.unwrap().len(), 2);
    }

    #[test]
    fn a_worktree_for_a_new_branch_is_beside_the_repository() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let branch = name("feat/bc-1-login");
        let path = sandbox.worktree_path(&branch);
        assert_eq!(path, sandbox.root().parent().unwrap().join("project-worktrees/feat-bc-1-login"));
        repo.worktree_add(&path, WorktreeBranch::New { name: &branch, base: "HEAD" }).unwrap();
        assert!(path.join("README.md").is_file());
        let trees = repo.worktree_list().unwrap();
        assert_eq!(trees.len(), 2);
        assert_eq!((trees[0].main, trees[0].path.as_path()), (true, sandbox.root()));
        assert_eq!((trees[1].main, trees[1].branch.as_ref()), (false, Some(&branch)));
        assert_eq!(trees[1].commit, repo.head().unwrap().commit);
    }

    #[test]
    fn a_taken_folder_gets_a_number() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let first = sandbox.worktree_path(&name("a/b"));
        std::fs::create_dir_all(&first).unwrap();
        assert!(sandbox.worktree_path(&name("a/b")).ends_with("project-worktrees/a-b-2"));
        let error =
            repo.worktree_add(&first, WorktreeBranch::New { name: &name("a/b"), base: "HEAD" }).unwrap_err();
        assert!(matches!(error, GitError::PathTaken { .. }), "{error}");
    }

    #[test]
    fn a_worktree_with_a_missing_folder_is_recreated_in_place() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let place = sandbox.root().join("../w");
        repo.worktree_add(&place, WorktreeBranch::New { name: &name("a"), base: "HEAD" }).unwrap();
        let place = place.canonicalize().map(bc_core::paths::plain).unwrap();
        let taken = repo.worktree_add_again(&place, &name("a")).unwrap_err();
        assert!(matches!(taken, GitError::PathTaken { .. }), "{taken}");
        std::fs::remove_dir_all(&place).unwrap();
        let other = repo.worktree_add_again(&place, &name("main")).unwrap_err();
        assert!(matches!(other, GitError::BranchInUse { .. }), "{other}");
        repo.worktree_add_again(&place, &name("a")).unwrap();
        assert_eq!(repo.at(&place).unwrap().head().unwrap().branch, Some(name("a")));
        let unknown = repo.worktree_add_again(&place.join("../x"), &name("a")).unwrap_err();
        assert!(matches!(unknown, GitError::NotAWorktree { .. }), "{unknown}");
    }

    #[test]
    fn a_worktree_is_connected_again_when_its_repository_was_moved() {
        let sandbox = Sandbox::with_commit();
        let place = sandbox.root().join("../w");
        sandbox.repo().worktree_add(&place, WorktreeBranch::New { name: &name("a"), base: "HEAD" }).unwrap();
        let place = place.canonicalize().map(bc_core::paths::plain).unwrap();
        let moved = sandbox.root().with_file_name("moved");
        std::fs::rename(sandbox.root(), &moved).unwrap();
        let repo = Repo::discover_with(sandbox.git(), &moved).unwrap();
        assert!(repo.at(&place).is_err(), "it still refers to the old folder");
        repo.worktree_repair(&place).unwrap();
        assert_eq!(repo.at(&place).unwrap().main_root(), repo.main_root());
    }

    #[test]
    fn the_folder_name_is_valid_on_all_file_systems() {
        assert_eq!(folder_name(&name("feat/a<b>\"c\"|d")), "feat-a-b--c--d");
        let long = folder_name(&name(&"ö".repeat(90)));
        assert_eq!(long, "ö".repeat(60));
        let others =
            ["con", "NUL.txt", "x./y", &format!("{}.z", "a".repeat(119))].map(|n| folder_name(&name(n)));
        assert_eq!(others, ["branch-con", "branch-NUL.txt", "x.-y", &"a".repeat(119)]);
    }

    #[test]
    fn a_worktree_uses_an_existing_branch_unless_it_is_in_use() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let missing =
            repo.worktree_add(Path::new("../w"), WorktreeBranch::Existing(&name("other"))).unwrap_err();
        assert!(matches!(missing, GitError::NoSuchBranch { .. }), "{missing}");
        repo.create_branch(&name("other"), "HEAD").unwrap();
        repo.worktree_add(Path::new("../w"), WorktreeBranch::Existing(&name("other"))).unwrap();
        let error =
            repo.worktree_add(Path::new("../w2"), WorktreeBranch::Existing(&name("other"))).unwrap_err();
        assert!(
            matches!(&error, GitError::BranchInUse { worktree, .. } if worktree.ends_with("w")),
            "{error}"
        );
        let error =
            repo.worktree_add(Path::new("../w2"), WorktreeBranch::Existing(&name("main"))).unwrap_err();
        assert!(
            matches!(&error, GitError::BranchInUse { worktree, .. } if worktree == sandbox.root()),
            "{error}"
        );
    }

    #[test]
    fn a_worktree_without_a_commit_is_refused() {
        let branch = name("x");
        let new = WorktreeBranch::New { name: &branch, base: "HEAD" };
        let error = Sandbox::new().repo().worktree_add(Path::new("../w"), new).unwrap_err();
        assert!(matches!(error, GitError::NoCommits { .. }), "{error}");
    }

    #[test]
    fn worktrees_work_in_folders_with_awkward_names() {
        for odd in ["-with dash", "quo\"te's", "größe", "line\nbreak"] {
            let sandbox = Sandbox::named(odd);
            sandbox.commit("first");
            let repo = sandbox.repo();
            let path = sandbox.worktree_path(&name("b"));
            repo.worktree_add(&path, WorktreeBranch::New { name: &name("b"), base: "HEAD" }).unwrap();
            assert_eq!(repo.worktree_list().unwrap()[1].path, path, "{odd:?}");
            assert_eq!(repo.at(&path).unwrap().main_root(), sandbox.root());
            repo.worktree_remove(&path).unwrap();
            assert!(!path.exists());
        }
    }

    #[test]
    fn only_a_clean_unlocked_linked_worktree_is_removed() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let path = sandbox.worktree_path(&name("b"));
        repo.worktree_add(&path, WorktreeBranch::New { name: &name("b"), base: "HEAD" }).unwrap();
        for not_one in [sandbox.root(), Path::new("/nowhere")] {
            let error = repo.worktree_remove(not_one).unwrap_err();
            assert!(matches!(error, GitError::NotAWorktree { .. }), "{error}");
        }
        sandbox.write("../project-worktrees/b/notes", "mine");
        let error = repo.worktree_remove(&path).unwrap_err();
        assert!(
            matches!(&error, GitError::WorktreeNotClean { files, .. } if files == &[PathBuf::from("notes")]),
            "{error}"
        );
        std::fs::remove_file(path.join("notes")).unwrap();
        sandbox.run(&["worktree", "lock", path.to_str().unwrap()]);
        let error = repo.worktree_remove(&path).unwrap_err();
        assert!(matches!(error, GitError::WorktreeLocked { .. }), "{error}");
        sandbox.run(&["worktree", "unlock", path.to_str().unwrap()]);
        repo.worktree_remove(&path).unwrap();
        assert!(repo.branch_exists(&name("b")).unwrap());
    }

    #[test]
    fn lists_are_read_with_either_line_ending() {
        let list = b"worktree /a\nHEAD 1f\nbranch refs/heads/main\n\nworktree /b\nHEAD 0000\ndetached\nlocked why\n\n";
        let trees = parse(list, b'\n');
        let with_nul: Vec<u8> = list.iter().map(|&b| if b == b'\n' { 0 } else { b }).collect();
        assert_eq!(trees, parse(&with_nul, 0));
        assert_eq!((trees[1].locked, trees[1].commit.as_deref(), trees[1].main), (true, None, false));
    }

    #[test]
    fn a_bare_repository_has_no_main_tree_in_its_list() {
        let trees = parse(b"worktree /a\nbare\n\nworktree /b\nHEAD 1f\ndetached\n\n", b'\n');
        assert_eq!((trees.len(), trees[0].main), (1, false));
    }
}
