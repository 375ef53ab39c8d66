//! Files of a working tree that differ from the commit.
//!
//! Files in `.beads/` do not count, except in `status_with_tracker_data`: they are the tracker's data and our
//! own, which change without work on the code.

use crate::{error::GitError, program::path_from, repo::Repo};
use bc_core::work::{FileChange, FileLine};
use std::path::{Path, PathBuf};

/// How a file differs from its committed version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The file is new and tracked.
    Added,
    /// The file's content, mode or kind changed.
    Modified,
    Deleted,
    /// The file was moved.
    Renamed {
        /// The old path, relative to the tree.
        from: PathBuf,
    },
    /// The file has an unresolved merge conflict.
    Unmerged,
}

/// A file that differs from the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the tree.
    pub path: PathBuf,
    pub change: Change,
}

/// A working tree compared with its commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Tracked files with changes, staged or not.
    pub changed: Vec<ChangedFile>,
    /// Untracked files, relative to the tree. A folder without tracked files can be one entry.
    pub untracked: Vec<PathBuf>,
}

impl Status {
    /// Tracked files with changes, as lines; a moved file counts as deleted at its old path and as new at its
    /// new path.
    pub(crate) fn lines_of_changed(&self) -> Vec<FileLine> {
        let mut lines = Vec::new();
        for file in &self.changed {
            match &file.change {
                Change::Added => lines.push(line(&file.path, FileChange::New)),
                Change::Deleted => lines.push(line(&file.path, FileChange::Deleted)),
                Change::Modified | Change::Unmerged => lines.push(line(&file.path, FileChange::Modified)),
                Change::Renamed { from } => {
                    lines.push(line(from, FileChange::Deleted));
                    lines.push(line(&file.path, FileChange::New));
                }
            }
        }
        lines.sort();
        lines.dedup();
        lines
    }

    /// All differences, as lines. Untracked files count as new.
    fn lines(&self) -> Vec<FileLine> {
        let mut lines = self.lines_of_changed();
        lines.extend(self.untracked.iter().map(|path| line(path, FileChange::New)));
        lines.sort();
        lines.dedup();
        lines
    }
}

fn line(path: &Path, change: FileChange) -> FileLine {
    FileLine { path: path.to_string_lossy().into_owned(), change }
}

impl Repo {
    /// Tracked files with changes, relative to the tree, without `.beads/`.
    pub fn dirty_files(&self) -> Result<Vec<PathBuf>, GitError> {
        Ok(self.compare("--untracked-files=no")?.changed.into_iter().map(|file| file.path).collect())
    }

    /// All uncommitted differences, without `.beads/`; a folder without tracked files is one entry.
    pub fn status(&self) -> Result<Status, GitError> {
        self.compare("--untracked-files=normal")
    }

    /// All uncommitted differences, with each untracked file listed separately.
    pub(crate) fn status_file_by_file(&self) -> Result<Status, GitError> {
        self.compare("--untracked-files=all")
    }

    /// All uncommitted differences, as lines. Untracked files count as new; a moved file counts as deleted at
    /// its old path and as new at its new path.
    pub fn uncommitted(&self) -> Result<Vec<FileLine>, GitError> {
        Ok(self.status()?.lines())
    }

    /// Like [`Repo::uncommitted`], with each untracked file listed separately.
    pub fn uncommitted_files(&self) -> Result<Vec<FileLine>, GitError> {
        Ok(self.status_file_by_file()?.lines())
    }

    /// Like [`Repo::status`], with the tracker's data and changes inside submodules.
    pub(crate) fn status_with_tracker_data(&self) -> Result<Status, GitError> {
        // A submodule's own configuration can name programs that git would run.
        for submodule in self.initialized_submodules()? {
            self.git.check_programs(&self.top_level().join(submodule), &["status"])?;
        }
        self.run_status(&["--ignore-submodules=none", "--untracked-files=normal"], parse_all)
    }

