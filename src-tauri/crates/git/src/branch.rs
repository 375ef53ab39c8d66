//! Branches: names, creation, and switching a working tree.

use crate::{
    error::GitError,
    program::{Git, line, path_from, refusal, succeeded},
    repo::Repo,
};
use bc_core::ids::{BranchName, InvalidId};
use bc_process::run::Finished;
use std::path::PathBuf;

impl Git {
    /// Checks by our rules and by git's whether a branch may have this name. Needs no repository. Shorthands such
    /// as `@{-1}` are refused.
    pub fn check_branch_name(&self, name: &str) -> Result<BranchName, GitError> {
        let invalid = |why| GitError::InvalidBranch {
            source: InvalidId { kind: "branch name", text: name.chars().take(80).collect(), why },
        };
        if name.contains('\0') {
            return Err(invalid("it must not contain control characters"));
        }
        // Our own rules first: their errors name the broken rule.
        let branch = name.parse().map_err(|source| GitError::InvalidBranch { source })?;
        match self.accepts(name)? {
            true => Ok(branch),
            false => Err(invalid("git refuses it (`git help check-ref-format` has the rules)")),
        }
    }

    fn accepts(&self, name: &str) -> Result<bool, GitError> {
        let dir = std::env::temp_dir();
        let done = self.ask("check a branch name", &dir, ["check-ref-format", "--branch", name])?;
        Ok(done.ok() && line(&done.stdout) == name.as_bytes())
    }
}

impl Repo {
    /// Like [`Git::check_branch_name`], with this repository's git.
    pub fn check_branch_name(&self, name: &str) -> Result<BranchName, GitError> {
        self.git.check_branch_name(name)
    }

    /// Whether a local branch of this name exists.
    pub fn branch_exists(&self, branch: &BranchName) -> Result<bool, GitError> {
        let full = format!("refs/heads/{branch}");
        if let Some(files) = self.fast_path()
            && let Some(found) = files.commit(&full)
        {
            // On a file system that ignores case, the file may belong to a branch with another spelling.
            let is_other = || -> Result<bool, GitError> {
                Ok(files.ignores_case() && !self.alike(branch)?.iter().any(|name| name == branch.as_str()))
            };
            return Ok(found.is_some() && !is_other()?);
        }
        self.answers_yes("look for a branch", ["show-ref", "--verify", "--quiet", &full])
    }

    /// The names of the branches that differ from this one at most by case and Unicode normalization.
    pub(crate) fn alike(&self, branch: &BranchName) -> Result<Vec<String>, GitError> {
        if let Some(found) = self.fast_path().and_then(|files| files.alike(branch.as_str())) {
            return Ok(found);
        }
        let names = self.branch_names()?;
        Ok(names.into_iter().filter(|name| bc_core::paths::alike(name, branch.as_str())).collect())
    }

    /// Fails if a new branch could not exist on every system: because of its name, or because a similar
    /// branch exists.
    pub fn check_new_branch(&self, branch: &BranchName) -> Result<(), GitError> {
        if let Some(why) = branch.as_str().split('/').find_map(bc_core::paths::not_portable) {
            return Err(GitError::BranchNotPortable { branch: branch.clone(), why });
        }
        match self.alike(branch)?.into_iter().find(|name| name != branch.as_str()) {
            Some(existing) => Err(GitError::BranchAlike { branch: branch.clone(), existing }),
            None => Ok(()),
        }
    }

    fn branch_names(&self) -> Result<Vec<String>, GitError> {
        let args = ["for-each-ref", "--format=%(refname)", "refs/heads/"];
        let done = self.git.read("list branches", self.top_level(), args)?;
        Ok(done.out().lines().filter_map(|l| l.strip_prefix("refs/heads/")).map(str::to_owned).collect())
    }

    /// The commit of a local branch; `None` if the branch does not exist.
    pub fn tip(&self, branch: &BranchName) -> Result<Option<String>, GitError> {
        self.resolve(&format!("refs/heads/{branch}"))
    }

    /// Creates a branch at a commit. The working tree stays unchanged.
    pub fn create_branch(&self, branch: &BranchName, at: &str) -> Result<(), GitError> {
        let at = self.commit(at)?;
        self.refuse_taken(branch)?;
        let args = ["branch", "--no-track", branch.as_str(), &at];
        self.git.execute("make a branch", self.top_level(), args)
    }

