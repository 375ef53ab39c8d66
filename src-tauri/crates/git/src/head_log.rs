//! Detects commits that are made in a working tree. Commits that are checked out, pulled or rebased do not
//! count; the tree's HEAD log distinguishes them.
//!
//! With a HEAD log, a check runs no process while the log is unchanged. Without one, every commit that HEAD
//! gained counts.

use crate::{
    commits::Commit,
    error::GitError,
    program::{line, path_from},
    repo::Repo,
    status::is_tracker_data,
};
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// The maximum number of commits per check; if there are more, only the newest are returned.
const AT_ONCE: usize = 50;

/// A working tree that is watched for new commits.
#[derive(Debug)]
pub struct HeadLog {
    repo: Repo,
    file: PathBuf,
    read_to: Option<u64>,
    head: Option<String>,
}

impl HeadLog {
    /// Starts watching for commits made from now on. Fails if git cannot be run or HEAD cannot be read.
    pub fn begin(repo: Repo) -> Result<HeadLog, GitError> {
        let file = match repo.fast_path() {
            Some(files) => files.log_of_head(),
            None => {
                let args = ["rev-parse", "--git-path", "logs/HEAD"];
                let done = repo.git.read("find the log of HEAD", repo.top_level(), args)?;
                repo.top_level().join(path_from(line(&done.stdout)))
            }
        };
        let mut log = HeadLog { repo, file, read_to: None, head: None };
        log.read_to = log.length();
        if log.read_to.is_none() {
            log.head = log.repo.head()?.commit;
        }
        Ok(log)
    }

    /// The root of the watched tree.
    pub fn tree(&self) -> &Path {
        self.repo.top_level()
    }

    /// The files that a commit changed against its first parent, relative to the tree, without `.beads/`.
    pub fn files_of(&self, hash: &str) -> Result<Vec<String>, GitError> {
        let args = [
            "diff-tree",
            "--root",
            "-r",
            "-m",
            "--first-parent",
            "--no-commit-id",
            "--name-only",
            "-z",
            hash,
        ];
        let done = self.repo.git.read("list the files of a commit", self.repo.top_level(), args)?;
        let out = done.out();
        let files = out.split('\0').filter(|path| !path.is_empty() && !is_tracker_data(Path::new(path)));
        Ok(files.map(str::to_owned).collect())
    }

    /// The commits that were made in this tree since the last call, oldest first. If there are many, only the
    /// newest.
    pub fn made(&mut self) -> Result<Vec<Commit>, GitError> {
        match (self.read_to, self.length()) {
            (Some(before), Some(now)) if now >= before => {
                let lines = self.lines(before);
                self.read_to = Some(before + lines.len() as u64);
                self.commits(&made_in(&lines))
            }
            // The log was shortened, so new lines cannot be distinguished from old ones.
            (Some(_), now @ Some(_)) => {
                self.read_to = now;
                Ok(Vec::new())
            }
            (None, Some(now)) => {
                // The log is new. If HEAD had no commit, all lines are new; otherwise, they cannot be distinguished.
                let lines = if self.head.is_none() { self.lines(0) } else { String::new() };
                self.read_to = Some(now);
                self.commits(&made_in(&lines))
            }
            (_, None) => self.gained(),
        }
    }

    fn length(&self) -> Option<u64> {
        std::fs::metadata(&self.file).ok().map(|found| found.len())
    }

    /// The complete lines from this byte offset on.
    fn lines(&self, from: u64) -> String {
        let mut bytes = Vec::new();
        let read = File::open(&self.file)
            .and_then(|mut file| file.seek(SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut bytes)));
        // A log that disappears during the read has no lines.
        let whole = read.ok().and_then(|_| bytes.iter().rposition(|&b| b == b'\n')).map_or(0, |at| at + 1);
        String::from_utf8_lossy(&bytes[..whole]).into_owned()
    }

    fn gained(&mut self) -> Result<Vec<Commit>, GitError> {
        let head = self.repo.head()?.commit;
        if head == self.head {
            return Ok(Vec::new());
        }
        let before = std::mem::replace(&mut self.head, head);
        self.read_to = None;
        let mut commits = self.repo.commits_since(before.as_deref()).unwrap_or_default();
        commits.drain(..commits.len().saturating_sub(AT_ONCE));
        Ok(commits)
    }

    fn commits(&self, hashes: &[String]) -> Result<Vec<Commit>, GitError> {
        let newest = &hashes[hashes.len().saturating_sub(AT_ONCE)..];
        if newest.is_empty() { Ok(Vec::new()) } else { self.repo.commits_named(newest) }
    }
}

