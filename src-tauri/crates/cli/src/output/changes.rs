//! A session's changes, viewed files, reverts and commits.

use super::{Style, Tone, diff, field, moment, section};
use bc_core::text::one_line;
use bc_wire::{
    diff::FileDiff,
    session::{ChangesOf, CommitPreview, Committed, KeptRevert, KeptReverts, SessionChanges, SessionViewed},
};

/// Commits and files; with the diff if requested.
pub(crate) fn page(changes: &SessionChanges, with_diff: bool, style: &Style) -> String {
    let SessionChanges { of, base, base_branch, commits, files, cut, uncommitted, before, notes } = changes;
    let of = match of {
        ChangesOf::Folder => "its folder",
        ChangesOf::Branch => "its branch",
        ChangesOf::Commits => "its recorded commits",
    };
    let mut text = field(style, "Compared", of);
    if let Some(base) = base {
        let branch = base_branch.as_ref().map(|branch| format!("{branch}, ")).unwrap_or_default();
        text.push_str(&field(style, "Against", &format!("{branch}{base:.8}")));
    }
    for note in notes {
        text.push_str(&field(style, "Note", &one_line(note)));
    }
    if commits.is_empty() && files.is_empty() {
        text.push_str("\nNothing changed.\n");
    }
    text.push_str(&section(style, "Commits", &diff::commits(commits)));
    text.push_str(&section(style, "Files", &diff::files(files, *cut)));
    text.push_str(&section(style, "Not in a commit", &diff::paths(uncommitted)));
    text.push_str(&section(style, "Changed before the session started; not included", &diff::paths(before)));
    if with_diff {
        text.push_str(&diff::hunks(files, style));
    } else if !files.is_empty() {
        text.push_str(&format!("\n{}\n", style.paint(Tone::Faint, "--diff shows the diff")));
    }
    text
}

/// Reverts, newest first, each with the name that `--undo` takes.
pub(crate) fn reverts(kept: &KeptReverts, style: &Style) -> String {
    if kept.reverts.is_empty() {
        return "No reverts to undo.\n".to_owned();
    }
    let line = |one: &KeptRevert| {
        let hunk = one.hunk.as_ref().map(|hunk| format!(" {}", one_line(hunk))).unwrap_or_default();
        let state = if one.undoable { "" } else { ", changed since" };
        let when = style.paint(Tone::Faint, &format!("{}{state}", moment(style, &one.at)));
        format!("{}  {}{hunk}  {when}\n", one.revert, one_line(&one.path))
    };
    kept.reverts.iter().map(line).collect()
}

/// The message and files of a possible commit.
pub(crate) fn commit_preview(preview: &CommitPreview, style: &Style) -> String {
    let mut text = String::new();
    let mut add = |label: &str, value: &str| text.push_str(&field(style, label, value));
    add("Message", &one_line(&preview.message));
    if let Some(branch) = &preview.branch {
        add("Branch", branch.as_str());
    }
    if !preview.skipped_hooks.is_empty() {
        add("Not run", &preview.skipped_hooks.join(", "));
    }
    if preview.unsigned {
        add("Note", "the commit is not signed");
    }
    let files =
        preview.files.iter().map(|file| format!("{:<9}{}", file.change.as_str(), one_line(&file.path)));
    text.push_str(&section(style, "Files", &files.collect::<Vec<_>>().join("\n")));
    text
}

/// The new commit on one line.
pub(crate) fn committed(commit: &Committed, _: &Style) -> String {
    format!("{:.8} {}\n", commit.hash, one_line(&commit.subject))
}

/// Each file, and whether its current content was viewed.
pub(crate) fn viewed(files: &[FileDiff], viewed: &SessionViewed, style: &Style) -> String {
    if files.is_empty() {
        return "Nothing changed.\n".to_owned();
    }
    let (mut text, mut counts) = (String::new(), [0, 0, 0]);
    for file in files {
        let (word, counted) = match (&file.content, viewed.files.get(&file.path)) {
            (Some(now), Some(then)) if now == then => ("viewed", Some(0)),
            (Some(_), Some(_)) => ("changed", Some(1)),
            (Some(_), None) => ("-", Some(2)),
            (None, _) => ("-", None),
        };
        counted.into_iter().for_each(|which: usize| counts[which] += 1);
        text.push_str(&format!("{}{}\n", style.paint(Tone::Faint, &format!("{word:<9}")), diff::line(file)));
    }
    let since = if counts[1] == 0 { String::new() } else { format!(", {} changed since", counts[1]) };
    text + &format!("\n{} of {} viewed{since}\n", counts[0], counts.iter().sum::<usize>())
}
