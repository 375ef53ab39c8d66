//! Beads to start next, and stale ones.

use super::{Cell, Style, Table, Tone, bead::priority, moment};
use bc_wire::bead::{NextBeads, StaleBeads, StaleLevel};

pub(crate) fn next(next: &NextBeads, style: &Style) -> String {
    if next.beads.is_empty() {
        return "Nothing is ready. `beads-console bead ready --explain` shows the reasons.\n".to_owned();
    }
    let mut table = Table::new(&["ID", "P", "TYPE", "WHY", "TITLE"], 4);
    for next in &next.beads {
        table.row(vec![
            Cell::new(Tone::Strong, next.bead.id.as_str()),
            priority(next.bead.priority),
            Cell::plain(&next.bead.issue_type),
            Cell::new(Tone::Faint, &next.reasons.join(", ")),
            Cell::plain(&next.bead.title),
        ]);
    }
    table.print(style)
}

pub(crate) fn stale(stale: &StaleBeads, style: &Style) -> String {
    if stale.beads.is_empty() {
        return "No bead is stale.\n".to_owned();
    }
    let mut table = Table::new(&["ID", "LEVEL", "STATE", "SINCE", "TITLE"], 4);
    for bead in &stale.beads {
        let level = match bead.level {
            StaleLevel::Warning => Cell::new(Tone::Attention, "warning"),
            StaleLevel::Critical => Cell::new(Tone::Bad, "critical"),
        };
        table.row(vec![
            Cell::new(Tone::Strong, bead.id.as_str()),
            level,
            Cell::plain(bead.status.as_str()),
            Cell::plain(&moment(style, &bead.since)),
            Cell::plain(&bead.title),
        ]);
    }
    table.print(style)
}