/// The hashes of lines about a new commit: `old new name <mail> seconds zone TAB what: subject`.
fn made_in(lines: &str) -> Vec<String> {
    let mut hashes: Vec<String> = Vec::new();
    for line in lines.lines() {
        let Some((fields, what)) = line.split_once('\t') else { continue };
        let Some(new) = fields.split(' ').nth(1) else { continue };
        let is_hash = new.len() >= 40 && new.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash && is_commit(what) && !hashes.iter().any(|known| known == new) {
            hashes.push(new.to_owned());
        }
    }
    hashes
}

/// Whether the log's action created a commit, also by merge, cherry-pick, revert or `am`; not by a pull or rebase.
fn is_commit(what: &str) -> bool {
    let verb = what.split(':').next().unwrap_or(what);
    let merged = verb.starts_with("merge ") && what.contains("Merge made by");
    merged
        || ["commit", "cherry-pick", "revert", "am"].contains(&verb)
        || ["commit (initial)", "commit (amend)", "commit (merge)", "commit (cherry-pick)"].contains(&verb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    fn subjects(log: &mut HeadLog) -> Vec<String> {
        log.made().unwrap().into_iter().map(|commit| commit.subject).collect()
    }

    fn none() -> Vec<String> {
        Vec::new()
    }

    #[test]
    fn each_new_commit_is_reported_once() {
        let sandbox = Sandbox::with_commit();
        let mut log = HeadLog::begin(sandbox.repo()).unwrap();
        assert_eq!(subjects(&mut log), none(), "earlier commits are not new");
        sandbox.write("file", "one");
        sandbox.commit("one");
        sandbox.commit("two: größer");
        let made = log.made().unwrap();
        let subjects_of: Vec<&str> = made.iter().map(|commit| commit.subject.as_str()).collect();
        assert_eq!(subjects_of, ["one", "two: größer"]);
        assert_eq!(log.files_of(&made[0].hash).unwrap(), ["file"]);
        assert_eq!(log.files_of(&made[1].hash).unwrap(), Vec::<String>::new());
        assert_eq!(subjects(&mut log), none());
        sandbox.run(&["commit", "-q", "--amend", "--allow-empty", "-m", "two, amended"]);
        assert_eq!(subjects(&mut log), ["two, amended"]);
        sandbox.run(&["revert", "--no-edit", "HEAD~1"]);
        assert_eq!(subjects(&mut log), ["Revert \"one\""]);
    }

    #[test]
    fn checkouts_resets_and_fast_forwards_are_not_new_commits() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["switch", "-qc", "other"]);
        sandbox.commit("theirs");
        sandbox.run(&["switch", "-q", "main"]);
        let mut log = HeadLog::begin(sandbox.repo()).unwrap();
        sandbox.run(&["switch", "-q", "other"]);
        sandbox.run(&["switch", "-q", "main"]);
        sandbox.run(&["merge", "-q", "other"]);
        sandbox.run(&["reset", "-q", "--hard", "HEAD~1"]);
        assert_eq!(subjects(&mut log), none());
        sandbox.commit("ours");
        sandbox.run(&["merge", "-q", "--no-edit", "other"]);
        assert_eq!(subjects(&mut log), ["ours", "Merge branch 'other'"]);
    }

    #[test]
    fn the_first_commit_of_a_repository_is_reported() {
        let sandbox = Sandbox::new();
        let mut log = HeadLog::begin(sandbox.repo()).unwrap();
        assert_eq!(subjects(&mut log), none());
        sandbox.commit("first");
        assert_eq!(subjects(&mut log), ["first"]);
    }

    #[test]
    fn a_worktree_reports_only_its_own_commits() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
        let linked = sandbox.repo().at(sandbox.root().join("../linked")).unwrap();
        let (mut main_log, mut linked_log) =
            (HeadLog::begin(sandbox.repo()).unwrap(), HeadLog::begin(linked).unwrap());
        sandbox.run(&["-C", "../linked", "commit", "-q", "--allow-empty", "-m", "there"]);
        assert_eq!((subjects(&mut main_log), subjects(&mut linked_log)), (none(), vec!["there".to_owned()]));
    }

    #[test]
    fn without_a_reflog_all_new_commits_of_head_count() {
        let sandbox = Sandbox::new();
        sandbox.run(&["config", "core.logAllRefUpdates", "false"]);
        sandbox.commit("first");
        let mut log = HeadLog::begin(sandbox.repo()).unwrap();
        sandbox.commit("second");
        assert_eq!(subjects(&mut log), ["second"]);
        assert_eq!(subjects(&mut log), none());
    }

    #[test]
    fn a_shortened_log_is_read_from_its_new_end() {
        let sandbox = Sandbox::with_commit();
        sandbox.commit("second");
        let mut log = HeadLog::begin(sandbox.repo()).unwrap();
        sandbox.run(&["reflog", "expire", "--expire=now", "--all"]);
        assert_eq!(subjects(&mut log), none());
        sandbox.commit("third");
        assert_eq!(subjects(&mut log), ["third"]);
    }
}