    /// The tracked files that differ between a commit and the working tree, whether or not the changes are
    /// committed, without `.beads/`.
    pub fn changed_files(&self, base: &str) -> Result<Vec<ChangedFile>, GitError> {
        let base = self.commit(base)?;
        let args = ["--name-status", "-z", "--no-renames", "--ignore-submodules=dirty", &base, "--"];
        let done = self.diff("compare the tree with a commit", args)?;
        let mut fields = done.stdout.split(|&b| b == 0);
        let mut files = Vec::new();
        while let (Some(kind), Some(path)) = (fields.next().filter(|k| !k.is_empty()), fields.next()) {
            let change = match kind {
                b"A" => Change::Added,
                b"D" => Change::Deleted,
                b"U" => Change::Unmerged,
                _ => Change::Modified,
            };
            files.push(ChangedFile { path: path_from(path), change });
        }
        files.retain(|file| !is_tracker_data(&file.path));
        Ok(files)
    }

    fn compare(&self, untracked: &str) -> Result<Status, GitError> {
        self.run_status(&["--ignore-submodules=dirty", untracked], parse)
    }

    fn run_status(&self, options: &[&str], parse: fn(&[u8]) -> Option<Status>) -> Result<Status, GitError> {
        const DOING: &str = "compare the tree with its commit";
        // With the setting `status.renames=copies`, git would also list copies, whose sources still exist.
        let args = ["status", "--porcelain=v2", "-z", "--renames"].iter().chain(options);
        let done = self.git.read(DOING, self.top_level(), args)?;
        parse(&done.stdout).ok_or_else(|| GitError::Unreadable {
            doing: DOING,
            dir: self.top_level().to_owned(),
            what: "a line of the status has too few fields".to_owned(),
        })
    }
}

/// Parses git's status without the tracker's data. `None` if a known line is too short; unknown lines are skipped.
fn parse(bytes: &[u8]) -> Option<Status> {
    let mut status = parse_all(bytes)?;
    status.changed.retain(|file| !is_tracker_data(&file.path));
    status.untracked.retain(|path| !is_tracker_data(path));
    Some(status)
}

/// Parses git's status, including the tracker's data.
fn parse_all(bytes: &[u8]) -> Option<Status> {
    let mut status = Status::default();
    let mut records = bytes.split(|&b| b == 0);
    while let Some(record) = records.next() {
        match record {
            [b'1', b' ', rest @ ..] => {
                let path = path_from(field_after(rest, 7)?);
                status.changed.push(ChangedFile { path, change: kind(rest) });
            }
            [b'2', b' ', rest @ ..] => {
                let path = path_from(field_after(rest, 8)?);
                let from = path_from(records.next()?);
                status.changed.push(ChangedFile { path, change: Change::Renamed { from } });
            }
            [b'u', b' ', rest @ ..] => {
                let path = path_from(field_after(rest, 9)?);
                status.changed.push(ChangedFile { path, change: Change::Unmerged });
            }
            [b'?', b' ', path @ ..] => status.untracked.push(path_from(path)),
            _ => {}
        }
    }
    Some(status)
}

/// The kind of change for the two letters of an ordinary line, which stand for the index and the tree.
fn kind(rest: &[u8]) -> Change {
    match rest {
        [b'D', ..] | [_, b'D', ..] => Change::Deleted,
        [b'A', ..] | [_, b'A', ..] => Change::Added,
        _ => Change::Modified,
    }
}

/// The path of a status line, which follows this number of fields.
pub(crate) fn field_after(rest: &[u8], fields: usize) -> Option<&[u8]> {
    rest.splitn(fields + 1, |&b| b == b' ').nth(fields)
}

