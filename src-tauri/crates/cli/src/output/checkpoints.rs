//! The checkpoints of a session.

use super::{Style, Tone, diff, moment, section};
use bc_core::{ids::SessionId, text::one_line};
use bc_wire::session::{
    CheckpointChanges, CheckpointFile, CheckpointLine, FilesRestored, SessionCheckpoints,
};

/// The checkpoints, with a line for each prompt or restore that follows one, and notes on omitted files.
pub(crate) fn list(found: &SessionCheckpoints, style: &Style) -> String {
    if found.checkpoints.is_empty() {
        return "No checkpoints. One is created before each prompt.\n".to_owned();
    }
    let mut text = style.paint(Tone::Faint, "CHECKPOINT  TURN  TIME              CHANGED AFTERWARDS\n");
    text.extend(found.checkpoints.iter().map(|line| one(line, style)));
    text
}

fn one(line: &CheckpointLine, style: &Style) -> String {
    let changed = line.changed.map_or_else(String::new, |changed| match changed.files {
        0 => "nothing".to_owned(),
        1 => format!("1 file +{} -{}", changed.added, changed.removed),
        files => format!("{files} files +{} -{}", changed.added, changed.removed),
    });
    let row = |number: &str, turn: &str, at, changed: &str, what: &str| {
        let row = format!("{number:>10}  {turn:>4}  {}  {changed:<18}  {what}", moment(style, &at));
        format!("{}\n", row.trim_end())
    };
    let number = line.number.to_string();
    let mut text = String::new();
    if let Some(restore) = &line.restore {
        let files: Vec<String> = restore.files.iter().map(|file| one_line(file)).collect();
        let files = if files.is_empty() { String::new() } else { format!(": {}", files.join(", ")) };
        let what = format!("before the restore of {}{files}", restore.checkpoint);
        text.push_str(&row(&number, "", line.at, &changed, &what));
    }
    if line.restore.is_none() && line.turns.is_empty() {
        text.push_str(&row(&number, "", line.at, &changed, "uncommitted work"));
    }
    for (nth, turn) in line.turns.iter().enumerate() {
        let is_last = nth + 1 == line.turns.len();
        let (number, changed) =
            (if nth == 0 { number.as_str() } else { "" }, if is_last { changed.as_str() } else { "nothing" });
        text.push_str(&row(number, &turn.turn.to_string(), turn.at, changed, &one_line(&turn.words)));
    }
    for note in notes(line) {
        text.push_str(&format!("{:>18}{}\n", "", style.paint(Tone::Faint, &note)));
    }
    text
}

fn notes(line: &CheckpointLine) -> Vec<String> {
    let mut notes = Vec::new();
    if !line.left_out.is_empty() {
        let named: Vec<String> = line.left_out.iter().take(5).map(with_reason).collect();
        let more = line.left_out.len().saturating_sub(5) + line.left_out_more as usize;
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        notes.push(format!("left out: {}{more}", named.join(", ")));
    }
    notes.extend(submodules(line.submodules));
    notes
}

fn with_reason(file: &CheckpointFile) -> String {
    format!("{} ({})", one_line(&file.path), one_line(&file.why))
}

fn submodules(count: u32) -> Option<String> {
    match count {
        0 => None,
        1 => Some("one submodule stays as it is".to_owned()),
        n => Some(format!("{n} submodules stay as they are")),
    }
}

/// The files that differ; with the diff if requested.
pub(crate) fn changes(changes: &CheckpointChanges, with_diff: bool, style: &Style) -> String {
    if changes.files.is_empty() {
        return "Nothing changed.\n".to_owned();
    }
    let mut text = section(style, "Files", &diff::files(&changes.files, changes.cut)).trim_start().to_owned();
    if with_diff {
        text.push_str(&diff::hunks(&changes.files, style));
    }
    text
}

/// The result of a restore, and the command that undoes it.
pub(crate) fn restored(id: SessionId, restored: &FilesRestored, style: &Style) -> String {
    let FilesRestored { undo, reference, written, deleted, skipped, submodules: modules } = restored;
    let mut text = String::new();
    let lines = written.iter().map(|path| format!("restored {}\n", one_line(path)));
    lines.for_each(|line| text.push_str(&line));
    deleted.iter().for_each(|path| text.push_str(&format!("deleted  {}\n", one_line(path))));
    skipped.iter().for_each(|file| text.push_str(&format!("left     {}\n", with_reason(file))));
    if let Some(note) = submodules(*modules) {
        text.push_str(&format!("{note}\n"));
    }
    match (undo, reference) {
        (Some(undo), Some(reference)) => {
            let undo = format!("beads-console session restore {} --checkpoint {undo}", id.short());
            text.push_str(&format!("The files before are kept as {reference}.\n"));
            text.push_str(&format!("  {}\n", style.paint(Tone::Faint, &undo)));
        }
        _ => text.push_str("The files are in this state already.\n"),
    }
    text
}
