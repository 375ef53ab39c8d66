//! Edits of a working tree that the user requests: reverts of files or hunks to a commit, and commits of chosen
//! files.
//!
//! Invariant: a revert changes only the named files of the tree, never the index. A commit updates the index
//! only for its own files; other staged changes stay staged.

use crate::{
    ObjectId,
    error::GitError,
    program::{line, refusal},
    repo::Repo,
};

/// The result of [`Repo::commit_files`]. A refusal contains git's message on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitOutcome {
    Done(ObjectId),
    Refused(String),
}

impl Repo {
    /// Whether the commit contains this path, relative to the repository's root.
    pub fn has_file(&self, commit: &ObjectId, path: &str) -> Result<bool, GitError> {
        let args = ["ls-tree", "-z", "--full-tree", "--name-only", commit.as_str(), "--", path];
        Ok(!self.git.read("look for a file in a commit", self.top_level(), args)?.stdout.is_empty())
    }

    /// Restores these files of the tree from the commit. The caller has checked that none of the paths is a folder
    /// now, because git would remove it.
    pub fn restore_files(&self, commit: &ObjectId, paths: &[&str]) -> Result<(), GitError> {
        let source = format!("--source={}", commit.as_str());
        let mut args = vec!["restore", &source, "--worktree", "--no-overlay", "--"];
        args.extend(paths);
        self.git.execute("restore a file", self.top_level(), args)
    }

    /// The complete patch of one file between a commit and the tree; empty without a difference.
    pub fn patch_of(&self, commit: &ObjectId, path: &str) -> Result<Vec<u8>, GitError> {
        let options = ["--no-renames", "--unified=3", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"];
        let args = options.into_iter().chain([commit.as_str(), "--", path]);
        Ok(self.diff("compare a file", args)?.stdout)
    }

    /// Applies a patch of one file in reverse to the tree. If the patch does not apply, the inner error is git's
    /// message.
    pub fn apply_backwards(&self, patch: &[u8]) -> Result<Result<(), String>, GitError> {
        let args = ["apply", "--reverse", "--whitespace=nowarn", "--recount", "-"];
        let done = self.git.make("revert a hunk", self.top_level(), &args, patch, &[])?;
        if done.ok() { Ok(Ok(())) } else { Ok(Err(said(&done.err()))) }
    }

    /// The content of a file in a commit.
    pub fn file_of(&self, commit: &ObjectId, path: &str) -> Result<Vec<u8>, GitError> {
        self.git.read_blob(self.top_level(), &format!("{}:{path}", commit.as_str()))
    }

    /// Commits exactly these files as they are in the tree, on the checked-out branch. No hook runs and nothing is
    /// signed. New files become tracked; if the commit is refused, they are untracked again.
    pub fn commit_files(&self, paths: &[String], message: &str) -> Result<CommitOutcome, GitError> {
        const DOING: &str = "commit files";
        let identity = self.identity()?;
        let untracked = self.untracked_among(paths)?;
        let untracked_paths = || untracked.iter().map(String::as_str);
        if !untracked.is_empty() {
            let args = ["add", "--intent-to-add", "--"].into_iter().chain(untracked_paths());
            let done = self.git.change(DOING, self.top_level(), args)?;
            if !done.ok() {
                return Ok(CommitOutcome::Refused(said(&done.err())));
            }
        }
        let mut args = vec!["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=whitespace"];
        args.extend(["--file=-", "--only", "--"].into_iter().chain(paths.iter().map(String::as_str)));
        let done = self.git.make(DOING, self.top_level(), &args, message.as_bytes(), identity)?;
        if done.ok() {
            return self.commit_of("HEAD").map(CommitOutcome::Done);
        }
        if !untracked.is_empty() {
            let args = ["rm", "--cached", "--quiet", "--force", "--"].into_iter().chain(untracked_paths());
            self.git.change(DOING, self.top_level(), args)?;
        }
        let reason = said(&(done.err() + "\n" + &done.out()));
        match reason.contains(".lock': File exists") {
            true => Err(refusal(DOING, self.top_level(), &done)),
            false => Ok(CommitOutcome::Refused(reason)),
        }
    }

    /// The hooks that the user's own `git commit` would run in this repository; [`Repo::commit_files`] skips
    /// them.
    pub fn commit_hooks(&self) -> Vec<String> {
        let args = ["rev-parse", "--git-path", "hooks"];
        let Ok(done) = self.git.with_users_hooks(self.top_level(), args) else { return Vec::new() };
        let folder = self.top_level().join(crate::program::path_from(line(&done.stdout)));
        let names = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
        names.into_iter().filter(|name| is_program(&folder.join(name))).map(str::to_owned).collect()
    }

    /// Whether the user's settings ask git to sign commits.
    pub fn signs_commits(&self) -> bool {
        let args = ["config", "--type=bool", "--get-all", "commit.gpgSign"];
        let found = self.git.ask("read a setting", self.top_level(), args);
        // Our own setting, which is off, comes last.
        found.is_ok_and(|done| done.out().lines().any(|line| line.trim() == "true"))
    }

    /// The files among these that git does not track yet.
    fn untracked_among(&self, paths: &[String]) -> Result<Vec<String>, GitError> {
        let status = self.status_file_by_file()?;
        let untracked: Vec<String> = status.untracked.iter().map(|path| path.display().to_string()).collect();
        Ok(paths.iter().filter(|path| untracked.contains(path)).cloned().collect())
    }
}

#[cfg(unix)]
fn is_program(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &std::path::Path) -> bool {
    path.is_file()
}

/// Git's message without hints, on one line.
fn said(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("hint:"));
    let joined = lines.collect::<Vec<_>>().join("; ");
    bc_core::text::cut(&bc_core::text::one_line(&joined), 500)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    fn read(sandbox: &Sandbox, path: &str) -> String {
        std::fs::read_to_string(sandbox.root().join(path)).unwrap()
    }

