//! Converts git's differences and commits to the contract's types.

use bc_core::work::CommitLine;
use bc_git::Commit;
use bc_wire::diff::{DiffChange, FileDiff};

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

pub(crate) fn commit_line(commit: Commit) -> CommitLine {
    CommitLine { hash: commit.hash, subject: commit.subject, author: commit.author, at: commit.at }
}
