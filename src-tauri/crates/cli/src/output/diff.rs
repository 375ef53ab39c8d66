//! Diffs by file.

use super::{Style, section};
use bc_core::{text::one_line, work::CommitLine};
use bc_wire::diff::{DiffChange, FileDiff};

/// One line per file.
pub(crate) fn files(files: &[FileDiff], cut: bool) -> String {
    let mut lines: Vec<String> = files.iter().map(line).collect();
    if cut {
        lines.push("… and more".to_owned());
    }
    lines.join("\n")
}

/// One line per commit: its short hash and subject.
pub(crate) fn commits(commits: &[CommitLine]) -> String {
    let line = |commit: &CommitLine| format!("{} {}", commit.short(), one_line(&commit.subject));
    commits.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// One line per path.
pub(crate) fn paths(paths: &[String]) -> String {
    paths.iter().map(|path| one_line(path)).collect::<Vec<_>>().join("\n")
}

/// The hunks of each file.
pub(crate) fn hunks(files: &[FileDiff], style: &Style) -> String {
    files.iter().map(|file| section(style, &one_line(&file.path), &file.diff)).collect()
}

/// One file: the kind of change, the path, and the numbers of added and removed lines.
pub(crate) fn line(file: &FileDiff) -> String {
    let counts = match (file.added, file.removed) {
        (Some(added), Some(removed)) => format!("+{added} -{removed}"),
        _ => "binary".to_owned(),
    };
    let from = file.from.as_ref().map(|from| format!(" (was {})", one_line(from))).unwrap_or_default();
    format!("{} {}{from} {counts}", letter(file.change), one_line(&file.path))
}

fn letter(change: DiffChange) -> char {
    match change {
        DiffChange::Added => 'A',
        DiffChange::Modified => 'M',
        DiffChange::Deleted => 'D',
        DiffChange::Renamed => 'R',
    }
}