    /// Creates several branches, each at its revision: either all or none. The working tree stays unchanged.
    pub fn create_branches(&self, branches: &[(&BranchName, &str)]) -> Result<(), GitError> {
        const DOING: &str = "make branches";
        let mut commands = String::new();
        for (branch, at) in branches {
            let at = self.commit(at)?;
            commands.push_str(&format!("create refs/heads/{branch} {at}\n"));
        }
        let args = ["update-ref", "-m", "branch: Created for a worktree", "--stdin"];
        let done = self.git.make(DOING, self.top_level(), &args, commands.as_bytes(), &[])?;
        succeeded(DOING, self.top_level(), done).map(drop)
    }

    /// Switches this working tree to an existing branch; does nothing if the branch is already checked out.
    /// Fails if the branch does not exist or is checked out elsewhere, if tracked files outside `.beads` have
    /// changes, or if the switch would overwrite files.
    pub fn switch_to(&self, branch: &BranchName) -> Result<(), GitError> {
        if self.head()?.branch.as_ref() == Some(branch) {
            return Ok(());
        }
        if !self.branch_exists(branch)? {
            return Err(GitError::NoSuchBranch { branch: branch.clone(), path: self.main_root().to_owned() });
        }
        self.refuse_checked_out(branch)?;
        let files = self.dirty_files()?;
        if !files.is_empty() {
            return Err(GitError::Dirty { path: self.top_level().to_owned(), files });
        }
        self.switch(branch, &["switch", "-q", "--no-guess", branch.as_str()])
    }

    /// Creates a branch at HEAD and switches this working tree to it. The tree does not change, so
    /// uncommitted work is kept. Works before the first commit, too.
    pub fn switch_to_new(&self, branch: &BranchName) -> Result<(), GitError> {
        self.refuse_taken(branch)?;
        self.switch(branch, &["switch", "-q", "--no-track", "-c", branch.as_str()])
    }

    fn switch(&self, branch: &BranchName, args: &[&str]) -> Result<(), GitError> {
        const DOING: &str = "switch branches";
        let done = self.git.change(DOING, self.top_level(), args)?;
        if done.ok() {
            return Ok(());
        }
        let files = overwritten(&done);
        Err(match files.is_empty() {
            true => refusal(DOING, self.top_level(), &done),
            false => GitError::WouldOverwrite { branch: branch.clone(), files },
        })
    }

    /// Fails if a branch has this name, or a name that conflicts with it.
    pub(crate) fn refuse_taken(&self, branch: &BranchName) -> Result<(), GitError> {
        let name = branch.as_str();
        for existing in self.branch_names()? {
            if existing == name {
                return Err(GitError::BranchExists { branch: branch.clone() });
            }
            let below =
                |long: &str, short: &str| long.strip_prefix(short).is_some_and(|r| r.starts_with('/'));
            if below(&existing, name) || below(name, &existing) {
                return Err(GitError::BranchConflict { branch: branch.clone(), existing });
            }
            if bc_core::paths::alike(&existing, name) {
                return Err(GitError::BranchAlike { branch: branch.clone(), existing });
            }
        }
        Ok(())
    }

    /// Fails if a working tree has this branch checked out.
    pub fn refuse_checked_out(&self, branch: &BranchName) -> Result<(), GitError> {
        let Some(tree) = self.worktree_list()?.into_iter().find(|t| t.branch.as_ref() == Some(branch)) else {
            return Ok(());
        };
        let (branch, worktree) = (branch.clone(), tree.path);
        Err(match worktree.is_dir() {
            true => GitError::BranchInUse { branch, worktree },
            false => GitError::BranchInLostWorktree { branch, worktree },
        })
    }
}

