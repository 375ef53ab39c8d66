//! Converts git's differences and commits to the contract's types, and compares the files that a user has allowed.

use bc_core::work::CommitLine;
use bc_git::Commit;
use bc_wire::diff::{DiffChange, FileDiff};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

pub(crate) fn file_diff(diff: bc_git::FileDiff) -> FileDiff {
    let change = match diff.letter {
        'A' | 'C' => DiffChange::Added,
        'D' => DiffChange::Deleted,
        'R' => DiffChange::Renamed,
        _ => DiffChange::Modified,
    };
    let content = diff.content();
    let bc_git::FileDiff { path, from, lines, hunks, cut, .. } = diff;
    let (added, removed) = (lines.map(|(added, _)| added), lines.map(|(_, removed)| removed));
    FileDiff { path, from, change, added, removed, diff: hunks, cut, content }
}

/// The differences between the allowed and the current texts of files, including new and missing files.
pub(crate) fn text_changes(before: &BTreeMap<PathBuf, String>, now: &BTreeMap<PathBuf, String>) -> String {
    let paths: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
    let of = |texts: &BTreeMap<PathBuf, String>, path| texts.get(path).cloned().unwrap_or_default();
    let changes = paths
        .into_iter()
        .map(|path| bc_hooks::diff(&path.display().to_string(), &of(before, path), &of(now, path)));
    changes.collect()
}

pub(crate) fn commit_line(commit: Commit) -> CommitLine {
    CommitLine { hash: commit.hash, subject: commit.subject, author: commit.author, at: commit.at }
}
