//! The results of `session end`, `session delete`, `session trash` and `session cleanup`.

use super::{Cell, Style, Table, Tone, moment, section, session};
use bc_core::text::{one_line, plain};
use bc_wire::session::{CleanedUp, Deleted, EndPreview, Trash};

/// The bead's status, the suggested review, and the execution log.
pub(crate) fn preview(preview: &EndPreview, style: &Style) -> String {
    let mut text = match &preview.bead {
        Some(bead) => format!(
            "{}  {} is {}\n",
            style.paint(Tone::Strong, bead.id.as_str()),
            one_line(&bead.title),
            one_line(bead.status.as_str())
        ),
        None => String::new(),
    };
    if preview.suggest_review {
        text.push_str(match preview.no_commit {
            true => "  no commit of its work was found; `--review --without-commit` moves it to in review\n",
            false => "  `--review` moves it to in review\n",
        });
    }
    text.push_str(&section(style, "Execution log", &preview.log));
    text
}

/// The deleted sessions, and how to restore them.
pub(crate) fn deleted(deleted: &Deleted, dry_run: bool, style: &Style) -> String {
    let mut text = String::new();
    for view in &deleted.sessions {
        let id = view.meta.id.short();
        let title = one_line(session::title(view));
        match dry_run {
            true => text.push_str(&format!("would delete {}  {title}\n", style.paint(Tone::Strong, &id))),
            false => text.push_str(&format!(
                "deleted {}  {title}\n  beads-console session restore {id}\n",
                style.paint(Tone::Strong, &id)
            )),
        }
    }
    for refused in &deleted.refused {
        let what = plain(&refused.error.message);
        text.push_str(&format!("{} {what}\n", style.paint(Tone::Bad, "not deleted:")));
    }
    if text.is_empty() { "No closed session in that range.\n".to_owned() } else { text }
}

pub(crate) fn trash(trash: &Trash, style: &Style) -> String {
    if trash.sessions.is_empty() {
        return "The trash is empty.\n".to_owned();
    }
    let mut table = Table::new(&["ID", "BEAD", "DELETED", "UNTIL", "TITLE"], 4);
    for trashed in &trash.sessions {
        table.row(vec![
            Cell::new(Tone::Strong, &trashed.meta.id.short()),
            Cell::plain(trashed.meta.bead_id.as_ref().map(|id| id.as_str()).unwrap_or_default()),
            Cell::new(Tone::Faint, &moment(style, &trashed.deleted_at)),
            Cell::new(Tone::Faint, &moment(style, &trashed.removed_at)),
            Cell::plain(trashed.meta.title.as_deref().unwrap_or("Untitled session")),
        ]);
    }
    table.print(style)
}

pub(crate) fn cleaned(cleaned: &CleanedUp) -> String {
    let drafts = match cleaned.closed_drafts.len() {
        1 => "1 draft that was never started was closed".to_owned(),
        n => format!("{n} drafts that were never started were closed"),
    };
    let removed = match cleaned.removed.len() {
        1 => "1 session was purged from the trash".to_owned(),
        n => format!("{n} sessions were purged from the trash"),
    };
    format!("{drafts}\n{removed}\n")
}
