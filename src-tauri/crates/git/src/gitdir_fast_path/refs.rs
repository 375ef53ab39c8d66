//! Reads a repository's HEAD, branches and worktrees from files, without running git. The start of a session
//! needs them several times.
//!
//! Invariant: the answers equal git's. References that are not stored as files, and unusual content, are left
//! to git. The existence of a referenced commit is not checked: a command that uses a missing one fails.

use crate::{
    head::Head,
    program::{line, path_from},
};
use bc_core::paths::alike;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The git folders of a working tree, for reading git's files.
#[derive(Debug, Clone)]
pub(crate) struct GitdirState {
    /// The git folder of this working tree.
    own: PathBuf,
    /// The git folder that all worktrees share.
    common: PathBuf,
    /// Whether references are stored as files.
    references: bool,
}

/// The content of a reference's file.
enum RefValue {
    Commit(String),
    Branch(String),
}

impl GitdirState {
    /// The state of a working tree of a repository with this configuration, which is in lower case.
    pub(crate) fn of(config: String, common: PathBuf, own: PathBuf) -> GitdirState {
        let references = !config.contains("refstorage");
        GitdirState { own, common, references }
    }

    /// The state of another working tree of the same repository, with this git folder.
    pub(crate) fn of_tree(&self, own: PathBuf) -> GitdirState {
        GitdirState { own, ..self.clone() }
    }

    /// The checked-out branch or commit; `None` if git must be run.
    pub(crate) fn head(&self) -> Option<Head> {
        match self.read_ref(&self.own.join("HEAD")).ok()?? {
            RefValue::Commit(commit) => Some(Head { branch: None, commit: Some(commit) }),
            RefValue::Branch(name) => {
                let commit = self.branch(&name)?;
                Some(Head { branch: Some(name.parse().ok()?), commit })
            }
        }
    }

    /// The path of HEAD's reflog, which exists only if reflogs are enabled.
    pub(crate) fn log_of_head(&self) -> PathBuf {
        self.own.join("logs/HEAD")
    }

    /// The commit of `HEAD` or of `refs/heads/…`; `Some(None)` if it does not exist, `None` if git must be
    /// run.
    pub(crate) fn commit(&self, revision: &str) -> Option<Option<String>> {
        match revision {
            "HEAD" => self.head().map(|head| head.commit),
            full => self.branch(full.strip_prefix("refs/heads/")?),
        }
    }

    /// Whether the repository is on a file system that ignores the case of names. Git performs this test in
    /// the same way.
    pub(crate) fn ignores_case(&self) -> bool {
        self.common.join("CoNfIg").exists()
    }

    /// The names of the branches that differ from this one at most by case and Unicode normalization; `None`
    /// if git must be run.
    pub(crate) fn alike(&self, branch: &str) -> Option<Vec<String>> {
        if !self.references {
            return None;
        }
        let mut found = vec![String::new()];
        let mut parts = branch.split('/').peekable();
        while let Some(part) = parts.next() {
            let mut next = Vec::new();
            for folder in found {
                for entry in fs::read_dir(self.common.join("refs/heads").join(&folder)).into_iter().flatten()
                {
                    let entry = entry.ok()?;
                    let Ok(name) = entry.file_name().into_string() else { continue };
                    let is_folder = entry.file_type().ok()?.is_dir();
                    if is_folder == parts.peek().is_some() && alike(&name, part) {
                        next.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
                    }
                }
            }
            found = next;
        }
        let packed = match fs::read_to_string(self.common.join("packed-refs")) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(_) => return None,
        };
        let packed = packed.lines().filter_map(|line| line.split_once(" refs/heads/")).map(|(_, name)| name);
        for name in packed.filter(|name| alike(name, branch)) {
            if !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
        Some(found)
    }

