//! The merge queue, and finished work, as a person sees them.

use super::{Cell, Looks, Table, Tone, diff, field, indented, section};
use bc_core::{
    fleet::MergeStatus,
    text::{one_line, plain},
};
use bc_wire::fleet::*;

/// What waits in its order, and why.
pub(crate) fn state(state: &FleetQueueState, looks: &Looks) -> String {
    if state.rows.is_empty() {
        return "Nothing waits to be merged.\n".to_owned();
    }
    let mut table = Table::new(&["REQUEST", "BEAD", "STATUS", "BRANCH", "INTO", "TITLE"], 5);
    for row in &state.rows {
        let (tone, word) = word(row);
        table.row(vec![
            Cell::new(Tone::Strong, row.id.as_str()),
            Cell::plain(row.bead.as_str()),
            Cell::new(tone, &word),
            Cell::plain(row.source.as_str()),
            Cell::plain(row.target.as_str()),
            Cell::plain(&row.title),
        ]);
    }
    let mut text = table.print(looks);
    if state.paused {
        text.push_str("\nPaused: `beads-console fleet queue go-on` begins again.\n");
    }
    let stopped = state.rows.iter().find(|row| state.blocked.as_ref() == Some(&row.id));
    if let Some(row) = stopped {
        text.push_str(&trouble(row, looks));
    }
    for row in &state.rows {
        if let Some(note) = &row.note {
            text.push_str(&format!("\n{}: {}\n", row.id, one_line(note)));
        }
    }
    text
}

/// What stopped a request.
fn trouble(row: &FleetQueueRow, looks: &Looks) -> String {
    let Some(trouble) = &row.trouble else { return String::new() };
    let heading = looks.paint(Tone::Bad, &format!("The queue stops at {}", row.id));
    let mut text = format!("\n{heading}: {}\n", one_line(&trouble.text));
    for file in &trouble.files {
        text.push_str(&format!("  {} ({})\n", one_line(&file.path), file.conflicts));
    }
    if !trouble.output.is_empty() {
        text.push_str(&format!("{}\n", indented(&plain(&trouble.output), "  | ")));
    }
    if let Some(hint) = &trouble.hint {
        text.push_str(&format!("{}\n", one_line(hint)));
    }
    text
}

fn word(row: &FleetQueueRow) -> (Tone, String) {
    match (row.status, row.stage) {
        (MergeStatus::Merging, Some(stage)) => (Tone::Good, format!("merging: {}", stage.as_str())),
        (MergeStatus::Merging, None) => (Tone::Good, "merging".to_owned()),
        (MergeStatus::Merged, _) => {
            (Tone::Faint, row.commit.as_ref().map_or("merged".to_owned(), |hash| format!("merged {hash:.8}")))
        }
        (MergeStatus::Pending | MergeStatus::Conflicted, _) if row.skipped => {
            (Tone::Attention, "left aside".to_owned())
        }
        (MergeStatus::Pending, _) => (Tone::Plain, "pending".to_owned()),
        (MergeStatus::Conflicted, _) => (Tone::Bad, "conflicted".to_owned()),
    }
}

/// Who has a text now.
pub(crate) fn sent_back(sent: &FleetSentBack, looks: &Looks) -> String {
    let word = match sent.how {
        SentBackBy::Told => "was told",
        SentBackBy::Resumed => "goes on with it",
        SentBackBy::Started => "was started for it",
    };
    format!("Session {} {word}.\n", looks.paint(Tone::Strong, &sent.session.short()))
}

/// A branch with what it changes.
pub(crate) fn review(review: &FleetReview, with_diff: bool, looks: &Looks) -> String {
    let mut text =
        format!("{} {}\n", looks.paint(Tone::Strong, review.bead.as_str()), one_line(&review.title));
    text.push_str(&field(looks, "Branch", &format!("{} ({:.8})", review.source, review.tip)));
    let behind = match review.behind {
        0 => String::new(),
        n => format!(", which has {n} more commit{}", if n == 1 { "" } else { "s" }),
    };
    text.push_str(&field(looks, "Into", &format!("{}{behind}", review.target)));
    if let Some(row) = &review.request {
        text.push_str(&field(looks, "Queue", &format!("{} {}", row.id, word(row).1)));
    }
    let commits =
        review.commits.iter().map(|commit| format!("{} {}", commit.short(), one_line(&commit.subject)));
    text.push_str(&section(looks, "Commits", &commits.collect::<Vec<_>>().join("\n")));
    text.push_str(&section(looks, "Files", &diff::files(&review.files, review.cut)));
    let uncommitted: Vec<String> = review.uncommitted.iter().map(|path| one_line(path)).collect();
    text.push_str(&section(looks, "In no commit, and so not merged", &uncommitted.join("\n")));
    if with_diff {
        text.push_str(&diff::hunks(&review.files, looks));
    }
    text
}