    fn index(sandbox: &Sandbox) -> String {
        sandbox.run_any(&["ls-files", "--stage"]).out()
    }

    #[test]
    fn a_restored_file_changes_neither_the_index_nor_other_files() {
        let sandbox = Sandbox::with_commit();
        sandbox.write("a.txt", "old\n");
        sandbox.write("b.txt", "old\n");
        sandbox.commit("second");
        let repo = sandbox.repo();
        let base = repo.commit_of("HEAD").unwrap();
        sandbox.write("a.txt", "staged\n");
        sandbox.run(&["add", "a.txt"]);
        sandbox.write("a.txt", "new\n");
        sandbox.write("b.txt", "new\n");
        let before = index(&sandbox);
        repo.restore_files(&base, &["a.txt"]).unwrap();
        assert_eq!([read(&sandbox, "a.txt"), read(&sandbox, "b.txt")], ["old\n", "new\n"]);
        assert_eq!(index(&sandbox), before);
        assert!(repo.has_file(&base, "a.txt").unwrap() && !repo.has_file(&base, "c.txt").unwrap());
    }

    #[test]
    fn names_are_literal() {
        let sandbox = Sandbox::with_commit();
        for name in ["*.txt", "a.txt", "-x", ":(top)y"] {
            sandbox.write(name, "old\n");
        }
        sandbox.commit("second");
        let repo = sandbox.repo();
        let base = repo.commit_of("HEAD").unwrap();
        for name in ["*.txt", "a.txt", "-x", ":(top)y"] {
            sandbox.write(name, "new\n");
        }
        repo.restore_files(&base, &["*.txt", "-x", ":(top)y"]).unwrap();
        assert_eq!(read(&sandbox, "*.txt"), "old\n");
        assert_eq!(read(&sandbox, "a.txt"), "new\n");
        assert_eq!(read(&sandbox, ":(top)y"), "old\n");
    }

    #[test]
    fn a_commit_has_exactly_the_chosen_files_and_leaves_other_staged_ones() {
        let sandbox = Sandbox::with_commit();
        sandbox.write("staged.txt", "mine\n");
        sandbox.run(&["add", "staged.txt"]);
        sandbox.write("new/file with space.txt", "new\n");
        sandbox.write("README.md", "changed\n");
        sandbox.write("other.txt", "untracked\n");
        let repo = sandbox.repo();
        let paths = ["README.md".to_owned(), "new/file with space.txt".to_owned()];
        let outcome = repo.commit_files(&paths, "# not a comment\n\nBody\n").unwrap();
        assert!(matches!(outcome, CommitOutcome::Done(_)), "{outcome:?}");
        let shown = sandbox.run_any(&["show", "--format=%B", "--name-only", "HEAD"]).out();
        assert_eq!(shown, "# not a comment\n\nBody\n\n\nREADME.md\nnew/file with space.txt\n");
        let status = sandbox.run_any(&["status", "--porcelain"]).out();
        assert_eq!(status, "A  staged.txt\n?? other.txt\n");
    }

    #[cfg(unix)]
    #[test]
    fn hooks_do_not_run_and_are_named() {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\nexit 1\n");
        sandbox.make_executable(".git/hooks/pre-commit");
        sandbox.write("README.md", "changed\n");
        let repo = sandbox.repo();
        assert_eq!(repo.commit_hooks(), ["pre-commit"]);
        let outcome = repo.commit_files(&["README.md".to_owned()], "Change").unwrap();
        assert!(matches!(outcome, CommitOutcome::Done(_)), "{outcome:?}");
        assert!(!sandbox.root().join("ran").exists());
        assert!(
            !sandbox.run_any(&["commit", "-q", "--allow-empty", "-m", "x"]).ok(),
            "the hook does not work"
        );
    }

    #[test]
    fn a_refused_commit_leaves_new_files_untracked() {
        let sandbox = Sandbox::with_commit();
        sandbox.write("new.txt", "new\n");
        let repo = sandbox.repo();
        let paths = ["new.txt".to_owned(), "missing.txt".to_owned()];
        let outcome = repo.commit_files(&paths, "Add").unwrap();
        let CommitOutcome::Refused(why) = outcome else { panic!("{outcome:?}") };
        assert!(why.contains("missing.txt"), "{why}");
        assert_eq!(sandbox.run_any(&["status", "--porcelain"]).out(), "?? new.txt\n");
    }

    #[test]
    fn one_hunk_is_reverted() {
        let sandbox = Sandbox::with_commit();
        let lines = |edit: &dyn Fn(usize) -> String| (1..=40).map(edit).collect::<String>();
        sandbox.write("a.txt", &lines(&|n| format!("{n}\n")));
        sandbox.commit("second");
        let repo = sandbox.repo();
        let base = repo.commit_of("HEAD").unwrap();
        sandbox.write(
            "a.txt",
            &lines(&|n| if n == 5 || n == 35 { format!("{n} new\n") } else { format!("{n}\n") }),
        );
        let patch = String::from_utf8(repo.patch_of(&base, "a.txt").unwrap()).unwrap();
        let second = patch.rfind("\n@@").unwrap();
        let first = patch[..second + 1].to_owned();
        repo.apply_backwards(first.as_bytes()).unwrap().unwrap();
        let text = read(&sandbox, "a.txt");
        assert!(text.contains("\n5\n") && text.contains("\n35 new\n"), "{text}");
        assert!(repo.apply_backwards(first.as_bytes()).unwrap().is_err(), "it is already taken back");
    }
}
