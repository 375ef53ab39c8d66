//! Uncommitted files in the notation of `git status --porcelain`: `path (M)`.
//!
//! This is text for users and agents, who know those letters. Code that makes decisions uses
//! [`Repo::status`].

use crate::{error::GitError, repo::Repo, status::is_tracker_data};
use std::path::Path;

impl Repo {
    /// Each uncommitted file as `path (M)`, including untracked ones, without `.beads/`. The path is relative
    /// to the tree; the letters are git's, `?` for an untracked file.
    pub fn labelled_changes(&self) -> Result<Vec<String>, GitError> {
        let args =
            ["status", "--porcelain=v1", "-z", "--ignore-submodules=dirty", "--untracked-files=normal"];
        let done = self.git.read("list uncommitted files", self.top_level(), args)?;
        Ok(labelled(&done.out()))
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
}