    /// The folders and branches of the linked worktrees; `None` if git must be run.
    pub(crate) fn linked(&self) -> Option<Vec<(PathBuf, Option<String>)>> {
        let entries = match fs::read_dir(self.common.join("worktrees")) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Vec::new()),
            Err(_) => return None,
        };
        let mut trees = Vec::new();
        for entry in entries {
            let own = entry.ok()?.path();
            let content = match fs::read(own.join("gitdir")) {
                Ok(content) => content,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
                Err(_) => return None,
            };
            // An unfinished worktree, which git skips as well.
            if content.is_empty() {
                continue;
            }
            let place = path_from(line(&content));
            if !place.is_absolute() {
                return None;
            }
            let branch = match self.read_ref(&own.join("HEAD")) {
                Ok(value) => match value? {
                    RefValue::Branch(name) => Some(name),
                    RefValue::Commit(_) => None,
                },
                // The worktree is being created: git writes HEAD after the path.
                Err(NoFile) => None,
            };
            trees.push((place.parent()?.to_owned(), branch));
        }
        Some(trees)
    }

    fn branch(&self, name: &str) -> Option<Option<String>> {
        // Only a valid branch name is safe as a path: any other text may lead out of the folder.
        let name: bc_core::ids::BranchName = name.parse().ok()?;
        let full = format!("refs/heads/{name}");
        match self.read_ref(&self.common.join(&full)) {
            Ok(value) => match value? {
                RefValue::Commit(commit) => Some(Some(commit)),
                RefValue::Branch(_) => None,
            },
            // A branch that git has packed is only in the common file of packed references.
            Err(_) => self.packed(&full),
        }
    }

    fn packed(&self, full: &str) -> Option<Option<String>> {
        let bytes = match fs::read(self.common.join("packed-refs")) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(None),
            Err(_) => return None,
        };
        let named = |line: &&[u8]| {
            let (hash, name) = line.split_at_checked(line.iter().position(|&byte| byte == b' ')?)?;
            (&name[1..] == full.as_bytes()).then(|| hash_of(hash))
        };
        match bytes.split(|&byte| byte == b'\n').find_map(|line| named(&line)) {
            Some(hash) => hash.map(Some),
            None => Some(None),
        }
    }

    /// The content of a reference's file; `None` if git must be run. Fails if the file does not exist, or is a folder.
    fn read_ref(&self, file: &Path) -> Result<Option<RefValue>, NoFile> {
        if !self.references {
            return Ok(None);
        }
        let found = match fs::symlink_metadata(file) {
            Ok(found) if found.is_dir() => return Err(NoFile),
            Ok(found) => found,
            Err(error) => {
                // If a branch `feat` exists, the parent of `feat/x` is a file, not a folder.
                let none = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
                return if none { Err(NoFile) } else { Ok(None) };
            }
        };
        // In old repositories, references may be symbolic links.
        if !found.is_file() {
            return Ok(None);
        }
        let Ok(bytes) = fs::read(file) else { return Ok(None) };
        let text = line(&bytes);
        let branch = |full: &[u8]| {
            let name = std::str::from_utf8(full.strip_prefix(b"refs/heads/")?).ok()?;
            // Repositories with another reference format have this placeholder.
            (name != ".invalid").then(|| RefValue::Branch(name.to_owned()))
        };
        Ok(match text.strip_prefix(b"ref: ") {
            Some(full) => branch(full),
            None => hash_of(text).map(RefValue::Commit),
        })
    }
}

struct NoFile;

