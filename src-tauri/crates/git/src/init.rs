//! Creates repositories and their first commits: for new projects and for the sample.

use crate::{
    error::GitError,
    program::{Git, text_line},
    repo::Repo,
};
use std::path::Path;

/// The content of a first commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// Every file that git does not ignore.
    All,
    /// A file or folder, relative to the repository's folder. An empty folder makes an empty commit.
    Only(&'a str),
}

/// The author and committer of a commit, instead of the configured user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author<'a> {
    pub name: &'a str,
    pub email: &'a str,
}

const DOING: &str = "make a repository";

impl Git {
    /// Creates a repository on the branch `main` in a folder, without commits.
    pub fn init(&self, dir: &Path) -> Result<Repo, GitError> {
        self.execute(DOING, dir, ["init", "--quiet", "--initial-branch=main", "--template="])?;
        Repo::discover_with(self.clone(), dir)
    }

    /// Creates a repository on the branch `main` in a folder and commits everything in it as `author`, not as
    /// the configured user.
    pub fn init_with_first_commit(&self, dir: &Path, author: &str, message: &str) -> Result<Repo, GitError> {
        let repo = self.init(dir)?;
        let email = format!("{author}@example.invalid");
        self.first_commit(dir, Content::All, Some(Author { name: author, email: &email }), message)?;
        Ok(repo)
    }

    /// Makes the first commit of the repository in `dir`. Without `author`, git's settings determine the
    /// author.
    pub fn first_commit(
        &self,
        dir: &Path,
        content: Content<'_>,
        author: Option<Author<'_>>,
        message: &str,
    ) -> Result<(), GitError> {
        match content {
            Content::All => self.execute(DOING, dir, ["add", "--all"])?,
            Content::Only(path) => self.execute(DOING, dir, ["add", "--", path])?,
        }
        let (name, email);
        let mut args = Vec::new();
        if let Some(author) = author {
            name = format!("user.name={}", author.name);
            email = format!("user.email={}", author.email);
            args.extend(["-c", &name, "-c", &email]);
        }
        // Signing may ask for a passphrase, and git has no terminal.
        args.extend(["-c", "commit.gpgSign=false", "commit", "--quiet", "--allow-empty", "-m", message]);
        self.execute(DOING, dir, args)
    }

    /// The author of commits in `dir` according to git's settings and the environment, as `Ana <ana@example.org>`.
    /// `None` if no author is configured, even if git could guess one.
    pub fn author(&self, dir: &Path) -> Result<Option<String>, GitError> {
        let args = ["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"];
        let done = self.ask("read the author", dir, args)?;
        if !done.ok() {
            return Ok(None);
        }
        let ident = text_line(&done.stdout);
        // Cut off the time, which follows the address.
        Ok(ident.rfind('>').and_then(|end| ident.get(..=end)).map(str::to_owned))
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // A sample file.
mod tests {
    use super::*;

    fn git(home: &Path) -> Git {
        Git::find()
            .unwrap()
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", home.join("settings"))
    }

    #[test]
    fn a_new_repository_has_a_commit_on_main() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "b").unwrap();
        let repo = Git::find().unwrap().init_with_first_commit(dir.path(), "sample", "first").unwrap();
        let head = repo.head().unwrap();
        assert_eq!(head.branch.unwrap().as_str(), "main");
        assert_eq!(repo.commits_since(None).unwrap().len(), 1);
    }

    #[test]
    fn a_first_commit_has_only_the_requested_files_and_author() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("in");
        std::fs::create_dir_all(dir.join(".beads")).unwrap();
        std::fs::write(dir.join(".beads/issues.jsonl"), "").unwrap();
        std::fs::write(dir.join("secret"), "x").unwrap();
        let git = git(home.path());
        let repo = git.init(&dir).unwrap();
        assert_eq!(repo.head().unwrap().commit, None);
        let author = Author { name: "Ana Ø", email: "ana@example.org" };
        git.first_commit(&dir, Content::Only(".beads"), Some(author), "first").unwrap();
        assert!(repo.head().unwrap().commit.is_some());
        let done = git.read("read", &dir, ["show", "--name-only", "--format=%an <%ae>", "HEAD"]).unwrap();
        assert_eq!(done.out().trim(), "Ana Ø <ana@example.org>\n\n.beads/issues.jsonl");
    }

    #[test]
    fn only_a_configured_author_is_returned() {
        let home = tempfile::tempdir().unwrap();
        let git = git(home.path());
        assert_eq!(git.author(home.path()).unwrap(), None);
        std::fs::write(home.path().join("settings"), "[user]\nname = Ana\nemail = a@b.c\n").unwrap();
        assert_eq!(git.author(home.path()).unwrap().as_deref(), Some("Ana <a@b.c>"));
    }
}