pub(crate) fn is_tracker_data(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".beads")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    fn change(path: &str, change: Change) -> ChangedFile {
        ChangedFile { path: path.into(), change }
    }

    #[test]
    fn untracked_files_and_tracker_data_do_not_make_a_tree_dirty() {
        let sandbox = Sandbox::with_commit();
        sandbox.write(".beads/issues.jsonl", "{}\n");
        sandbox.write("app/.beads/issues.jsonl", "{}\n");
        sandbox.commit("beads");
        sandbox.write(".beads/issues.jsonl", "{}\n{}\n");
        sandbox.write("app/.beads/issues.jsonl", "");
        sandbox.write("notes.txt", "mine");
        assert_eq!(sandbox.repo().dirty_files().unwrap(), Vec::<PathBuf>::new());
        assert_eq!(
            sandbox.repo().status().unwrap(),
            Status { changed: vec![], untracked: vec!["notes.txt".into()] }
        );
    }

    #[test]
    fn every_kind_of_change_is_distinguished() {
        let sandbox = Sandbox::new();
        for name in ["kept", "edited", "deleted", "moved away"] {
            sandbox.write(name, &format!("text of {name}\n").repeat(20));
        }
        sandbox.commit("first");
        sandbox.write("edited", "new");
        std::fs::remove_file(sandbox.root().join("deleted")).unwrap();
        sandbox.run(&["mv", "moved away", "moved here"]);
        sandbox.write("added", "x");
        sandbox.run(&["add", "added"]);
        sandbox.write("folder/untracked", "x");
        let status = sandbox.repo().status().unwrap();
        assert_eq!(
            status.changed,
            [
                change("added", Change::Added),
                change("deleted", Change::Deleted),
                change("edited", Change::Modified),
                change("moved here", Change::Renamed { from: "moved away".into() }),
            ]
        );
        assert_eq!(status.untracked, [PathBuf::from("folder/")]);
    }

    #[test]
    fn a_copied_file_is_new_and_its_source_stays() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["config", "status.renames", "copies"]);
        sandbox.write("source", &"text\n".repeat(20));
        sandbox.commit("second");
        sandbox.write("copy", &"text\n".repeat(20));
        sandbox.write("source", &"text\n".repeat(21));
        sandbox.run(&["add", "."]);
        assert_eq!(
            sandbox.repo().status().unwrap().changed,
            [change("copy", Change::Added), change("source", Change::Modified)]
        );
    }

    #[test]
    fn a_conflict_is_a_change() {
        let sandbox = Sandbox::with_commit();
        sandbox.run(&["switch", "-qc", "other"]);
        sandbox.write("README.md", "theirs");
        sandbox.commit("theirs");
        sandbox.run(&["switch", "-q", "main"]);
        sandbox.write("README.md", "ours");
        sandbox.commit("ours");
        sandbox.run_any(&["merge", "-q", "other"]);
        assert_eq!(sandbox.repo().status().unwrap().changed, [change("README.md", Change::Unmerged)]);
    }

    #[test]
    fn file_names_are_unquoted() {
        let names = ["-n", "a\nb", "it's \"x\"", "tab\t", "größe 日本"];
        let sandbox = Sandbox::with_commit();
        for name in names {
            sandbox.write(name, "1");
        }
        sandbox.commit("names");
        for name in names {
            sandbox.write(name, "2");
        }
        let mut wanted: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        wanted.sort();
        let mut dirty = sandbox.repo().dirty_files().unwrap();
        dirty.sort();
        assert_eq!(dirty, wanted);
    }

    #[test]
    fn changed_files_since_a_commit_include_uncommitted_ones() {
        let sandbox = Sandbox::with_commit();
        let base = sandbox.repo().head().unwrap().commit.unwrap();
        sandbox.write("committed", "x");
        sandbox.write(".beads/issues.jsonl", "{}");
        sandbox.commit("second");
        sandbox.write("README.md", "edited");
        assert_eq!(
            sandbox.repo().changed_files(&base).unwrap(),
            [change("README.md", Change::Modified), change("committed", Change::Added)]
        );
    }

    #[cfg(unix)]
    #[test]
    fn nothing_that_the_repository_names_is_executed() {
        let sandbox = Sandbox::with_commit();
        sandbox.write("trap", "#!/bin/sh\ntouch \"$(dirname \"$0\")/../sprung\"\n");
        sandbox.make_executable("trap");
        let trap = sandbox.root().join("trap").display().to_string();
        sandbox.run(&["config", "core.fsmonitor", &trap]);
        sandbox.run(&["config", "core.hooksPath", "."]);
        sandbox.run(&["config", "diff.external", &trap]);
        std::fs::copy(sandbox.root().join("trap"), sandbox.root().join("post-checkout")).unwrap();
        sandbox.write("README.md", "edited");
        let repo = sandbox.repo();
        repo.status().unwrap();
        repo.changed_files("HEAD").unwrap();
        repo.switch_to_new(&"new".parse().unwrap()).unwrap();
        repo.commits_since(Some("HEAD")).unwrap();
        let sprung = sandbox.root().join("../sprung");
        assert!(!sprung.exists());
        sandbox.run(&["status"]);
        assert!(sprung.exists(), "the trap does not work");
    }

    #[test]
    fn lines_of_unknown_kinds_are_skipped_and_truncated_ones_are_errors() {
        assert_eq!(parse(b"# branch.oid x\0x future\0"), Some(Status::default()));
        assert_eq!(parse(b"1 .M N... 100644\0"), None);
    }
}
