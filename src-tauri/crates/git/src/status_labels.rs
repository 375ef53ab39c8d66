//! Uncommitted files in the notation of `git status --porcelain`: `path (M)`.
//!
//! This is text for users and agents, who know those letters. Code that makes decisions uses
//! [`Repo::status`].

use crate::{error::GitError, repo::Repo, status::is_tracker_data, tree_diffs::Spaces};
use bc_core::ids::SessionId;
use std::path::Path;

impl Repo {
    /// Each uncommitted file as `path (M)`, including untracked ones, without `.beads/`; a folder without tracked
    /// files is one entry. The path is relative to the tree; the letters are git's, `?` for an untracked file.
    pub fn labelled_changes(&self) -> Result<Vec<String>, GitError> {
        let args =
            ["status", "--porcelain=v1", "-z", "--ignore-submodules=dirty", "--untracked-files=normal"];
        let done = self.git.read("list uncommitted files", self.top_level(), args)?;
        Ok(labelled(&done.out()))
    }

    /// Like [`Repo::labelled_changes`], for the working tree of a session's agent on another machine, as the session's
    /// newest checkpoint has it; without renames, and with `A` for an untracked file. Empty without a
    /// checkpoint, or if its commit is not the checked-out one.
    pub fn labelled_checkpoint(&self, session: SessionId) -> Result<Vec<String>, GitError> {
        let newest = self.checkpoints(session)?.into_iter().max_by_key(|checkpoint| checkpoint.number);
        let head = self.head()?.commit.map(|hash| self.commit_of(&hash)).transpose()?;
        let Some((newest, head)) = newest.filter(|newest| newest.head == head).zip(head) else {
            return Ok(Vec::new());
        };
        let diffs = self.checkpoint_diffs(&head, &newest.tree, Spaces::Count)?;
        Ok(diffs.files.into_iter().map(|file| format!("{} ({})", file.path, file.letter)).collect())
    }
}

/// Labels the entries of a NUL-separated listing; entries that are too short are skipped.
fn labelled(listing: &str) -> Vec<String> {
    let mut files = Vec::new();
    let mut records = listing.split('\0');
    while let Some(record) = records.next() {
        let (Some(letters), Some(path)) = (record.get(..2), record.get(3..)) else { continue };
        if letters.contains(['R', 'C']) {
            // Skip the old name, which follows.
            records.next();
        }
        let label = match letters.trim() {
            "??" => "?",
            letters => letters,
        };
        if !path.is_empty() && !is_tracker_data(Path::new(path)) {
            files.push(format!("{path} ({label})"));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    // The specification's cases, in the NUL-separated form that `labelled_changes` requests.

    #[test]
    fn modified_and_new_files_are_labelled() {
        let listing = " M src/parser.ts\0 M tests/parser.test.ts\0?? src/new-file.ts\0";
        assert_eq!(
            labelled(listing),
            ["src/parser.ts (M)", "tests/parser.test.ts (M)", "src/new-file.ts (?)"]
        );
    }

    #[test]
    fn staged_and_unstaged_letters_are_side_by_side() {
        let listing = "M  src/staged.ts\0MM src/both.ts\0A  src/added.ts\0D  src/deleted.ts\0";
        assert_eq!(
            labelled(listing),
            ["src/staged.ts (M)", "src/both.ts (MM)", "src/added.ts (A)", "src/deleted.ts (D)"]
        );
    }

    #[test]
    fn a_clean_tree_has_no_labels() {
        for listing in ["", "  \0", "\0"] {
            assert_eq!(labelled(listing), Vec::<String>::new(), "{listing:?}");
        }
    }

    #[test]
    fn a_renamed_file_has_its_new_name() {
        assert_eq!(labelled("R  new-name.ts\0old-name.ts\0 M x\0"), ["new-name.ts (R)", "x (M)"]);
    }

    #[test]
    fn a_real_repository_with_awkward_names_is_labelled() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        assert_eq!(repo.labelled_changes().unwrap(), Vec::<String>::new());
        sandbox.write("README.md", "changed");
        sandbox.write("a -> b", "x");
        sandbox.run(&["add", "a -> b"]);
        sandbox.write("größe \"1\"", "x");
        sandbox.write(".beads/issues.jsonl", "{}");
        assert_eq!(repo.labelled_changes().unwrap(), ["README.md (M)", "a -> b (A)", "größe \"1\" (?)"]);
        sandbox.commit("all");
        sandbox.run(&["mv", "a -> b", "moved"]);
        assert_eq!(repo.labelled_changes().unwrap(), ["moved (R)"]);
    }

    #[test]
    fn the_newest_checkpoint_is_labelled_until_the_branch_moves_on() {
        let session: SessionId = "0197f3b0-0000-7000-8000-000000000001".parse().unwrap();
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        assert_eq!(repo.labelled_checkpoint(session).unwrap(), [""; 0], "there is no checkpoint");
        sandbox.write("README.md", "changed");
        sandbox.write("new", "1");
        sandbox.write(".beads/issues.jsonl", "{}");
        let at = bc_core::Timestamp::parse_from_rfc3339("2026-01-19T10:00:00Z").unwrap();
        assert!(repo.keep_work(session, at, std::time::Duration::from_secs(60)).unwrap());
        // The files of the agent's machine are not in this tree.
        sandbox.run(&["checkout", "-q", "README.md"]);
        std::fs::remove_file(sandbox.root().join("new")).unwrap();
        assert_eq!(repo.labelled_checkpoint(session).unwrap(), ["README.md (M)", "new (A)"]);
        sandbox.write("other", "2");
        sandbox.commit("later");
        assert_eq!(repo.labelled_checkpoint(session).unwrap(), [""; 0]);
    }
}