fn hash_of(bytes: &[u8]) -> Option<String> {
    let whole =
        matches!(bytes.len(), 40 | 64) && bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    whole.then(|| String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use crate::{Git, Repo, fixture::Sandbox};

    /// The repository, with a git that cannot run.
    fn without_git(sandbox: &Sandbox) -> Repo {
        Repo::discover_with(Git::at("/no/such/git"), sandbox.root()).unwrap()
    }

    fn asked(sandbox: &Sandbox, revision: &str) -> Option<String> {
        let done = sandbox.run_any(&["rev-parse", "--verify", "--quiet", revision]);
        done.ok().then(|| done.out().trim().to_owned())
    }

    #[test]
    fn branches_that_differ_by_case_are_found_among_files_and_packed_ones() {
        let sandbox = Sandbox::with_commit();
        for branch in ["Feat/One", "feat/ONE", "feat/one-more", "packed/Gr\u{f6}n"] {
            sandbox.run(&["branch", branch]);
        }
        sandbox.run(&["pack-refs", "--all"]);
        sandbox.run(&["branch", "FEAT/one"]);
        let repo = without_git(&sandbox);
        let alike = |name: &str| {
            let mut names = repo.alike(&name.parse().unwrap()).unwrap();
            names.sort();
            names
        };
        assert_eq!(alike("feat/one"), ["FEAT/one", "Feat/One", "feat/ONE"]);
        assert_eq!(alike("PACKED/gro\u{308}n"), ["packed/Gr\u{f6}n"]);
        assert_eq!(alike("feat"), [""; 0]);
    }

    #[test]
    fn the_checked_out_branch_matches_git() {
        let sandbox = Sandbox::new();
        let unborn = without_git(&sandbox).head().unwrap();
        assert_eq!((unborn.branch.unwrap().as_str(), unborn.commit), ("main", None));
        sandbox.write("a", "1");
        sandbox.commit("first");
        let born = without_git(&sandbox).head().unwrap();
        assert_eq!((born.branch.unwrap().as_str(), born.commit), ("main", asked(&sandbox, "HEAD")));
        sandbox.run(&["checkout", "-q", "--detach"]);
        let detached = without_git(&sandbox).head().unwrap();
        assert_eq!((detached.branch, detached.commit), (None, asked(&sandbox, "HEAD")));
    }

    #[test]
    fn loose_packed_and_missing_branches_match_git() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["branch", "feat/packed"]);
        sandbox.run(&["branch", "moved"]);
        sandbox.run(&["pack-refs", "--all", "--prune"]);
        sandbox.write("a", "1");
        sandbox.commit("second");
        sandbox.run(&["branch", "-f", "moved"]);
        sandbox.run(&["branch", "loose"]);
        let repo = without_git(&sandbox);
        for name in ["feat/packed", "moved", "loose", "main", "feat", "feat/packed/below", "none", "loose/x"]
        {
            let branch = name.parse().unwrap();
            let said = asked(&sandbox, &format!("refs/heads/{name}"));
            assert_eq!(repo.tip(&branch).unwrap(), said, "{name}");
            assert_eq!(repo.branch_exists(&branch).unwrap(), said.is_some(), "{name}");
        }
        assert_ne!(asked(&sandbox, "refs/heads/moved"), asked(&sandbox, "refs/heads/feat/packed"));
    }

    #[test]
    fn a_linked_worktree_has_its_own_head_and_shared_branches() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
        let tree = without_git(&sandbox).at(sandbox.root().join("../linked")).unwrap();
        assert_eq!(tree.head().unwrap().branch.unwrap().as_str(), "other");
        assert_eq!(tree.tip(&"main".parse().unwrap()).unwrap(), asked(&sandbox, "main"));
        let linked = || tree.fast_path().unwrap().linked().unwrap();
        let whole = [(tree.top_level().to_owned(), Some("other".to_owned()))];
        assert_eq!(linked(), whole);
        // An unfinished worktree.
        sandbox.write(".git/worktrees/new/locked", "initializing\n");
        assert_eq!(linked(), whole);
        sandbox.write(".git/worktrees/new/gitdir", "");
        assert_eq!(linked(), whole);
        sandbox.write(".git/worktrees/new/gitdir", "/new/.git\n");
        let new = ("/new".into(), None);
        assert!(linked().contains(&whole[0]) && linked().contains(&new) && linked().len() == 2);
    }

    #[test]
    fn unusual_references_are_left_to_git() {
        let sandbox = Sandbox::with_commit();
        let needs_git = || without_git(&sandbox).head().is_err();
        assert!(!needs_git());
        let head = std::fs::read_to_string(sandbox.root().join(".git/HEAD")).unwrap();
        for odd in ["ref: refs/heads/.invalid\n", "ref: refs/elsewhere\n", "0123\n", ""] {
            sandbox.write(".git/HEAD", odd);
            assert!(needs_git(), "{odd:?}");
        }
        sandbox.write(".git/HEAD", &head);
        assert!(!needs_git());
        sandbox.run(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
        assert!(without_git(&sandbox).tip(&"alias".parse().unwrap()).is_err(), "it refers to another branch");
        let config = std::fs::read_to_string(sandbox.root().join(".git/config")).unwrap();
        sandbox.write(".git/config", &format!("{config}[extensions]\n\trefStorage = other\n"));
        assert!(needs_git(), "its references are not files");
    }
}
