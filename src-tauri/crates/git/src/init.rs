//! Creates a repository with a first commit, for the sample project.

use crate::{error::GitError, program::Git, program::refusal, repo::Repo};
use std::path::Path;

impl Git {
    /// Creates a repository on the branch `main` in a folder and commits everything in it as `author`, not as
    /// the configured user.
    pub fn init_with_first_commit(&self, dir: &Path, author: &str, message: &str) -> Result<Repo, GitError> {
        const DOING: &str = "make a repository";
        let email = format!("user.email={author}@example.invalid");
        let name = format!("user.name={author}");
        let steps: [&[&str]; 3] = [
            &["init", "--quiet", "--initial-branch=main", "--template="],
            &["add", "--all"],
            &["-c", &name, "-c", &email, "commit", "--quiet", "-m", message],
        ];
        for step in steps {
            let done = self.change(DOING, dir, step)?;
            if !done.ok() {
                return Err(refusal(DOING, dir, &done));
            }
        }
        Repo::discover_with(self.clone(), dir)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // A sample file.
mod tests {
    use super::*;

    #[test]
    fn a_new_repository_has_a_commit_on_main() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "b").unwrap();
        let repo = Git::find().unwrap().init_with_first_commit(dir.path(), "sample", "first").unwrap();
        let head = repo.head().unwrap();
        assert_eq!(head.branch.unwrap().as_str(), "main");
        assert_eq!(repo.commits_since(None).unwrap().len(), 1);
    }
}