/// The files that a switch would overwrite: the indented lines of git's message.
fn overwritten(done: &Finished) -> Vec<PathBuf> {
    if !done.err().contains("would be overwritten by") {
        return Vec::new();
    }
    done.stderr.split(|&b| b == b'\n').filter_map(|l| l.strip_prefix(b"\t")).map(path_from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fixture::Sandbox, worktree::WorktreeBranch};

    fn name(text: &str) -> BranchName {
        text.parse().unwrap()
    }

    fn current(sandbox: &Sandbox) -> String {
        sandbox.repo().head().unwrap().branch.unwrap().to_string()
    }

    #[test]
    fn several_branches_are_created_together_or_none() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let [one, two, three] = ["one", "feat/two", "three"].map(name);
        repo.create_branches(&[(&one, "HEAD"), (&two, "HEAD")]).unwrap();
        let head = repo.head().unwrap().commit;
        assert!(head.is_some());
        assert_eq!([repo.tip(&one).unwrap(), repo.tip(&two).unwrap()], [head.clone(), head]);
        assert_eq!(current(&sandbox), "main");
        let taken = repo.create_branches(&[(&three, "HEAD"), (&two, "HEAD")]).unwrap_err();
        assert!(matches!(taken, GitError::Failed { .. }), "{taken}");
        assert_eq!(repo.tip(&three).unwrap(), None);
        let nowhere = repo.create_branches(&[(&three, "no-such-revision")]).unwrap_err();
        assert!(matches!(nowhere, GitError::NoSuchCommit { .. }), "{nowhere}");
        let log = sandbox.run_any(&["reflog", "show", "feat/two"]).out();
        assert!(log.contains("branch: Created"), "{log}");
        let place = sandbox.root().parent().unwrap().join("beside");
        repo.worktree_add(&place, crate::WorktreeBranch::Made(&two)).unwrap();
        assert_eq!(
            repo.worktree_of(&two).unwrap(),
            Some(place.canonicalize().map(bc_core::paths::plain).unwrap())
        );
    }

    #[test]
    fn git_decides_which_names_are_valid() {
        let git = Sandbox::new().git();
        for good in ["feat/BC-001-login", "größe", "a.b", "x@y"] {
            assert_eq!(git.check_branch_name(good).unwrap().as_str(), good);
        }
        for bad in ["", "-x", "a b", "a..b", "a~1", "x.lock", "@{-1}", "HEAD", "a\0b", "a//b", "/a", "a/"] {
            let error = git.check_branch_name(bad).unwrap_err();
            assert!(matches!(error, GitError::InvalidBranch { .. }), "{bad:?}: {error}");
        }
    }

    #[test]
    fn our_name_rules_agree_with_git() {
        let pieces = [
            "", "a", "/", ".", "..", "-", "@", "{", "@{", "HEAD", ".lock", "~", "^", ":", "?", "*", "[", "]",
            "\\", " ", "\t", "\u{7f}", "\u{1b}", "ö", "日本", "\u{a0}", "\u{202e}", "'", "\"", "$", "|",
        ];
        let git = Sandbox::new().git();
        let mut names: Vec<String> = pieces.iter().flat_map(|a| pieces.map(|b| format!("{a}{b}"))).collect();
        names.extend(
            pieces
                .iter()
                .flat_map(|p| [format!("a{p}a"), format!("a/{p}"), format!("{p}/a"), format!("a{p}/a")]),
        );
        names.extend(
            ["@{-1}", "@{u}", "refs/heads/a", "a.lock.b", "a.lock/b", "-", "--", "a@{b"].map(str::to_owned),
        );
        names.sort();
        names.dedup();
        // Git allows a branch named `@`, but reads `@` as HEAD wherever it expects a revision, so our rules
        // refuse the name.
        names.retain(|name| name != "@");
        for name in names {
            let ours = bc_core::ref_format::check_ref_format(&name);
            assert_eq!(ours.is_ok(), git.accepts(&name).unwrap(), "{name:?}: ours says {ours:?}");
        }
    }

    #[test]
    fn creating_a_branch_does_not_change_the_tree() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        assert!(!repo.branch_exists(&name("feat/x")).unwrap());
        repo.create_branch(&name("feat/x"), "HEAD").unwrap();
        assert!(repo.branch_exists(&name("feat/x")).unwrap());
        assert_eq!(current(&sandbox), "main");
    }

    #[test]
    fn existing_and_conflicting_names_are_refused() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        repo.create_branch(&name("feat/x"), "HEAD").unwrap();
        let error = repo.create_branch(&name("feat/x"), "HEAD").unwrap_err();
        assert!(matches!(error, GitError::BranchExists { .. }), "{error}");
        for in_the_way in ["feat", "feat/x/y"] {
            let error = repo.switch_to_new(&name(in_the_way)).unwrap_err();
            assert!(
                matches!(&error, GitError::BranchConflict { existing, .. } if existing == "feat/x"),
                "{error}"
            );
        }
    }

    #[test]
    fn before_the_first_commit_a_branch_can_only_be_switched_to() {
        let sandbox = Sandbox::new();
        let error = sandbox.repo().create_branch(&name("x"), "HEAD").unwrap_err();
        assert!(matches!(error, GitError::NoCommits { .. }), "{error}");
        sandbox.repo().switch_to_new(&name("x")).unwrap();
        assert_eq!(current(&sandbox), "x");
    }

    #[test]
    fn a_new_branch_carries_changes_along() {
        let sandbox = Sandbox::with_commit();
        sandbox.write("README.md", "edited");
        sandbox.write("new", "untracked");
        sandbox.repo().switch_to_new(&name("feat/x")).unwrap();
        assert_eq!(current(&sandbox), "feat/x");
        assert_eq!(sandbox.repo().dirty_files().unwrap(), [PathBuf::from("README.md")]);
    }

    #[test]
    fn a_switch_is_refused_while_tracked_files_have_changes() {
        let sandbox = Sandbox::with_commit();
        sandbox.repo().create_branch(&name("other"), "HEAD").unwrap();
        sandbox.write("README.md", "edited");
        let error = sandbox.repo().switch_to(&name("other")).unwrap_err();
        assert!(matches!(&error, GitError::Dirty { files, .. } if files == &[PathBuf::from("README.md")]));
        assert!(error.to_string().contains("README.md"), "{error}");
        assert_eq!(current(&sandbox), "main");
    }

    #[test]
    fn a_switch_goes_ahead_with_untracked_files_and_changed_beads() {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".beads/issues.jsonl", "{}");
        sandbox.commit("beads");
        sandbox.repo().create_branch(&name("other"), "HEAD").unwrap();
        sandbox.write(".beads/issues.jsonl", "{}{}");
        sandbox.write("notes", "mine");
        sandbox.repo().switch_to(&name("other")).unwrap();
        assert_eq!(current(&sandbox), "other");
        sandbox.repo().switch_to(&name("other")).unwrap();
    }

    #[test]
    fn a_switch_that_would_overwrite_files_names_them() {
        let sandbox = Sandbox::with_commit();
        sandbox.repo().switch_to_new(&name("other")).unwrap();
        sandbox.write("notes", "theirs");
        sandbox.commit("notes");
        sandbox.repo().switch_to(&name("main")).unwrap();
        sandbox.write("notes", "mine");
        let error = sandbox.repo().switch_to(&name("other")).unwrap_err();
        assert!(
            matches!(&error, GitError::WouldOverwrite { files, .. } if files == &[PathBuf::from("notes")]),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(sandbox.root().join("notes")).unwrap(), "mine");
    }

    #[test]
    fn a_switch_to_no_branch_or_to_one_in_use_elsewhere_is_refused() {
        let sandbox = Sandbox::with_commit();
        let error = sandbox.repo().switch_to(&name("other")).unwrap_err();
        assert!(matches!(error, GitError::NoSuchBranch { .. }), "{error}");
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
        let error = sandbox.repo().switch_to(&name("other")).unwrap_err();
        assert!(
            matches!(&error, GitError::BranchInUse { worktree, .. } if worktree.ends_with("linked")),
            "{error}"
        );
        std::fs::remove_dir_all(sandbox.root().join("../linked")).unwrap();
        let error = sandbox.repo().switch_to(&name("other")).unwrap_err();
        assert!(matches!(error, GitError::BranchInLostWorktree { .. }), "{error}");
    }

    #[test]
    fn a_locked_index_is_reported() {
        let sandbox = Sandbox::with_commit();
        sandbox.repo().create_branch(&name("other"), "HEAD").unwrap();
        sandbox.write(".git/index.lock", "");
        let error = sandbox.repo().switch_to(&name("other")).unwrap_err();
        assert!(
            matches!(&error, GitError::Busy { lock, .. } if lock.ends_with(".git/index.lock")),
            "{error}"
        );
    }

    #[test]
    fn the_lock_of_a_branch_or_of_the_settings_is_named_with_its_age() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        repo.create_branch(&name("feat/x"), "HEAD").unwrap();
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7_500);
        let locked = |file: &str| {
            sandbox.write(file, "");
            let lock = sandbox.root().join(file);
            std::fs::File::options().write(true).open(&lock).unwrap().set_modified(old).unwrap();
            lock
        };
        let says = |error: &GitError, lock: &std::path::Path| {
            let text = error.to_string();
            assert!(matches!(error, GitError::Busy { lock: named, .. } if named == lock), "{error:?}");
            assert!(text.contains(&bc_core::paths::recorded(lock)) && text.contains("2h 5m ago"), "{text}");
            assert!(text.contains("remove it"), "{text}");
        };
        let lock = locked(".git/refs/heads/feat/y.lock");
        says(&repo.create_branch(&name("feat/y"), "HEAD").unwrap_err(), &lock);
        let beside = sandbox.root().join("../beside");
        let new = WorktreeBranch::New { name: &name("feat/y"), base: "HEAD" };
        says(&repo.worktree_add(&beside, new).unwrap_err(), &lock);
        says(&repo.create_branches(&[(&name("feat/y"), "HEAD")]).unwrap_err(), &lock);
        let lock = locked(".git/refs/heads/feat/x.lock");
        let from = repo.commit_of("HEAD").unwrap();
        sandbox.commit("second");
        let to = repo.commit_of("main").unwrap();
        says(&repo.move_branch(&name("feat/x"), &from, &to, "merge").unwrap_err(), &lock);
        says(&repo.move_reference("refs/heads/feat/x", &to, Some(&from)).unwrap_err(), &lock);
    }
}
