//! Lists of commits.

use crate::{commit_builder::ObjectId, error::GitError, repo::Repo};
use bc_core::Timestamp;

/// The format that [`parse`] reads.
const FORMAT: &str = "--format=tformat:%H%x00%an%x00%cI%x00%s";

/// A commit with the subject of its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub hash: String,
    /// The first paragraph of the message, on one line. It can contain control characters.
    pub subject: String,
    /// The author's name. It can contain control characters.
    pub author: String,
    /// The commit date; `None` if it cannot be parsed.
    pub at: Option<Timestamp>,
}

impl Repo {
    /// The commits of this working tree's HEAD that `base` lacks, oldest first; all commits if `base` is `None`.
    /// Empty before the first commit.
    pub fn commits_since(&self, base: Option<&str>) -> Result<Vec<Commit>, GitError> {
        match self.commit("HEAD") {
            Err(GitError::NoCommits { .. }) => Ok(Vec::new()),
            head => self.commits_between(base, &head?),
        }
    }

    /// The commits of `tip` that `base` lacks, oldest first; all commits if `base` is `None`. Both are revisions.
    pub fn commits_between(&self, base: Option<&str>, tip: &str) -> Result<Vec<Commit>, GitError> {
        let base = base.map(|base| self.commit(base)).transpose()?;
        let tip = self.commit(tip)?;
        let range = base.map_or(tip.clone(), |base| format!("{base}..{tip}"));
        self.log("list commits", ["--reverse", "--topo-order", &range])
    }

    /// The latest commits of this working tree's HEAD, newest first. Empty before the first commit.
    pub fn latest_commits(&self, most: usize) -> Result<Vec<Commit>, GitError> {
        let head = match self.commit("HEAD") {
            Err(GitError::NoCommits { .. }) => return Ok(Vec::new()),
            head => head?,
        };
        let most = format!("--max-count={most}");
        self.log("list the latest commits", [&*most, &head])
    }

    /// The commits with these hashes that still exist, in no particular order. Strings that are not full
    /// hashes are skipped.
    pub fn commits_known(&self, hashes: &[String]) -> Result<Vec<Commit>, GitError> {
        let is_hash = |hash: &&String| ObjectId::parsed(hash).is_some();
        let hashes: Vec<String> = hashes.iter().filter(is_hash).cloned().collect();
        if hashes.is_empty() {
            return Ok(Vec::new());
        }
        let mut known = self.commits_named(&hashes)?;
        // If none of the hashes exists, git lists the current commit.
        known.retain(|commit| hashes.contains(&commit.hash));
        Ok(known)
    }

    /// The commits with these hashes, in the given order. Missing ones are left out; if all are missing, git lists
    /// HEAD's commit.
    pub(crate) fn commits_named(&self, hashes: &[String]) -> Result<Vec<Commit>, GitError> {
        let options = ["--no-walk=unsorted", "--ignore-missing"];
        self.log("read commits", options.into_iter().chain(hashes.iter().map(String::as_str)))
    }

    /// Runs `git log` with these options and revisions.
    fn log<'a>(
        &self,
        doing: &'static str,
        args: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Commit>, GitError> {
        let fixed = ["log", "-z", FORMAT, "--encoding=UTF-8", "--no-patch", "--no-notes", "--no-color"];
        let args = fixed.into_iter().chain(args).chain(["--"]);
        let done = self.git.read(doing, self.top_level(), args)?;
        parse(&done.out()).ok_or_else(|| GitError::Unreadable {
            doing,
            dir: self.top_level().to_owned(),
            what: "a commit has too few fields".to_owned(),
        })
    }
}

