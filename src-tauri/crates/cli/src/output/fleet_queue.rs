//! The merge queue, and the review of finished work.

use super::{Cell, Style, Table, Tone, diff, field, indented, section};
use bc_core::{
    fleet::MergeStatus,
    text::{one_line, plain},
};
use bc_wire::fleet::*;

/// The requests in order, with notes, and the reason why the queue is blocked.
pub(crate) fn state(state: &FleetQueueState, style: &Style) -> String {
    if state.rows.is_empty() {
        return "No merge requests waiting.\n".to_owned();
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
    let mut text = table.print(style);
    if state.paused {
        text.push_str("\nPaused: `beads-console fleet queue resume` continues.\n");
    }
    if let Some(row) = state.rows.iter().find(|row| state.blocked.as_ref() == Some(&row.id)) {
        text.push_str(&trouble(row, style));
    }
    for row in &state.rows {
        text.extend(row.note.as_ref().map(|note| format!("\n{}: {}\n", row.id, one_line(note))));
    }
    text
}

/// Why this request blocks the queue.
fn trouble(row: &FleetQueueRow, style: &Style) -> String {
    let Some(trouble) = &row.trouble else { return String::new() };
    let heading = style.paint(Tone::Bad, &format!("The queue is blocked by {}", row.id));
    let mut text = format!("\n{heading}: {}\n", one_line(&trouble.text));
    for file in &trouble.files {
        text.push_str(&format!("  {} ({})\n", one_line(&file.path), file.conflicts));
    }
    if !trouble.output.is_empty() {
        text.push_str(&format!("{}\n", indented(&plain(&trouble.output), "  | ")));
    }
    text.extend(trouble.hint.as_ref().map(|hint| format!("{}\n", one_line(hint))));
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
            (Tone::Attention, "skipped".to_owned())
        }
        (MergeStatus::Pending, _) => (Tone::Plain, "pending".to_owned()),
        (MergeStatus::Conflicted, _) => (Tone::Bad, "conflicted".to_owned()),
    }
}

/// The session that received the feedback, and how.
pub(crate) fn sent_back(sent: &FleetSentBack, style: &Style) -> String {
    let word = match sent.how {
        SentBackBy::Told => "was notified",
        SentBackBy::Resumed => "continues with it",
        SentBackBy::Started => "was started with it",
    };
    format!("Session {} {word}.\n", style.paint(Tone::Strong, &sent.session.short()))
}

pub(crate) fn review(review: &FleetReview, with_diff: bool, style: &Style) -> String {
    let mut text =
        format!("{} {}\n", style.paint(Tone::Strong, review.bead.as_str()), one_line(&review.title));
    text.push_str(&field(style, "Branch", &format!("{} ({:.8})", review.source, review.tip)));
    let behind = match review.behind {
        0 => String::new(),
        n => format!(", which has {n} newer commit{}", if n == 1 { "" } else { "s" }),
    };
    text.push_str(&field(style, "Into", &format!("{}{behind}", review.target)));
    if let Some(row) = &review.request {
        text.push_str(&field(style, "Queue", &format!("{} {}", row.id, word(row).1)));
    }
    text.push_str(&section(style, "Commits", &diff::commits(&review.commits)));
    text.push_str(&section(style, "Files", &diff::files(&review.files, review.cut)));
    let uncommitted = diff::paths(&review.uncommitted);
    text.push_str(&section(style, "Uncommitted, and not part of the merge", &uncommitted));
    if with_diff {
        text.push_str(&diff::hunks(&review.files, style));
    }
    text
}