fn parse(text: &str) -> Option<Vec<Commit>> {
    let mut commits = Vec::new();
    let mut fields = text.split('\0');
    while let Some(hash) = fields.next().filter(|hash| !hash.is_empty()) {
        commits.push(Commit {
            hash: hash.to_owned(),
            author: fields.next()?.to_owned(),
            at: Timestamp::parse_from_rfc3339(fields.next()?).ok(),
            subject: fields.next()?.to_owned(),
        });
    }
    Some(commits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    #[test]
    fn commits_are_listed_oldest_first_with_their_messages() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let base = repo.head().unwrap().commit.unwrap();
        assert_eq!(repo.commits_since(Some(&base)).unwrap(), []);
        for subject in ["one: \"quoted\"", "zwei: größer", "three"] {
            sandbox.write("file", subject);
            sandbox.commit(subject);
        }
        let commits = repo.commits_since(Some(&base)).unwrap();
        let subjects: Vec<_> = commits.iter().map(|c| c.subject.as_str()).collect();
        assert_eq!(subjects, ["one: \"quoted\"", "zwei: größer", "three"]);
        assert_eq!(commits[2].hash, repo.head().unwrap().commit.unwrap());
        assert_eq!(commits[0].author, "A Tester");
        assert_eq!(commits[0].at.unwrap().to_rfc3339(), "2026-01-19T10:00:00-06:00");
    }

    #[test]
    fn the_latest_commits_are_listed_newest_first() {
        let sandbox = Sandbox::new();
        assert_eq!(sandbox.repo().latest_commits(3).unwrap(), []);
        for subject in ["one", "two", "three"] {
            sandbox.write("file", subject);
            sandbox.commit(subject);
        }
        let commits = sandbox.repo().latest_commits(2).unwrap();
        assert_eq!(commits.iter().map(|c| c.subject.as_str()).collect::<Vec<_>>(), ["three", "two"]);
    }

    #[test]
    fn a_repository_that_was_empty_has_all_its_commits_since_then() {
        let sandbox = Sandbox::new();
        assert_eq!(sandbox.repo().commits_since(None).unwrap(), []);
        sandbox.write("file", "x");
        sandbox.commit("first");
        assert_eq!(sandbox.repo().commits_since(None).unwrap().len(), 1);
    }

    #[test]
    fn a_missing_base_is_named() {
        let error = Sandbox::with_commit().repo().commits_since(Some(&"0".repeat(40))).unwrap_err();
        assert!(matches!(error, GitError::NoSuchCommit { .. }), "{error}");
    }

    #[test]
    fn existing_commits_are_found_by_hash() {
        let sandbox = Sandbox::with_commit();
        sandbox.commit("second");
        let head = sandbox.repo().head().unwrap().commit.unwrap();
        let known = |hashes: &[&str]| {
            let hashes: Vec<String> = hashes.iter().map(|hash| (*hash).to_owned()).collect();
            let known = sandbox.repo().commits_known(&hashes).unwrap();
            known.into_iter().map(|commit| commit.subject).collect::<Vec<_>>()
        };
        assert_eq!(known(&[&"0".repeat(40), &head]), ["second"]);
        assert_eq!(known(&["HEAD", "--all", "-x", ""]), [] as [&str; 0]);
        assert_eq!(known(&[&"0".repeat(40)]), [] as [&str; 0]);
    }

    #[test]
    fn commits_of_another_branch_are_listed_without_a_checkout() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let other = "other".parse().unwrap();
        assert_eq!(repo.tip(&other).unwrap(), None);
        sandbox.run(&["checkout", "-q", "-b", "other"]);
        sandbox.commit("there");
        sandbox.run(&["checkout", "-q", "main"]);
        let tip = repo.tip(&other).unwrap().unwrap();
        let commits = repo.commits_between(Some("main"), &tip).unwrap();
        assert_eq!(commits.iter().map(|c| c.subject.as_str()).collect::<Vec<_>>(), ["there"]);
        assert_eq!(repo.commits_between(Some(&tip), "main").unwrap(), []);
    }

    #[test]
    fn a_worktree_lists_its_own_commits() {
        let sandbox = Sandbox::with_commit();
        let base = sandbox.repo().head().unwrap().commit.unwrap();
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "other"]);
        sandbox.run(&["-C", "../linked", "commit", "-q", "--allow-empty", "-m", "there"]);
        let linked = sandbox.repo().at(sandbox.root().join("../linked")).unwrap();
        assert_eq!(linked.commits_since(Some(&base)).unwrap().len(), 1);
        assert_eq!(sandbox.repo().commits_since(Some(&base)).unwrap(), []);
    }
}
